/**
 * Starts, watches, pauses, resumes and cancels harvests by name, from any process that can open their database.
 *
 * A harvest consists of identifiers in chunks, requests (`Fetch`) and a place for the outcomes (`Sink`). A start
 * records all three. Workers (`Worker`) do the harvest, now or later, in this process or in others. Every identifier
 * gets exactly one outcome in the sink, even if workers die.
 */
import { Quote } from "@chemstream/api"
import { type ChemClient, type ChemError, Dialect, type InvalidOption, Options } from "@chemstream/client"
import { type Enrich, Lookup } from "@chemstream/stream"
import { type Duration, Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "./Fetch.ts"
import { readDayTime } from "./internal/database/databaseTime.ts"
import { addressOf } from "./internal/database/postgresClient.ts"
import { getRow, HarvestMismatch, ServiceMismatch, UnknownHarvest } from "./internal/harvest/harvestErrors.ts"
import * as harvestRow from "./internal/harvest/harvestRow.ts"
import * as harvestSignals from "./internal/harvest/harvestSignals.ts"
import * as progress from "./internal/harvest/progress.ts"
import { record } from "./internal/harvest/recordHarvest.ts"
import * as remainingRequests from "./internal/harvest/remainingRequests.ts"
import * as serviceAndDialect from "./internal/harvest/serviceAndDialect.ts"
import { isServiceAwaited } from "./internal/harvest/waitReasons.ts"
import * as workers from "./internal/harvest/workersOfHarvest.ts"
import { placeOf, recordedSink } from "./internal/sinks/recordedSink.ts"
import * as Sink from "./Sink.ts"
import * as Source from "./Source.ts"
import type * as TableTarget from "./TableTarget.ts"

/** The default number of identifiers in a chunk. */
export const defaultChunkSize = 1000

export { remove as delete } from "./internal/harvest/deleteHarvest.ts"
export { retry, type Verification, verify } from "./internal/harvest/retryAndVerify.ts"
export { refuseOtherTarget } from "./internal/harvest/serviceAndDialect.ts"
export { HarvestMismatch, ServiceMismatch, UnknownHarvest }

/** The errors of starting a harvest, besides those of its source. */
export type StartError =
  | HarvestMismatch
  | ServiceMismatch
  | InvalidOption.InvalidOption
  | Fetch.UnknownLookup
  | TableTarget.InvalidTarget
  | SqlError.SqlError

/** The definition of a harvest. */
export interface Settings<E = never, R = never> {
  /** The name of the harvest. */
  readonly name: string
  readonly source: Source.Source<E, R>
  /** The requests. */
  readonly fetch: Fetch.Spec
  /** The place of the outcomes. */
  readonly sink: Sink.Spec
  /** The number of identifiers in a chunk, at least 1. Default: 1000. */
  readonly chunkSize?: number | undefined
  /** Whether an identifier with a wrong check digit is invalid. Default: false, and it is requested. */
  readonly strictIds?: boolean | undefined
  /**
   * What to do with a record that differs from the contract, as in `Lookup.Options` of `@chemstream/stream`.
   *
   * Default: `warn`.
   */
  readonly validate?: "strict" | "warn" | "off" | undefined
  /**
   * The address of the service, equal to the `baseUrl` of the workers' clients. Workers of other services do not work
   * on the harvest.
   *
   * Default: the service of each worker.
   */
  readonly service?: string | undefined
  /**
   * The dialect of the service, equal to the `dialect` of the workers' clients. Default: the dialect of each worker.
   */
  readonly dialect?: Dialect.Name | undefined
}

const lookupOptions = Lookup.optionSet.fields

/** The declaration of the settings. */
export const optionSet = Options.set<Settings<unknown, unknown>>()({
  name: Options.required(
    Options.kind<string>(
      "a text that is not empty",
      (value) => typeof value === "string" && value.trim() !== ""
    )
  ),
  source: Options.required(Source.kind),
  fetch: Options.required(Options.object<Fetch.Spec>()),
  sink: Options.required(Sink.kind),
  chunkSize: Options.withDefault(Options.count, defaultChunkSize),
  strictIds: lookupOptions.strictIds,
  validate: lookupOptions.validate,
  service: Options.kind<string>(
    "an address, e.g. http://127.0.0.1:8765",
    (value) => typeof value === "string" && URL.canParse(value)
  ),
  dialect: Options.oneOf(Dialect.names)
})

/** The state of a harvest. A harvest that waits for a worker is `running`. `finished` and `cancelled` are final. */
export type State = harvestRow.State

/** The error that paused a harvest: its name and, if there was a response, the HTTP status. */
export type Failure = harvestRow.Failure

/** How far a harvest is, what it waits for, and who works on it. */
export interface Status extends progress.Progress {
  readonly name: string
  readonly state: State
  /** The reason why it is paused or waits. */
  readonly reason: string | undefined
  /** The error that paused it. */
  readonly failure: Failure | undefined
  /** The description of its source, for people. */
  readonly source: string
  /** Undefined if a newer release recorded it in a form that this one cannot read. */
  readonly fetch: Fetch.Spec | undefined
  /** Undefined if a newer release recorded it in a form that this one cannot read. */
  readonly sink: Sink.Spec | undefined
  /** Identifiers of the source, including duplicates. */
  readonly identifiers: number
  readonly chunks: number
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds since 1970, if it has ended. */
  readonly endedAt: number | undefined
  /** The estimated time to the end, in seconds. Undefined while it waits. */
  readonly eta: number | undefined
  /** Chunks that are being requested or written. A pause lets them finish. */
  readonly inFlight: number
  /** The number of live workers that can work on it. */
  readonly working: number
  /** Failed identifiers that were requested again (`retry`). */
  readonly retried: number
  /** Whether its workers wait for an unavailable service, or for one that asks to wait. */
  readonly isServiceAwaited: boolean
  /** The longest lease of the live workers, in milliseconds. 0: there is none. */
  readonly lease: number
  /** When the first of the live workers started, in milliseconds since 1970. Undefined: there is none. */
  readonly workingSince: number | undefined
}

/** The result of a start. */
export interface StartResult {
  /** False: the harvest was started before, and continues. */
  readonly isNew: boolean
  /** Its state. A harvest that has ended does nothing more. */
  readonly state: State
  /** Identifiers of the source, including duplicates. */
  readonly identifiers: number
  readonly chunks: number
}

/** A harvest in a list. */
export type Summary = Pick<
  Status,
  "name" | "state" | "reason" | "source" | "identifiers" | "chunks" | "startedAt" | "endedAt"
>

/**
 * Starts a harvest: reads its source, divides it into chunks, and records these for the workers of the database.
 *
 * The source is not needed afterwards. If a harvest of this name exists, it stays as it is, and `isNew` is false.
 * Fails with `HarvestMismatch` if that harvest has another source or other settings, or if an unfinished harvest of this
 * database has the same output. Fails with `ServiceMismatch` if an unfinished harvest uses another service or dialect.
 * Also fails with the error of the source.
 */
export const start = <E, R>(
  settings: Settings<E, R>
): Effect.Effect<StartResult, E | StartError, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    yield* Options.check(optionSet, settings)
    const { chunkSize, dialect, strictIds, validate } = Options.complete(optionSet, settings)
    const service = serviceAndDialect.normalizeAddress(settings.service)
    const lookups = yield* Fetch.Lookups
    const missing = Fetch.missingLookup(settings.fetch, lookups)
    if (missing !== undefined) return yield* missing
    // A wrong lookup is refused before anything is recorded.
    yield* Effect.try({
      try: () => Fetch.parse(settings.fetch, lookups),
      catch: (error) => error as InvalidOption.InvalidOption
    })
    const others = (yield* harvestRow.unfinished).filter(({ name }) => name !== settings.name)
    yield* serviceAndDialect.refuseMismatches(others, { service, dialect })
    const known = Option.getOrUndefined(yield* harvestRow.byName(settings.name))?.definition?.sink
    // Earlier releases recorded the address of each table.
    const isOlder = known?._tag === "Table" && known.database === undefined
    const own = addressOf(yield* SqlClient.SqlClient)
    const sink = yield* recordedSink(settings, lookups, isOlder ? undefined : own)
    yield* refuseSharedOutput(others, sink, own)
    const { isNew, row } = yield* record(settings.name, settings.source, {
      fetch: Fetch.stored(settings.fetch),
      sink,
      chunkSize,
      strictIds,
      validate,
      service,
      dialect
    })
    yield* harvestSignals.notify(yield* SqlClient.SqlClient)
    const { chunks, identifiers, state } = row
    return { isNew, state, identifiers, chunks }
  })

