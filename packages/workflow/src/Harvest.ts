/**
 * Durable harvests by name: start one, see how far it is, pause, resume or cancel it, from any process that reaches its
 * database.
 *
 * A harvest is its identifiers in chunks, what is asked for (`Fetch`) and where outcomes are kept (`Sink`). Starting one
 * records all of that; the work is done by workers (`Worker`), now or later, in this process or in others. However often
 * they die, every identifier has exactly one outcome in the sink.
 */
import { Clock, type Duration, Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type * as Fetch from "./Fetch.ts"
import * as changes from "./internal/changes.ts"
import * as definition from "./internal/definition.ts"
import * as progress from "./internal/progress.ts"
import { record } from "./internal/snapshot.ts"
import { transaction } from "./internal/transaction.ts"
import type * as Sink from "./Sink.ts"
import type { Source } from "./Source.ts"

/** Identifiers a chunk when not set. */
export const defaultChunkSize = 1000

/** There is no harvest of this name. */
export class UnknownHarvest extends Schema.TaggedError<UnknownHarvest>()("UnknownHarvest", {
  name: Schema.String,
  message: Schema.String
}) {}

/** A harvest of this name is there, and is another: `difference` says in what. */
export class OtherHarvest extends Schema.TaggedError<OtherHarvest>()("OtherHarvest", {
  name: Schema.String,
  difference: Schema.Literals(["source", "settings", "service", "concurrent start"]),
  message: Schema.String
}) {}

/**
 * Another harvest of the database has not ended, and asks another service. All of a database ask one: what a worker asks is
 * asked where its client asks.
 */
export class OtherService extends Schema.TaggedError<OtherService>()("OtherService", {
  /** The harvest that has not ended. */
  name: Schema.String,
  /** Where the service is that it asks. */
  service: Schema.String,
  message: Schema.String
}) {}

/** What a harvest is, and what it is called. */
export interface Settings<E = never, R = never> {
  /** The name by which it is known. */
  readonly name: string
  readonly source: Source<E, R>
  /** What is asked for. */
  readonly fetch: Fetch.Spec
  /** Where outcomes are kept. */
  readonly sink: Sink.Spec
  /** Identifiers a chunk, 1 or more; 1000 when not given. */
  readonly chunkSize?: number | undefined
  /** Whether an identifier whose check digit does not fit is invalid; asked for all the same when not given. */
  readonly strictIds?: boolean | undefined
  /** What becomes of a record that is not as the contract has it; as in `Lookup.Options` of `@chemstream/stream`. */
  readonly validate?: "strict" | "warn" | "off" | undefined
  /**
   * Where the service is that is asked, as the `baseUrl` of the workers' clients has it: workers of other services leave it
   * alone. Any worker's when not given.
   */
  readonly service?: string | undefined
}

/** Running also means waiting for a worker; the last two are for ever. */
export type State = definition.State

/** What a harvest could not go on for: the name of the error and, where there was an answer, its HTTP status. */
export type Failure = definition.Failure

/** A harvest as it stands. */
export interface Status extends progress.Progress {
  readonly name: string
  readonly state: State
  /** Why it is paused, or what it waits for, where there is something to say. */
  readonly reason: string | undefined
  /** The error for which it could not go on, where it paused itself. */
  readonly failure: Failure | undefined
  /** What its source is, for people. */
  readonly source: string
  readonly fetch: Fetch.Spec
  readonly sink: Sink.Spec
  /** Identifiers of the source, those that came before included. */
  readonly identifiers: number
  readonly chunks: number
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds since 1970, where it has ended. */
  readonly endedAt: number | undefined
  /** Seconds until it ends at this rate, where there is one. */
  readonly eta: number | undefined
}

/** What was started. */
export interface Started {
  /** Whether it was not there before. */
  readonly isNew: boolean
  /** How it stands; one that has ended does nothing more. */
  readonly state: State
  /** Identifiers of the source, those that came before included. */
  readonly identifiers: number
  readonly chunks: number
}

/** A harvest in a list. */
export type Summary = Pick<
  Status,
  "name" | "state" | "reason" | "source" | "identifiers" | "chunks" | "startedAt" | "endedAt"
>

/**
 * Records a harvest for the workers of the database: reads its source, and cuts it into chunks. When this has ended, the
 * source is no longer needed.
 *
 * A harvest of the same name goes on where it is, whatever its state, and `isNew` is false; where its source or its
 * settings are others this fails with `OtherHarvest`, and with the source's own error where that cannot be read. Where
 * another harvest that has not ended asks another service it fails with `OtherService`.
 */
export const start = <E, R>(
  settings: Settings<E, R>
): Effect.Effect<Started, E | OtherHarvest | OtherService | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const service = serviceOf(settings.service)
    const others = (yield* definition.all).filter(({ name }) => name !== settings.name)
    yield* refuseOthers(others, service)
    const started = yield* record(settings.name, settings.source, {
      fetch: settings.fetch,
      sink: settings.sink,
      chunkSize: Math.max(1, Math.floor(settings.chunkSize ?? defaultChunkSize)),
      strictIds: settings.strictIds ?? false,
      validate: settings.validate ?? "warn",
      service
    })
    if (started._tag === "OtherService") {
      return yield* new OtherHarvest({
        name: settings.name,
        difference: "service",
        message: `the harvest ${JSON.stringify(settings.name)} was started with another service: it is ${service} now, and was ${started.before}; give the same, or give this harvest another name when that one has ended`
      })
    }
    if (started._tag === "Other") return yield* otherHarvest(settings.name, started.difference)
    yield* changes.tell(yield* SqlClient.SqlClient)
    const { chunks, identifiers, state } = started.row
    return { isNew: started._tag === "New", state, identifiers, chunks }
  })

