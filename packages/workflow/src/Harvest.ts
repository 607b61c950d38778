/**
 * Durable harvests by name: start one, see how far it is, pause, resume or cancel it, from any process that reaches its
 * database.
 *
 * A harvest is its identifiers in chunks, what is asked for (`Fetch`) and where outcomes are kept (`Sink`). Starting one
 * records all of that; the work is done by workers (`Worker`), now or later, in this process or in others. However often
 * they die, every identifier has exactly one outcome in the sink.
 */
import { resolve } from "node:path"
import type { Dialect } from "@chemstream/client"
import { Clock, type Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "./Fetch.ts"
import * as changes from "./internal/harvest/changes.ts"
import * as definition from "./internal/harvest/definition.ts"
import {
  existing,
  type HarvestMismatch,
  type ServiceMismatch,
  type UnknownHarvest
} from "./internal/harvest/harvestErrors.ts"
import * as progress from "./internal/harvest/progress.ts"
import { record } from "./internal/harvest/snapshot.ts"
import * as targets from "./internal/harvest/targets.ts"
import * as workers from "./internal/harvest/workers.ts"
import type * as Sink from "./Sink.ts"
import type { Source } from "./Source.ts"

/** Identifiers a chunk when not set. */
export const defaultChunkSize = 1000

export { HarvestMismatch, ServiceMismatch, UnknownHarvest } from "./internal/harvest/harvestErrors.ts"
export { remove as delete, retry, type Verified, verify } from "./internal/harvest/repair.ts"
export { refuseOtherTarget } from "./internal/harvest/targets.ts"

/** What the start of a harvest fails with, beside the errors of its source. */
export type StartError = HarvestMismatch | ServiceMismatch | Fetch.UnknownLookup | SqlError.SqlError

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
  /** The dialect of that service, as the `dialect` of the workers' clients has it. Default: that of the worker. */
  readonly dialect?: Dialect.Name | undefined
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
  /** Undefined where a newer release has recorded it, and this one cannot read it. */
  readonly fetch: Fetch.Spec | undefined
  /** Undefined where a newer release has recorded it, and this one cannot read it. */
  readonly sink: Sink.Spec | undefined
  /** Identifiers of the source, those that came before included. */
  readonly identifiers: number
  readonly chunks: number
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds since 1970, where it has ended. */
  readonly endedAt: number | undefined
  /** Seconds until it ends at this rate, where it waits for nothing. */
  readonly eta: number | undefined
  /** Chunks whose requests are in flight or whose outcomes are being written. Of a paused harvest, they finish. */
  readonly inFlight: number
  /** Workers that live and can do it. */
  readonly working: number
  /** Identifiers that failed and were asked for again (`retry`). */
  readonly retried: number
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
 * settings are others this fails with `HarvestMismatch`, and with the source's own error where that cannot be read. Where
 * another harvest that has not ended asks another service, or in another dialect, it fails with `ServiceMismatch`.
 */
export const start = <E, R>(
  settings: Settings<E, R>
): Effect.Effect<Started, E | StartError, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const { dialect } = settings
    const service = targets.serviceOf(settings.service)
    const lacking = Fetch.lacking(settings.fetch, yield* Fetch.Lookups)
    if (lacking !== undefined) return yield* lacking
    const others = (yield* definition.open).filter(({ name }) => name !== settings.name)
    yield* targets.refuseOthers(others, { service, dialect })
    const { isNew, row } = yield* record(settings.name, settings.source, {
      fetch: settings.fetch,
      sink: absolute(settings.sink),
      chunkSize: Math.max(1, Math.floor(settings.chunkSize ?? defaultChunkSize)),
      strictIds: settings.strictIds ?? false,
      validate: settings.validate ?? "warn",
      service,
      dialect
    })
    yield* changes.tell(yield* SqlClient.SqlClient)
    const { chunks, identifiers, state } = row
    return { isNew, state, identifiers, chunks }
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
    const { inFlight, waitsFor, working } = yield* workers.of(row, done.chunksDone)
    const reason = row.reason ?? waitsFor
    return {
      ...summaryOf(row),
      reason,
      ...done,
      failure: row.failure,
      fetch: row.definition?.fetch,
      sink: row.definition?.sink,
      eta: isGoing && reason === undefined ? left / done.rate : undefined,
      inFlight,
      working,
      retried: row.retried
    }
  })

/** All harvests of the database, the newest first. */
export const list: Effect.Effect<ReadonlyArray<Summary>, SqlError.SqlError, SqlClient.SqlClient> = Effect.map(
  definition.all,
  (rows) => rows.map(summaryOf)
)

/**
 * Lets no request begin until `resume`. Requests that were sent are waited for, and a chunk that needs no other is
 * written; one that does is fetched anew later. Gives the state after it: a harvest that has ended stays as it is.
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

/** The sink with paths that mean the same in every folder. */
const absolute = (sink: Sink.Spec): Sink.Spec => {
  switch (sink._tag) {
    case "Folder":
      return { ...sink, folder: resolve(sink.folder) }
    case "Sqlite":
      return { ...sink, file: resolve(sink.file) }
    case "Mirror":
      return sink.report === undefined ? sink : { ...sink, report: resolve(sink.report) }
    default:
      return sink
  }
}
