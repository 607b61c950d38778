/**
 * The slots of a run: how many of its calls may be in flight.
 *
 * A call has one from its beginning to its end, but gives it back as soon as the body of an answer has arrived: reading that
 * takes the service no time, and meanwhile another call's request is sent. Should it need another request, it takes
 * a slot again. A `RequestGate` of the caller's holds as well: a request with a slot waits for it.
 */
import { Effect, Exit, Semaphore } from "effect"
import type { Ledger } from "../../Ledger.ts"
import * as RequestGate from "../../RequestGate.ts"

/**
 * Lets a request that is ready go out before CPU time is spent on something else: the fiber that sends it is woken up in one
 * turn of the event loop, and the bytes are written in the next.
 */
export const requestsFirst: Effect.Effect<void> = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

/** Runs a call when there is a slot for it. */
export type Slots = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * The caller's turn within the turn of a run's slots. A run within a call of another one, as the parts of an enrichment are,
 * has slots of its own instead: with both, each could hold what the other waits for.
 */
const callerGates = new WeakMap<RequestGate.RequestGate, RequestGate.RequestGate>()

/** So many slots; the ledger says how many are taken. */
export const make = (concurrency: number, ledger: Ledger): Slots => {
  const permits = Semaphore.makeUnsafe(concurrency)
  const take = (interruptible: <A>(wait: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> =>
    Effect.andThen(
      interruptible(permits.take(1)),
      Effect.sync(() => {
        ledger.inFlight++
      })
    )
  const release = (count: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      ledger.inFlight -= count
      return permits.release(count)
    })
  return (call) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(RequestGate.RequestGate, (currentGate) => {
        const callerGate = callerGates.get(currentGate) ?? currentGate
        // Slots of this call that no request of it uses at the moment.
        let spare = 1
        const gate: RequestGate.RequestGate = (request) =>
          Effect.tap(
            Effect.uninterruptibleMask((restoreOwn) =>
              Effect.andThen(
                Effect.suspend(() => {
                  if (spare === 0) return take(restoreOwn)
                  spare--
                  return Effect.void
                }),
                Effect.onExit(restoreOwn(callerGate(request)), (exit) => {
                  if (Exit.isSuccess(exit)) return release(1)
                  // The call may try again.
                  spare++
                  return Effect.void
                })
              )
            ),
            requestsFirst
          )
        callerGates.set(gate, callerGate)
        return Effect.andThen(
          take(restore),
          Effect.ensuring(
            restore(Effect.provideService(call, RequestGate.RequestGate, gate)),
            Effect.suspend(() => release(spare))
          )
        )
      })
    )
}
