/**
 * Limits the calls in flight of a run with slots.
 *
 * A call holds a slot until the body of its response has arrived. Another call's request is then sent while
 * this response is read. A call takes a slot again for each further request. A request with a slot also waits
 * for the caller's `RequestGate`.
 */
import { Effect, Exit, Semaphore } from "effect"
import type { Ledger } from "../../Ledger.ts"
import * as RequestGate from "../../RequestGate.ts"

/**
 * Lets pending requests be sent before the next CPU work.
 *
 * The event loop resumes the sending fiber in one turn, and writes the bytes in the next.
 */
export const requestsFirst: Effect.Effect<void> = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

/** Runs a call when a slot is free. */
export type Slots = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Maps the gate of a run's slots to the caller's gate.
 *
 * A run inside a call of another run, e.g. a part of an enrichment, uses only its own slots. With the slots of both
 * runs, the two runs could block each other.
 */
const callerGates = new WeakMap<RequestGate.RequestGate, RequestGate.RequestGate>()

/** Makes slots, and counts the occupied ones in the ledger. */
export const make = (concurrency: number, ledger: Ledger): Slots => {
  const permits = Semaphore.makeUnsafe(concurrency)
  const pool: Pool = {
    take: (interruptible) =>
      Effect.andThen(
        interruptible(permits.take(1)),
        Effect.sync(() => {
          ledger.inFlight++
        })
      ),
    release: (count) =>
      Effect.suspend(() => {
        ledger.inFlight -= count
        return permits.release(count)
      })
  }
  return (call) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(RequestGate.RequestGate, (currentGate) => {
        const { gate, releaseSpare } = callSlot(pool, callerGates.get(currentGate) ?? currentGate)
        return Effect.andThen(
          pool.take(restore),
          Effect.ensuring(restore(Effect.provideService(call, RequestGate.RequestGate, gate)), releaseSpare)
        )
      })
    )
}

/** The slots of a run. */
interface Pool {
  readonly take: (interruptible: Interruptible) => Effect.Effect<void>
  readonly release: (count: number) => Effect.Effect<unknown>
}

type Interruptible = <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Makes the gate of one call, which has taken a slot. Its requests use this slot, and take one more if it is in use. */
const callSlot = (pool: Pool, callerGate: RequestGate.RequestGate) => {
  // Slots of this call that none of its requests uses at the moment.
  let spare = 1
  const takeSpare = (interruptible: Interruptible): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (spare === 0) return pool.take(interruptible)
      spare--
      return Effect.void
    })
  const finish = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<unknown> => {
    if (Exit.isSuccess(exit)) return pool.release(1)
    // Keeps the slot, because the call may retry.
    spare++
    return Effect.void
  }
  const gate: RequestGate.RequestGate = (request) =>
    Effect.tap(
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(takeSpare(restore), Effect.onExit(restore(callerGate(request)), finish))
      ),
      requestsFirst
    )
  callerGates.set(gate, callerGate)
  return { gate, releaseSpare: Effect.suspend(() => pool.release(spare)) }
}
