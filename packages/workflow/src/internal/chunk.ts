/**
 * One chunk of a harvest, fetched and kept: what the activities of a shard do.
 *
 * A chunk that is kept already is not asked for. One that fails is tried again as long as that can help, slower and
 * slower; where it cannot, the harvest is paused and says why, and the chunk waits for it to be resumed.
 */
import { createHash } from "node:crypto"
import { ChemClient, type ChemError, MonotonicClock } from "@chemstream/client"
import { type Enrich, Ledger, Lookup } from "@chemstream/stream"
import {
  Clock,
  Context,
  Data,
  Effect,
  type FileSystem,
  Layer,
  type Path,
  RcMap,
  Schedule,
  type Scope,
  Semaphore,
  Stream
} from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as Fetch from "../Fetch.ts"
import { OtherService } from "../Harvest.ts"
import type * as Sink from "../Sink.ts"
import * as Sinks from "../Sinks.ts"
import { Control } from "./control.ts"
import * as definition from "./definition.ts"
import * as items from "./items.ts"
import * as metrics from "./metrics.ts"
import * as progress from "./progress.ts"

/** Waits of a chunk between attempts: longer and longer, half a minute at most. */
const patience = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("30 seconds")])

/** The same where a database or a disk is away: two seconds at most, so that a shard goes on soon after it is back. */
const patienceWithStorage = Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("2 seconds")])

type End = "done" | "cancelled"

export class Chunks extends Context.Service<
  Chunks,
  {
    /** Fetches a chunk and keeps it. Ends when it is kept, or when the harvest was cancelled. */
    readonly fetch: (harvest: string, index: number) => Effect.Effect<End>
    /** The chunks of a harvest that are kept, by any worker. */
    readonly done: (harvest: string) => Effect.Effect<ReadonlySet<number>>
    /** How many those are. */
    readonly countDone: (harvest: string) => Effect.Effect<number>
    /** Completes the sink. */
    readonly complete: (harvest: string, chunks: number) => Effect.Effect<End>
    /** Chunks that are being fetched now. */
    readonly inFlight: () => number
  }
>()("@chemstream/workflow/internal/Chunks") {}

/** What a worker brings to its chunks. */
export interface Settings {
  /** The name of the worker. */
  readonly worker: string
  /** Chunks fetched at the same time. */
  readonly concurrency: number
}

/** The database has no chunk of this index: someone has deleted it. */
class LostChunk extends Data.TaggedError("LostChunk")<{ readonly message: string }> {}

/** A defect of the program. It stops the chunk, and not the harvest for ever. */
class Broken extends Data.TaggedError("Broken")<{ readonly message: string; readonly cause: unknown }> {}

/** Why an attempt failed. */
type Failure =
  | ChemError.ChemError
  | Enrich.Incomplete
  | Sink.SinkError
  | SqlError.SqlError
  | LostChunk
  | OtherService
  | Broken

/** A harvest as this worker has it open. */
interface Opened {
  readonly row: definition.Row
  readonly sink: Sink.Sink
  /** What a chunk is asked for with. */
  readonly lookup: ReturnType<typeof Fetch.lookups>
}

export const layer = (
  settings: Settings
): Layer.Layer<
  Chunks,
  never,
  Control | ChemClient.ChemClient | SqlClient.SqlClient | FileSystem.FileSystem | Path.Path
