/**
 * Limits the requests in flight of a run: it has `concurrency` slots, and each request in flight occupies one.
 *
 * A call takes a slot before it begins. Its first request uses this slot, each further one takes another. A slot is
 * free when the response has arrived, so another call's request is sent while this response is read.
 */
import { Effect, Exit, Semaphore } from "effect"
import type { Ledger } from "../../Ledger.ts"
import * as RequestGate from "../../RequestGate.ts"
import { Current } from "../availability/attempt.ts"

/**
 * Lets pending requests be sent before the next CPU work.
 *
 * The event loop resumes the sending fiber in one turn, and writes the bytes in the next.
 */
export const requestsFirst: Effect.Effect<void> = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

/** Runs a call when a slot is free. `isAlone`: no other call of the run is then in flight. */
export type Slots = <A, E, R>(call: Effect.Effect<A, E, R>, isAlone?: boolean) => Effect.Effect<A, E, R>

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
  const count = (change: number) => Effect.sync(() => (ledger.inFlight += change))
  const release = (slots: number) => Effect.andThen(count(-1), permits.release(slots))
  /** Runs an effect with slots. The wait for them can be interrupted. */
  const withSlots = <A, E, R>(
    take: Effect.Effect<number>,
    use: Effect.Effect<A, E, R>,
    releaseAfter: (exit: Exit.Exit<A, E>) => Effect.Effect<unknown>
  ): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(take), (taken) =>
        Effect.andThen(count(taken > 0 ? 1 : 0), Effect.onExit(restore(use), releaseAfter))
      )
    )
  return (call, isAlone = false) =>
    Effect.flatMap(RequestGate.RequestGate, (currentGate) => {
      const callerGate = callerGates.get(currentGate) ?? currentGate
      const slots = isAlone ? concurrency : 1
      let isUnused = true
      const takeOwn = Effect.suspend(() => {
        if (!isUnused) return permits.take(1)
        isUnused = false
        return Effect.succeed(0)
      })
      // The call keeps the slot of a failed request, for the next one or while it waits for the service.
      const releaseAfter = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
        if (Exit.isSuccess(exit) || isUnused) return Effect.asVoid(release(1))
        isUnused = true
        return Effect.void
      }
      // A call that is alone keeps its slots until it ends.
      const gate: RequestGate.RequestGate = isAlone
        ? callerGate
        : (request) => {
            const sent = withSlots(takeOwn, callerGate(request), releaseAfter)
            // A probe is sent while the call that waits for it keeps its slot.
            return Effect.flatMap(Current, (current) =>
              current?.mode === "probe" ? callerGate(request) : Effect.tap(sent, requestsFirst)
            )
          }
      callerGates.set(gate, callerGate)
      return withSlots(permits.take(slots), Effect.provideService(call, RequestGate.RequestGate, gate), () =>
        isUnused ? release(slots) : Effect.void
      )
    })
}