/** Returns the status of a harvest. */
export const status = (
  name: string
): Effect.Effect<Status, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const row = yield* getRow(name)
    const current = yield* progress.read(row)
    const left = row.identifiers - current.tally.read
    // A harvest without identifiers left verifies its output, which has no estimate.
    const isGoing = row.state === "running" && current.rate > 0 && left > 0
    const { inFlight, lease, waitReason, working, workingSince } = yield* workers.workersOf(row)
    const reason = row.reason ?? waitReason
    return {
      ...summaryOf(row),
      reason,
      ...current,
      failure: row.failure,
      fetch: row.definition?.fetch,
      sink: row.definition?.sink,
      eta: isGoing && reason === undefined ? left / current.rate : undefined,
      inFlight,
      working,
      retried: row.retried,
      isServiceAwaited: row.state === "running" && working > 0 && isServiceAwaited(row.reason),
      lease,
      workingSince
    }
  })

/** Fails if one of these harvests writes to the same folder or table. `Sinks.holder` knows only those with an output. */
const refuseSharedOutput = (
  rows: ReadonlyArray<harvestRow.Row>,
  sink: Sink.Spec,
  own: string | undefined
): Effect.Effect<void, HarvestMismatch> => {
  const place = placeOf(sink, own)
  const other = rows.find(
    ({ definition }) => definition !== undefined && placeOf(definition.sink, own) === place
  )
  return place === undefined || other === undefined
    ? Effect.void
    : new HarvestMismatch({
        name: other.name,
        difference: "output",
        message: `the harvest ${Quote.value(other.name)} of this database (${other.state}) writes to ${place}. Name another output`
      })
}

