/**
 * Stops a run in order before its input ends: no new request is sent, and those in flight finish. The caller saves the results.
 */
import { ChemError } from "@chemstream/client"
import type { Lookup } from "@chemstream/stream"
import { Deferred, Effect } from "effect"

export interface OrderlyStop {
  /** Requests the stop. */
  readonly request: Effect.Effect<void>
  /** Waits until the stop is requested. */
  readonly requested: Effect.Effect<void>
  readonly isRequested: () => boolean
  /** The number of calls in flight. */
  readonly inFlight: () => number
  /**
   * Returns a lookup that sends no request after the stop is requested. It then fails with a fatal error, once all calls in flight have
   * finished.
   */
  readonly stop: <R, F>(lookup: Lookup.Lookup<R, F>) => Lookup.Lookup<R, F>
}

export const make: Effect.Effect<OrderlyStop> = Effect.gen(function* () {
  const requested = yield* Deferred.make<void>()
  const idle = yield* Deferred.make<void>()
  let isRequested = false
  let inFlight = 0
  const settle = Effect.suspend(() =>
    isRequested && inFlight === 0 ? Effect.asVoid(Deferred.succeed(idle, undefined)) : Effect.void
  )
  return {
    request: Effect.suspend(() => {
      isRequested = true
      return Effect.andThen(settle, Effect.asVoid(Deferred.succeed(requested, undefined)))
    }),
    requested: Deferred.await(requested),
    isRequested: () => isRequested,
    inFlight: () => inFlight,
    stop: (lookup) => ({
      ...lookup,
      requestBatch: (ids, inspection) =>
        Effect.suspend(() => {
          // Waits for the calls in flight: in an unordered run, the error would overtake them.
          if (isRequested)
            return Effect.andThen(Deferred.await(idle), Effect.fail(stopError(lookup.endpoint)))
          inFlight++
          return Effect.ensuring(
            lookup.requestBatch(ids, inspection),
            Effect.suspend(() => {
              inFlight--
              return settle
            })
          )
        })
    })
  }
})

/** A fatal error: it stops the run and fails no identifier. */
const stopError = (endpoint: string): ChemError.ServiceUnavailable =>
  new ChemError.ServiceUnavailable({ endpoint, attempts: 0, message: "the run was stopped" })
