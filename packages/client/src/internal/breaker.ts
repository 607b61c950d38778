/**
 * Keeps calls from a service that is down: after some failures in a row nothing is sent for a while, then one call
 * tries.
 *
 * Never waits: a call that is not sent fails with `CircuitOpen`, and `retry.ts` waits for it. The circuit lives in a
 * `CircuitBreakerStore`, which may be shared with other processes.
 */
import { Context, Duration, Effect, Exit, Layer, Option, Schedule, type Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import * as ChemError from "../ChemError.ts"
import { defaults, type CircuitBreaker as Settings } from "../CircuitBreaker.ts"
import * as MonotonicClock from "../MonotonicClock.ts"

/** How soon a call asks again while another one tries the service, in milliseconds. */
const probeWait = 500

/** Sends a request to an endpoint, if the circuit lets it, and counts what comes of it. */
export type Breaker = <A>(
  endpoint: string,
  request: Effect.Effect<A, ChemError.ChemError>
) => Effect.Effect<A, ChemError.ChemError>

/** The breaker that lets everything through. */
export const none: Breaker = (_, request) => request

/** A breaker; `key` names its circuit in the store. */
export const make = (settings: Settings, key: string): Effect.Effect<Breaker, never, Scope.Scope> =>
  Effect.gen(function* () {
    const shared = yield* Effect.serviceOption(CircuitBreaker.CircuitBreakerStore)
    const store = Option.isSome(shared)
      ? shared.value
      : MonotonicClock.provideStore(
          Context.get(
            yield* Layer.build(CircuitBreaker.layerStoreMemory()),
            CircuitBreaker.CircuitBreakerStore
          )
        )
    const longest = Schedule.spaced(settings.maxOpenFor ?? defaults.maxOpenFor)
    const breaker = yield* Effect.provideService(
      CircuitBreaker.make({
        tripPolicy: CircuitBreaker.consecutive(settings.failures ?? defaults.failures),
        openDuration: Schedule.min([Schedule.exponential(settings.openFor ?? defaults.openFor), longest])
      }),
      CircuitBreaker.CircuitBreakerStore,
      store
    )
    let lastFailure = "the service did not answer"

    const refuse = (endpoint: string, retryAfter: number): ChemError.CircuitOpen =>
      new ChemError.CircuitOpen({
        endpoint,
        attempts: 0,
        retryAfter,
        message: `nothing is sent for another ${(retryAfter / 1000).toFixed(1)} s, because the last calls failed: ${lastFailure}`
      })

    return (endpoint, request) =>
      request.pipe(
        breaker.execute({
          key,
          classify: (exit) => {
            const outcome = classify(exit)
            const error = Exit.findErrorOption(exit)
            if (outcome._tag === "Failure" && Option.isSome(error)) lastFailure = error.value.message
            return outcome
          }
        }),
        Effect.catchTag("CircuitBreakerError", ({ reason }) => {
          switch (reason._tag) {
            case "CircuitOpen":
              return Effect.fail(refuse(endpoint, Duration.toMillis(reason.retryAfter)))
            case "CircuitHalfOpen":
              return Effect.fail(refuse(endpoint, probeWait))
            case "CircuitBreakerStoreError":
              // Does not happen: a store that fails lets calls through, and Effect logs it.
              return Effect.die(reason)
          }
        })
      )
  })

const classify = (exit: Exit.Exit<unknown, ChemError.ChemError>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  const error = Exit.findErrorOption(exit)
  if (Option.isNone(error)) return CircuitBreaker.ignored
  switch (error.value._tag) {
    case "ServiceFailure":
    case "ConnectionFailed":
    case "RequestTimeout":
      return CircuitBreaker.failure()
    case "MalformedResponse":
    case "CircuitOpen":
      return CircuitBreaker.ignored
    default:
      return CircuitBreaker.success
  }
}