/** The requests that the rest of a harvest takes. */
export type Rest = remainingRequests.Rest

/**
 * Counts the requests that the rest of a harvest takes, without sending any. Retries and the parts of a failed batch are
 * not counted.
 */
export const plan = (
  name: string
): Effect.Effect<
  Rest,
  ChemError.ChemError | Enrich.Incomplete | UnknownHarvest | SqlError.SqlError,
  ChemClient.ChemClient | SqlClient.SqlClient
> => Effect.flatMap(getRow(name), remainingRequests.of)

/** Lists all harvests of the database, the newest first. */
export const list: Effect.Effect<ReadonlyArray<Summary>, SqlError.SqlError, SqlClient.SqlClient> = Effect.map(
  harvestRow.all,
  (rows) => rows.map(summaryOf)
)

type NewState = Effect.Effect<State, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient>

/**
 * Pauses a harvest: no request starts until `resume`.
 *
 * Requests in flight finish. A chunk that then needs no further request is written. The other chunks are fetched again
 * after `resume`. Returns the new state. A harvest that has ended keeps its state.
 */
export const pause = (name: string): NewState => changeState(name, ["running"], "paused")

/** Resumes a paused harvest. Returns the new state. */
export const resume = (name: string): NewState => changeState(name, ["paused"], "running")

/**
 * Cancels a harvest for good. Its chunks stay in the sink, which is not completed. Returns the new state. A finished
 * harvest stays finished.
 */
export const cancel = (name: string): NewState => changeState(name, ["running", "paused"], "cancelled")

/** A wait for a state of a harvest. */
type Wait = Effect.Effect<
  Status,
  UnknownHarvest | InvalidOption.InvalidOption | SqlError.SqlError,
  SqlClient.SqlClient
>

/**
 * Waits until a harvest has ended, and returns its status.
 *
 * Checks whenever this process changes a harvest, and at the interval `every`. Default: 500 milliseconds. Fails with
 * `InvalidOption` if `every` is not a time above 0.
 */
export const awaitEnd = (name: string, every: Duration.Input = "500 millis"): Wait =>
  awaitState(name, every, (row) => !harvestRow.isUnfinished(row))

/** Waits until a harvest has ended or an error has paused it. After an error, the status has a `failure`. */
export const awaitHalt = (name: string, every: Duration.Input = "500 millis"): Wait =>
  awaitState(name, every, (row) => !harvestRow.isUnfinished(row) || row.failure !== undefined)

const awaitState = (name: string, every: Duration.Input, isOver: (row: harvestRow.Row) => boolean): Wait =>
  Effect.gen(function* () {
    yield* Options.check(Options.time("positive"), every, "every")
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const nextChange = yield* harvestSignals.nextChange(sql)
      if (isOver(yield* getRow(name))) return yield* status(name)
      yield* Effect.raceFirst(nextChange, Effect.sleep(every))
    }
  })

const changeState = (name: string, from: ReadonlyArray<State>, to: State): NewState =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A resume starts a new epoch (`harvestRow.ts`), so that failures from before it no longer pause the harvest.
    const end = to === "cancelled" ? yield* readDayTime(sql) : null
    yield* sql`
      UPDATE chemstream_harvests
      SET state = ${to}, reason = NULL, failure = NULL, ended_at = ${end}, epoch = epoch + ${to === "running" ? 1 : 0}
      WHERE name = ${name} AND ${sql.in("state", from)}`
    yield* harvestSignals.notify(sql)
    return (yield* getRow(name)).state
  })

const summaryOf = (row: harvestRow.Row): Summary => {
  const { chunks, description: source, endedAt, identifiers, name, reason, startedAt, state } = row
  return { name, state, reason, source, identifiers, chunks, startedAt, endedAt }
}
