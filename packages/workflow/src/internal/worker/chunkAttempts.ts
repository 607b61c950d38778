/**
 * Makes attempts at chunks: limits how many run at a time, retries them, and abandons them when their harvest pauses.
 *
 * A failed attempt is retried at growing intervals while a retry can help, or when the service asks for it. Otherwise
 * the harvest is paused with the reason, and the chunk waits until it is resumed.
 */
import { RequestGate } from "@chemstream/client"
import { Clock, Effect, Latch, Schedule, Semaphore } from "effect"
import * as waitReasons from "../harvest/waitReasons.ts"
import {
  ChunkDefect,
  type Failure,
  failureOf,
  isRetryable,
  isStorageFailure,
  pauseEnd
} from "./chunkFailure.ts"
import { UnfinishedHarvests } from "./unfinishedHarvests.ts"
import * as metrics from "./workerMetrics.ts"

/** How a chunk ended: it is stored, or the harvest was cancelled. */
export type End = "done" | "cancelled"

/** The intervals between attempts: growing, up to half a minute. */
const retrySchedule = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("30 seconds")])

/**
 * The intervals while a database or a disk is unavailable: up to two seconds, so that a shard continues soon
 * afterwards.
 */
export const storageRetrySchedule = Schedule.min([
  Schedule.exponential("250 millis"),
  Schedule.spaced("2 seconds")
])

/** The shortest wait before a retry that the service asks for, in milliseconds. */
const shortestPause = 10

/** Retries until an attempt succeeds or the harvest is cancelled. */
export type RetryChunk = <A>(harvest: string, attempt: Effect.Effect<A, Failure>) => Effect.Effect<End>

/**
 * Makes the function that retries the chunks of a worker.
 *
 * @param concurrency The number of concurrent attempts.
 */
export const make = (concurrency: number): Effect.Effect<RetryChunk, never, UnfinishedHarvests> =>
  Effect.gen(function* () {
    const harvests = yield* UnfinishedHarvests
    const semaphore = yield* Semaphore.make(concurrency)

    const run = <A>(harvest: string, attempt: Effect.Effect<A, Failure>): Effect.Effect<End, Failure> =>
      Effect.gen(function* () {
        while (yield* harvests.mayContinue(harvest)) {
          if (yield* semaphore.withPermit(attemptOnce(harvests, harvest, attempt))) return "done"
        }
        return "cancelled"
      })

    /** Reports a failed attempt, and pauses its harvest if a retry cannot help. */
    const report = (harvest: string, epoch: number, error: Failure): Effect.Effect<void> => {
      const end = pauseEnd(error)
      if (end !== undefined) return harvests.noteWaiting(harvest, waitReasons.until(end))
      if (error._tag === "ConnectionFailed") return harvests.noteWaiting(harvest, waitReasons.unavailable)
      return isRetryable(error)
        ? harvests.noteWaiting(harvest, waitReasons.retrying(error))
        : harvests.pause(harvest, epoch, error.message, failureOf(error))
    }

    /** Waits until the time that the service asks for, if any. Returns whether it asked. */
    const awaitPause = (harvest: string, error: Failure): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        const end = pauseEnd(error)
        if (end === undefined) return false
        const delay = Math.max(shortestPause, end - (yield* Clock.currentTimeMillis))
        yield* Effect.raceFirst(Effect.sleep(Math.ceil(delay)), harvests.halt(harvest))
        yield* harvests.clearWaiting(harvest, waitReasons.until(end))
        return true
      })

    return (harvest, attempt) =>
      Effect.suspend(() => {
        const epoch = harvests.peek(harvest)?.epoch ?? 0
        return Effect.tapError(run(harvest, attempt), (error) =>
          Effect.andThen(metrics.countFailedAttempt, report(harvest, epoch, error))
        )
      }).pipe(
        Effect.retry({ while: (error) => awaitPause(harvest, error) }),
        Effect.retry({
          schedule: storageRetrySchedule,
          while: (error) => isStorageFailure(error) && isRetryable(error)
        }),
        // Errors that no retry helps come here, too: `report` has paused their harvest, and `mayContinue` waits until it is resumed.
        Effect.retry({ schedule: retrySchedule }),
        Effect.tap(harvests.clearWaiting(harvest)),
        // The schedule has no end.
        Effect.orDie
      )
  })

/**
 * Makes one attempt. Returns false if the harvest was paused or ended before its next request.
 *
 * The chunk is then abandoned, and its place goes to another harvest. Work that needs no further request is
 * finished first.
 */
const attemptOnce = <A>(
  harvests: UnfinishedHarvests["Service"],
  harvest: string,
  attempt: Effect.Effect<A, Failure>
): Effect.Effect<boolean, Failure> =>
  Effect.suspend(() => {
    const isRunning = () => harvests.peek(harvest)?.state === "running"
    if (!isRunning()) return Effect.succeed(false)
    const abandoned = Latch.makeUnsafe(false)
    const gate: RequestGate.RequestGate = (request) =>
      Effect.suspend(() => (isRunning() ? request : Effect.andThen(abandoned.open, Effect.never)))
    return Effect.provideService(attempt, RequestGate.RequestGate, gate).pipe(
      Effect.as(true),
      Effect.raceFirst(Effect.as(abandoned.await, false)),
      Effect.catchDefect((cause) =>
        Effect.fail(new ChunkDefect({ cause, message: `a defect of chemstream: ${cause}` }))
      )
    )
  })
