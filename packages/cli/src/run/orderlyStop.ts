/**
 * Ctrl-C during a run, without losing responses: no new request is sent, and only those on the wire finish. `Stopping` is the signal
 * (`Availability.Stop`), and `stopInOrder` gives it, waits for the end, and says what it kept. `recordRun.ts` runs its work in it.
 */
import { Availability, CallObserver, RequestGate } from "@chemstream/client"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { reasonOf } from "../CommandFailure.ts"
import { ImmediateStop } from "../process/immediateStop.ts"
import * as Messages from "../terminal/messages.ts"
import * as ProgressBar from "../terminal/progressBar.ts"
import { counted } from "../terminal/quantities.ts"

export interface Stopping extends Availability.StopSignal {
  /** Requests the stop. */
  readonly request: Effect.Effect<void>
  /** The number of requests on the wire: sent, and their responses have not arrived. */
  readonly onWire: () => number
  /** Provides the stop to an effect, and counts its requests. */
  readonly provide: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const make: Effect.Effect<Stopping> = Effect.sync(() => {
  const requested = Deferred.makeUnsafe<void>()
  let isRequested = false
  let onWire = 0
  const stop: Availability.StopSignal = {
    isRequested: () => isRequested,
    requested: Deferred.await(requested)
  }
  const gate: RequestGate.RequestGate = (request) =>
    Effect.suspend(() => {
      let sent = 0
      const onRequest = (): void => {
        sent++
        onWire++
      }
      const watched = Effect.updateService(request, CallObserver.CallObserver, (outer) =>
        CallObserver.wrap(outer, { onRequest })
      )
      return Effect.ensuring(
        watched,
        Effect.sync(() => (onWire -= sent))
      )
    })
  return {
    ...stop,
    onWire: () => onWire,
    request: Effect.suspend(() => {
      isRequested = true
      return Effect.asVoid(Deferred.succeed(requested, undefined))
    }),
    provide: (effect) =>
      effect.pipe(
        Effect.provideService(RequestGate.RequestGate, gate),
        Effect.provideService(Availability.Stop, stop)
      )
  }
})

/**
 * Runs the work. An interruption requests a stop, waits until the work has stopped, at most for `timeout` milliseconds, and keeps the
 * results. A second signal (`ImmediateStop`) ends the wait. `keep` returns the message about what was kept, if any.
 */
export const stopInOrder = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  stopping: Stopping,
  timeout: number,
  keep: Effect.Effect<string | undefined>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(work)
    return yield* Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.gen(function* () {
        const inFlight = stopping.onWire()
        ProgressBar.say(
          `chemstream: stopping${inFlight > 0 ? `, after ${counted(inFlight, "request")} in flight` : ""} (again to stop at once)\n`
        )
        yield* stopping.request
        const late = Effect.andThen(Effect.sleep(timeout), Fiber.interrupt(fiber))
        const limit = yield* Effect.forkDetach(Effect.interruptible(late))
        const atOnce = Effect.andThen(yield* ImmediateStop, () => {
          ProgressBar.say("chemstream: stopping at once\n")
          return Fiber.interrupt(fiber)
        })
        const second = yield* Effect.forkDetach(Effect.interruptible(atOnce))
        const exit = yield* Fiber.await(fiber)
        yield* Fiber.interruptAll([second, limit])
        if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
          Messages.say(`chemstream: ${reasonOf(Cause.squash(exit.cause))}\n`)
        const keptMessage = yield* keep
        if (keptMessage !== undefined) Messages.say(`chemstream: ${keptMessage}\n`)
      })
    )
  })