/** How far a harvest is. */
export const status = (
  name: string
): Effect.Effect<Status, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const row = yield* existing(name)
    const done = yield* progress.read(row)
    const left = row.identifiers - done.tally.read
    const isGoing = row.state === "running" && done.rate > 0
    return {
      ...summaryOf(row),
      ...done,
      failure: row.failure,
      fetch: row.definition.fetch,
      sink: row.definition.sink,
      eta: isGoing ? left / done.rate : undefined
    }
  })

/** All harvests of the database, the newest first. */
export const list: Effect.Effect<ReadonlyArray<Summary>, SqlError.SqlError, SqlClient.SqlClient> = Effect.map(
  definition.all,
  (rows) => rows.map(summaryOf)
)

/**
 * Lets no chunk begin until `resume`; those that have begun are ended. Gives the state after it: a harvest that has
 * ended stays as it is.
 */
export const pause = (
  name: string
): Effect.Effect<State, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  change(name, ["running"], "paused")

/** Goes on with a harvest that was paused, by someone or because it could not go on. Gives the state after it. */
export const resume = (
  name: string
): Effect.Effect<State, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  change(name, ["paused"], "running")

/**
 * Ends a harvest for ever, with what it has so far: the sink keeps its chunks, and is not completed. Gives the state after
 * it: a harvest that has finished stays so.
 */
export const cancel = (
  name: string
): Effect.Effect<State, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  change(name, ["running", "paused"], "cancelled")

/** Forgets a harvest that has ended, and frees its name. What is in the sink stays. Gives whether it had ended. */
export const forget = (
  name: string
): Effect.Effect<boolean, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const row = yield* existing(name)
    if (definition.isOpen(row)) return false
    const sql = yield* SqlClient.SqlClient
    yield* transaction(
      sql,
      Effect.andThen(
        sql`DELETE FROM chemstream_harvests WHERE id = ${row.id}`,
        Effect.andThen(
          sql`DELETE FROM chemstream_progress WHERE harvest = ${row.id}`,
          sql`DELETE FROM chemstream_chunks WHERE harvest = ${row.id}`
        )
      )
    )
    return true
  })

/**
 * Waits until a harvest has ended, looking every half second, or as often as `every` says, and when a worker of this process
 * has ended one; gives how it ended.
 */
export const ended = (
  name: string,
  every: Duration.Input = "500 millis"
): Effect.Effect<Status, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  awaited(name, every, (row) => !definition.isOpen(row))

/** As `ended`, and also until a harvest has paused itself because it could not go on: then its status has a `failure`. */
export const halted = (
  name: string,
  every: Duration.Input = "500 millis"
): Effect.Effect<Status, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  awaited(name, every, (row) => !definition.isOpen(row) || row.failure !== undefined)

/** Fails where a harvest that has not ended asks another service than this. */
export const refuseOtherService = (
  service: string
): Effect.Effect<void, OtherService | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(definition.all, (rows) => refuseOthers(rows, serviceOf(service)))

const refuseOthers = (
  rows: ReadonlyArray<definition.Row>,
  service: string | undefined
): Effect.Effect<void, OtherService> => {
  for (const row of rows.filter(definition.isOpen)) {
    const before = definition.otherService(row, service)
    if (before === undefined) continue
    const { name, state } = row
    return Effect.fail(
      new OtherService({
        name,
        service: before,
        message: `the service is ${service}, and the harvest ${JSON.stringify(name)} of this database (${state}) asks ${before}: finish or cancel that one first, or use another database`
      })
    )
  }
  return Effect.void
}

/** As a client has it: two spellings of one address are one service. */
const serviceOf = (service: string | undefined): string | undefined =>
  service === undefined ? undefined : (URL.parse(service)?.href ?? service).replace(/\/+$/, "")

const awaited = (
  name: string,
  every: Duration.Input,
  isOver: (row: definition.Row) => boolean
): Effect.Effect<Status, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const change = yield* changes.upcoming(sql)
      if (isOver(yield* existing(name))) return yield* status(name)
      yield* Effect.raceFirst(change, Effect.sleep(every))
    }
  })

const existing = (
  name: string
): Effect.Effect<definition.Row, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(definition.byName(name), (row) =>
    Option.isSome(row)
      ? Effect.succeed(row.value)
      : Effect.fail(
          new UnknownHarvest({
            name,
            message: `there is no harvest ${JSON.stringify(name)} in this database; list says which there are`
          })
        )
  )

const change = (
  name: string,
  from: ReadonlyArray<State>,
  to: State
): Effect.Effect<State, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const end = to === "cancelled" ? yield* Clock.currentTimeMillis : null
    yield* sql`
      UPDATE chemstream_harvests
      SET state = ${to}, reason = NULL, failure = NULL, ended_at = ${end}, epoch = epoch + ${to === "running" ? 1 : 0}
      WHERE name = ${name} AND ${sql.in("state", from)}`
    yield* changes.tell(sql)
    return (yield* existing(name)).state
  })

const summaryOf = (row: definition.Row): Summary => ({
  name: row.name,
  state: row.state,
  reason: row.reason,
  source: row.description,
  identifiers: row.identifiers,
  chunks: row.chunks,
  startedAt: row.startedAt,
  endedAt: row.endedAt
})

const otherHarvest = (
  name: string,
  difference: Exclude<OtherHarvest["difference"], "service">
): OtherHarvest =>
  new OtherHarvest({
    name,
    difference,
    message: {
      source: `the harvest ${JSON.stringify(name)} was started with other identifiers: give this one another name, or forget that one`,
      settings: `the harvest ${JSON.stringify(name)} was started with other settings: give this one another name, or forget that one`,
      "concurrent start": `the harvest ${JSON.stringify(name)} was being started by another process: start it again`
    }[difference]
  })
