/**
 * Makes attempts at the chunks of harvests until they succeed: how many at the same time, how long between two, and when an
 * attempt has to give way.
 *
 * An attempt that fails is made again as long as that can help, slower and slower; where it cannot, the harvest is paused and
 * says why, and the chunk waits for it to be resumed.
 */
import { RequestGate } from "@chemstream/client"
import { Effect, Latch, Schedule, Semaphore } from "effect"
import { ChunkDefect, canHelp, type Failure, failureOf, isStorage } from "./chunkFailure.ts"
import { Control } from "./control.ts"
import * as metrics from "./metrics.ts"

/** How a chunk ended: it is kept, or the harvest was cancelled. */
export type End = "done" | "cancelled"

/** Waits of a chunk between attempts: longer and longer, half a minute at most. */
const patience = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("30 seconds")])

/** The same where a database or a disk is away: two seconds at most, so that a shard goes on soon after it is back. */
export const patienceWithStorage = Schedule.min([
  Schedule.exponential("250 millis"),
  Schedule.spaced("2 seconds")
])

/** Makes attempts until one succeeds or the harvest is cancelled. */
export type Persist = <A>(harvest: string, attempt: Effect.Effect<A, Failure>) => Effect.Effect<End>

/** `places`: how many attempts are made at the same time. */
export const make = (places: number): Effect.Effect<Persist, never, Control> =>
  Effect.gen(function* () {
    const control = yield* Control
    const isRunning = (harvest: string) => control.peek(harvest)?.state === "running"
    const semaphore = yield* Semaphore.make(places)

    /**
     * One attempt, in a place of its own; false where the harvest was paused or ended before its next request. The chunk
     * is then given up, and its place goes to another harvest: whatever needs no further request is finished first.
     */
    const inPlace = <A>(
      harvest: string,
      attempt: Effect.Effect<A, Failure>
    ): Effect.Effect<boolean, Failure> =>
      semaphore.withPermit(
        Effect.suspend(() => {
          if (!isRunning(harvest)) return Effect.succeed(false)
          const given = Latch.makeUnsafe(false)
          const gate: RequestGate.RequestGate = (request) =>
            Effect.suspend(() => (isRunning(harvest) ? request : Effect.andThen(given.open, Effect.never)))
          return Effect.provideService(attempt, RequestGate.RequestGate, gate).pipe(
            Effect.as(true),
            Effect.raceFirst(Effect.as(given.await, false)),
            Effect.catchDefect((cause) =>
              Effect.fail(new ChunkDefect({ cause, message: `a defect of chemstream: ${cause}` }))
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

    return (harvest, attempt) =>
      Effect.suspend(() => {
        const epoch = control.peek(harvest)?.epoch ?? 0
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
  })
