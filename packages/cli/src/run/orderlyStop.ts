/**
 * The signal that stops a run without losing responses: no new request is sent, and only those on the wire finish (`Availability.Stop`).
 * `recordRun.ts` gives the signal when the run is interrupted, waits at most for `--stop-timeout`, and keeps the results.
 */
import { Availability, CallObserver, RequestGate } from "@chemstream/client"
import { Deferred, Effect } from "effect"

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
      return Effect.updateService(request, CallObserver.CallObserver, (outer) =>
        CallObserver.wrap(outer, { onRequest })
      ).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            onWire -= sent
          })
        )
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
