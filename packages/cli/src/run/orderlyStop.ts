/**
 * The orderly end of a run before its input ends: nothing more is read or asked, what is in flight is finished.
 *
 * What a finished run looks like, and what is saved of it, its caller says.
 */
import { ChemError } from "@chemstream/client"
import type { Lookup } from "@chemstream/stream"
import { Deferred, Effect } from "effect"

export interface Stopping {
  /** Asks for the end. */
  readonly request: Effect.Effect<void>
  /** Waits until the end is asked for. */
  readonly requested: Effect.Effect<void>
  readonly isRequested: () => boolean
  /** The calls in flight of the lookups that are stopped with it. */
  readonly inFlight: () => number
  /**
   * The same lookup, which asks nothing once the end is asked for. The run then ends with an error, as soon as all calls
   * in flight are answered.
   */
  readonly stop: <R, F>(lookup: Lookup.Lookup<R, F>) => Lookup.Lookup<R, F>
}

export const make: Effect.Effect<Stopping> = Effect.gen(function* () {
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
      ask: (ids, inspection) =>
        Effect.suspend(() => {
          // Not before the others are answered: in a run without order it would overtake them.
          if (isRequested) return Effect.andThen(Deferred.await(idle), Effect.fail(stopped(lookup.endpoint)))
          inFlight++
          return Effect.ensuring(
            lookup.ask(ids, inspection),
            Effect.suspend(() => {
              inFlight--
              return settle
            })
          )
        })
    })
  }
})

/** An error that ends the run and fails no identifier. */
const stopped = (endpoint: string): ChemError.ServiceUnavailable =>
  new ChemError.ServiceUnavailable({ endpoint, attempts: 0, message: "the run was stopped" })