> =>
  Layer.effect(
    Chunks,
    Effect.gen(function* () {
      const control = yield* Control
      const sql = yield* SqlClient.SqlClient
      const { baseUrl } = yield* ChemClient.ChemClient
      const services = yield* Effect.context<
        ChemClient.ChemClient | SqlClient.SqlClient | FileSystem.FileSystem | Path.Path
      >()
      // While some are fetched as many others may be written.
      const places = yield* Semaphore.make(2 * settings.concurrency)
      const fetching = yield* Semaphore.make(settings.concurrency)
      let inFlight = 0

      const opened = yield* RcMap.make({
        lookup: (id: string): Effect.Effect<Opened, Sink.SinkError | OtherService, Scope.Scope> =>
          Effect.gen(function* () {
            const row = yield* control.row(id)
            const service = definition.otherService(row, baseUrl)
            if (service !== undefined) {
              return yield* new OtherService({
                name: row.name,
                service,
                message: `it asks ${service}, and the worker ${settings.worker} asks ${baseUrl}: stop that worker, then resume`
              })
            }
            const sink = yield* Effect.provideContext(
              Sinks.open(row.definition.sink, { harvest: row.name, source: sourceOf(row) }),
              services
            )
            return { row, sink, lookup: Fetch.lookups(row.definition.fetch) }
          }),
        idleTimeToLive: "10 seconds"
      })

      /** A harvest, opened on first use. What failed to open is kept by nobody: the next attempt opens it anew. */
      const open = (harvest: string): Effect.Effect<Opened, Sink.SinkError | OtherService, Scope.Scope> =>
        Effect.tapError(RcMap.get(opened, harvest), () => RcMap.invalidate(opened, harvest))

      /** One attempt, in a place of its own; false where the harvest was paused while it waited for the place. */
      const inPlace = <A>(
        harvest: string,
        attempt: Effect.Effect<A, Failure>
      ): Effect.Effect<boolean, Failure> =>
        places.withPermit(
          Effect.suspend(() => {
            if (!control.isRunning(harvest)) return Effect.succeed(false)
            inFlight++
            return attempt.pipe(
              Effect.as(true),
              Effect.catchDefect((cause) =>
                Effect.fail(new Broken({ cause, message: `a defect of chemstream: ${cause}` }))
              ),
              Effect.ensuring(
                Effect.sync(() => {
                  inFlight--
                })
              )
            )
          })
        )

      const once = <A>(harvest: string, attempt: Effect.Effect<A, Failure>): Effect.Effect<End, Failure> =>
        Effect.gen(function* () {
          while (yield* control.mayGoOn(harvest)) {
            if (yield* inPlace(harvest, attempt)) return "done"
          }
          return "cancelled"
        })

      /** Makes attempts until one succeeds or the harvest is cancelled. */
      const persist = <A>(harvest: string, attempt: Effect.Effect<A, Failure>): Effect.Effect<End> =>
        Effect.suspend(() => {
          const epoch = control.epochOf(harvest)
          return Effect.tapError(once(harvest, attempt), (error) =>
            Effect.andThen(
              metrics.failed,
              canHelp(error)
                ? control.note(harvest, `trying again: ${error.message}`)
                : control.pause(harvest, epoch, error.message, failureOf(error))
            )
          )
        }).pipe(
          Effect.retry({
            schedule: patienceWithStorage,
            while: (error) => isStorage(error) && canHelp(error)
          }),
          Effect.retry({ schedule: patience }),
          Effect.tap(control.note(harvest, undefined)),
          // The schedule has no end.
          Effect.orDie
        )

      const fetchOnce = (harvest: string, index: number): Effect.Effect<void, Failure> =>
        Effect.gen(function* () {
          const harvested = yield* open(harvest)
          const { sink } = harvested
          const began = yield* MonotonicClock.currentMillis
          const ledger = Ledger.make()
          const kept = yield* sink.written(index)
          const tally = kept ?? (yield* fetched(harvested, index, ledger))
          const { bytes, requests, retries } = ledger
          const cost = { requests, retries, bytes, millis: (yield* MonotonicClock.currentMillis) - began }
          yield* progress.enter({ harvest, index, worker: settings.worker, tally, ...cost })
          yield* metrics.kept(tally, cost)
        }).pipe(Effect.scoped, Effect.provideContext(services))

      const fetched = (
        { lookup, row, sink }: Opened,
        index: number,
        ledger: Ledger.Ledger
      ): Effect.Effect<Sink.Tally, Failure, ChemClient.ChemClient> =>
        Effect.gen(function* () {
          const [chunk] = yield* sql<{ readonly items: string; readonly duplicates: unknown }>`
            SELECT items, duplicates FROM chemstream_chunks WHERE harvest = ${row.id} AND idx = ${index}`
          if (chunk === undefined) {
            return yield* new LostChunk({ message: `the database has lost chunk ${index} of ${row.name}` })
          }
          const { strictIds, validate } = row.definition
          const asked = Lookup.outcomes(Stream.fromIterable(items.decode(chunk.items)), lookup(), {
            strictIds,
            validate,
            ledger
          })
          const outcomes = yield* fetching.withPermit(Stream.runCollect(asked))
          return yield* sink.write({
            index,
            outcomes,
            duplicates: Number(chunk.duplicates) + ledger.duplicates
          })
        })

      const read = <A>(answer: Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>): Effect.Effect<A> =>
        answer.pipe(
          Effect.provideContext(services),
          Effect.retry({ schedule: patienceWithStorage }),
          // The schedule has no end.
          Effect.orDie
        )

      return Chunks.of({
        inFlight: () => inFlight,
        done: (harvest) => read(progress.done(harvest)),
        countDone: (harvest) => read(progress.countDone(harvest)),
        fetch: (harvest, index) => persist(harvest, fetchOnce(harvest, index)),
        complete: (harvest, chunks) =>
          persist(
            harvest,
            Effect.gen(function* () {
              const { sink } = yield* open(harvest)
              yield* sink.complete(chunks)
              yield* control.finish(harvest, yield* Clock.currentTimeMillis)
            }).pipe(Effect.scoped)
          )
      })
    })
  )

const isStorage = (error: Failure): boolean => error._tag === "SqlError" || error._tag === "SinkError"

/** Whether the same attempt can succeed later. */
const canHelp = (error: Failure): boolean => {
  if (SqlError.isSqlError(error)) return true
  return "retryable" in error && error.retryable === true
}

/** Of an identifier that is joined from several answers, what one of them failed with for good. */
const failureOf = (error: Failure): definition.Failure => {
  const lasting =
    error._tag === "Incomplete" ? Object.values(error.errors).find((part) => !canHelp(part)) : error
  const cause = lasting ?? error
  const status = "status" in cause ? cause.status : undefined
  return { tag: cause._tag, ...(status === undefined ? {} : { status }) }
}

const sourceOf = ({ definition: settings, digest }: definition.Row): string =>
  createHash("sha256").update(digest).update(definition.encode(settings)).digest("hex").slice(0, 32)
