/**
 * The steps of the workflows of a harvest: fetches and stores a chunk, and completes the sink. `harvestWorkflows.ts` runs them.
 * Also limits and counts the chunks of a worker that are in flight (`makeRequester`).
 *
 * A stored chunk is not requested again. `chunkAttempts.ts` retries.
 */
import { ChemClient, MonotonicClock } from "@chemstream/client"
import { type Identifiers, Ledger } from "@chemstream/stream"
import { Context, Effect, type FileSystem, Layer, type Path, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type * as Sink from "../../Sink.ts"
import { SinkError } from "../../Sink.ts"
import { reading } from "../database/transaction.ts"
import * as items from "../harvest/chunkItems.ts"
import * as stateChanges from "../harvest/harvestStateChanges.ts"
import * as progress from "../harvest/progress.ts"
import * as waitReasons from "../harvest/waitReasons.ts"
import { type End, make as makeRetry, storageRetrySchedule } from "./chunkAttempts.ts"
import { type Failure, LostChunk } from "./chunkFailure.ts"
import { make as makeOpener, type OpenHarvest } from "./openHarvests.ts"
import { UnfinishedHarvests } from "./unfinishedHarvests.ts"
import * as metrics from "./workerMetrics.ts"

/** Fetches and stores the chunks of a worker. Harvests are named by the keys of their rows (`Row.id`). */
export class Chunks extends Context.Service<
  Chunks,
  {
    /** Fetches and stores a chunk. Ends when it is stored or the harvest is cancelled. */
    readonly fetch: (harvest: string, index: number) => Effect.Effect<End>
    /** Returns the chunks of a harvest that any worker has stored. */
    readonly recordedChunks: (harvest: string) => Effect.Effect<ReadonlySet<number>>
    /** Returns the number of stored chunks. */
    readonly countRecorded: (harvest: string) => Effect.Effect<number>
    /** Completes the sink, or starts a new round for the chunks that it lacks. */
    readonly complete: (harvest: string, chunks: number, round: number) => Effect.Effect<End>
    /** Whether the harvest has started a new round since this one. */
    readonly isOutdated: (harvest: string, round: number) => boolean
    /** Whether the service is unavailable. */
    readonly isUnavailable: Effect.Effect<boolean>
    /** Treats the service as available until a chunk finds otherwise. */
    readonly assumeAvailable: Effect.Effect<void>
    /** The number of chunks in flight by harvest. */
    readonly inFlight: () => Readonly<Record<string, number>>
  }
>()("@chemstream/workflow/internal/Chunks") {}

export interface Settings {
  /** The name of the worker. */
  readonly worker: string
  /** The number of concurrent chunks. */
  readonly concurrency: number
}

type Services = ChemClient.ChemClient | SqlClient.SqlClient | FileSystem.FileSystem | Path.Path

export const layer = (settings: Settings): Layer.Layer<Chunks, never, UnfinishedHarvests | Services> =>
  Layer.effect(
    Chunks,
    Effect.gen(function* () {
      const harvests = yield* UnfinishedHarvests
      const services = yield* Effect.context<Services>()
      // Twice `concurrency`, so that chunks can be written while others are fetched.
      const retry = yield* makeRetry(2 * settings.concurrency)
      const useHarvest = yield* makeOpener(settings.worker)
      const requester = yield* makeRequester(settings.concurrency)
      const read = <A>(
        harvest: string,
        query: Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>
      ): Effect.Effect<A> =>
        query.pipe(
          Effect.provideContext(services),
          Effect.tapError((error) => harvests.noteWaiting(harvest, waitReasons.retrying(error))),
          Effect.retry({ schedule: storageRetrySchedule }),
          Effect.tap(harvests.clearWaiting(harvest)),
          // The schedule has no end.
          Effect.orDie
        )
      const runAttempt = <A>(
        harvest: string,
        attempt: (harvested: OpenHarvest) => Effect.Effect<A, Failure, Services>
      ) => retry(harvest, Effect.provideContext(useHarvest(harvest, attempt), services))
      const roundOf = (harvest: string) => harvests.peek(harvest)?.round ?? 0
      const lostChunks = new Map<string, LostChunks>()
      return Chunks.of({
        isUnavailable: requester.isUnavailable,
        assumeAvailable: requester.assumeAvailable,
        inFlight: requester.inFlight,
        isOutdated: (harvest, round) => roundOf(harvest) > round,
        recordedChunks: (harvest) => read(harvest, progress.recordedChunks(harvest)),
        countRecorded: (harvest) => read(harvest, progress.countRecorded(harvest)),
        fetch: (harvest, index) =>
          runAttempt(harvest, (harvested) =>
            Effect.gen(function* () {
              const began = yield* MonotonicClock.currentMillis
              const ledger = Ledger.make()
              const { failures, tally } = yield* storeChunk(
                requester,
                harvested,
                index,
                ledger,
                roundOf(harvest) > 0
              )
              const { bytes, requests, retries } = ledger
              const millis = (yield* MonotonicClock.currentMillis) - began
              const cost = { requests, retries, bytes, millis }
              yield* progress.record({ harvest, index, worker: settings.worker, tally, failures, ...cost })
              yield* metrics.recordChunk(millis)
            })
          ),
        complete: (harvest, chunks, round) =>
          runAttempt(harvest, ({ sink }) =>
            complete(sink, lostChunks, harvest, chunks, round, (verified) =>
              harvests.noteWaiting(harvest, waitReasons.verifying(verified, chunks))
            ).pipe(Effect.ensuring(harvests.clearWaiting(harvest)))
          )
      })
    })
  )

/** The chunks that an output had lost when this worker last completed it. */
interface LostChunks {
  readonly round: number
  readonly indexes: ReadonlySet<number>
}

/** Completes the sink, or starts a new round for the chunks that it lacks. Fails if it loses a chunk again. */
const complete = Effect.fnUntraced(function* (
  sink: OpenHarvest["sink"],
  lostChunks: Map<string, LostChunks>,
  harvest: string,
  chunks: number,
  round: number,
  onProgress: (verified: number) => Effect.Effect<void>
) {
  yield* onProgress(0)
  const absent = yield* sink.missingChunks(chunks, onProgress)
  const lost = lostChunks.get(harvest)
  lostChunks.delete(harvest)
  if (absent.length > 0) {
    yield* progress.remove(harvest, absent)
    const isRepeated = lost !== undefined && lost.round < round
    const again = isRepeated ? absent.filter((index) => lost.indexes.has(index)) : []
    if (again.length > 0) return yield* losingSink(again)
    lostChunks.set(harvest, { round, indexes: new Set(absent) })
    yield* Effect.logWarning(`${absent.length} chunks are missing in the output, and are fetched again`)
    return yield* stateChanges.startRound(harvest, round)
  }
  yield* sink.complete(chunks)
  yield* stateChanges.finish(harvest)
})

/** Without this error, a trigger that discards rows would let a harvest fetch their chunks forever. */
const losingSink = (chunks: ReadonlyArray<number>): SinkError =>
  new SinkError({
    sink: "the output",
    operation: "complete",
    retryable: false,
    message: `the output lost rows of the same ${chunks.length === 1 ? "chunk" : "chunks"} twice: ${chunks.slice(0, 10).join(", ")}${chunks.length > 10 ? ", …" : ""}. A trigger or another program removes them: stop it, then resume`
  })

/** Makes and counts the requests of a worker. */
interface Requester extends Pick<Chunks["Service"], "isUnavailable" | "assumeAvailable" | "inFlight"> {
  /** Fetches the outcomes of identifiers when a slot is free. */
  readonly outcomes: (
    harvested: OpenHarvest,
    identifiers: ReadonlyArray<Identifiers.Identifier>,
    ledger: Ledger.Ledger
  ) => Effect.Effect<Sink.Chunk["outcomes"], Failure, ChemClient.ChemClient>
  /** Counts a chunk as in flight while the effect runs. */
  readonly countInFlight: <A, E, R>(harvest: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const makeRequester = (concurrency: number): Effect.Effect<Requester, never, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const slots = yield* Semaphore.make(concurrency)
    const { availability } = yield* ChemClient.ChemClient
    const chunkCounts = new Map<string, number>()
    // Until the service has responded once, a client fails at once instead of waiting for it.
    let isUnreached = false
    const recordReach = (isReached: boolean) =>
      Effect.sync(() => {
        isUnreached = !isReached
      })
    const add = (harvest: string, n: number) =>
      Effect.sync(() => {
        const now = (chunkCounts.get(harvest) ?? 0) + n
        if (now > 0) chunkCounts.set(harvest, now)
        else chunkCounts.delete(harvest)
      })
    const countInFlight: Requester["countInFlight"] = (harvest, effect) =>
      Effect.acquireUseRelease(
        add(harvest, 1),
        () => effect,
        () => add(harvest, -1)
      )
    return {
      countInFlight,
      inFlight: () => Object.fromEntries(chunkCounts),
      isUnavailable: Effect.map(availability.state, (state) => isUnreached || state === "unavailable"),
      assumeAvailable: Effect.sync(() => {
        isUnreached = false
        availability.forget()
      }),
      outcomes: ({ request, row }, identifiers, ledger) =>
        slots.withPermit(countInFlight(row.id, Stream.runCollect(request(identifiers, ledger)))).pipe(
          Effect.tap(() => recordReach(true)),
          Effect.tapError(({ _tag }) => recordReach(_tag !== "ConnectionFailed"))
        )
    }
  })

interface StoredChunk {
  readonly tally: Sink.Tally
  /** The number of failed identifiers by reason. Empty if the chunk was stored before. */
  readonly failures: ReadonlyMap<string, number>
}

/** Counts the failed identifiers by reason. */
const failuresOf = (outcomes: Sink.Chunk["outcomes"]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) {
    if (outcome._tag !== "Failed") continue
    const { error } = outcome
    const reason =
      "status" in error && typeof error.status === "number" ? `${error._tag} ${error.status}` : error._tag
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return counts
}

/**
 * Stores a chunk, unless it is stored. In a later round (`isLaterRound`), requests the failures of a stored chunk
 * again.
 */
const storeChunk = (
  { countInFlight, outcomes }: Requester,
  harvested: OpenHarvest,
  index: number,
  ledger: Ledger.Ledger,
  isLaterRound: boolean
): Effect.Effect<StoredChunk, Failure, Services> =>
  Effect.gen(function* () {
    const { row, sink } = harvested
    const stored = yield* sink.storedTally(index)
    if (stored !== undefined) {
      if (!isLaterRound || stored.failed === 0) return { tally: stored, failures: new Map() }
      const amended = yield* outcomes(harvested, yield* sink.failedIdentifiers(index), ledger)
      const counts = yield* countInFlight(row.id, sink.amend({ index, outcomes: amended, duplicates: 0 }))
      return { tally: counts, failures: failuresOf(amended) }
    }
    const sql = yield* SqlClient.SqlClient
    const [chunk] = yield* reading(
      sql,
      sql<{ readonly items: string; readonly duplicates: unknown }>`
        SELECT items, duplicates FROM chemstream_chunks WHERE harvest = ${row.id} AND idx = ${index}`
    )
    if (chunk === undefined)
      return yield* new LostChunk({ message: `the database has lost chunk ${index} of ${row.name}` })
    const found = yield* outcomes(harvested, items.decode(chunk.items), ledger)
    const duplicates = Number(chunk.duplicates) + ledger.duplicates
    const tally = yield* countInFlight(row.id, sink.write({ index, outcomes: found, duplicates }))
    return { tally, failures: failuresOf(found) }
  })
