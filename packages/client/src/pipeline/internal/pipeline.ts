/**
 * Puts the steps of the calls of a client together, outermost first: observation, the wait for an unavailable service, cache,
 * retries, the limits of the caller and of the client, the attempt.
 *
 * A request counts as in flight until its body has arrived. While the body is read, the next request can be sent.
 */

import { Availability, Metrics, RequestGate } from "@chemstream/batch"
import { type Context, Duration, Effect, Schedule } from "effect"
import * as ChemError from "../../errors/ChemError.ts"
import type { Limits } from "../Limits.ts"
import type { ResponseCache } from "../ResponseCache.ts"
import { type Complete, defaultPolicy } from "../RetryPolicy.ts"
import { type Settings as AttemptSettings, attempt } from "./attempt.ts"
import * as responseCache from "./cachedCalls.ts"
import { observe } from "./callTelemetry.ts"
import type { Call, CallResponse, Run } from "./pipelineCall.ts"
import * as limiter from "./requestLimiter.ts"
import { retry } from "./retry.ts"

/** The settings of the steps of a client. */
export interface Settings extends AttemptSettings {
  readonly retry: Complete
  readonly limits: Limits
  /** The dialect of requests. It is part of the key of the cache. */
  readonly dialect: string
  /** Undefined: no cache. */
  readonly cache: ResponseCache | undefined
  /** How long calls wait outside a run, and the default of runs. */
  readonly availability: Availability.Options | undefined
}

/** The steps of the calls of one client. */
export interface Pipeline {
  readonly run: Run
  /** The availability of the service. The runs of the client share it. */
  readonly availability: Availability.Availability
}

/** The longest wait that a call outside a run makes if the service asks for it: as long as the default policy retries. */
const longestPause = 600_000

/**
 * Returns the waits of a call outside a run if the service asks for one without a time: twice those of its policy, or none,
 * since a schedule or a function of the user has its own.
 */
const waitsOf = (policy: Complete): Pick<Availability.Patience, "firstProbe" | "longestProbe"> => {
  const hasOwn = typeof policy === "function" || Schedule.isSchedule(policy)
  const millis = (delay: Duration.Input): number => (hasOwn ? 0 : 2 * Duration.toMillis(delay))
  const { baseDelay, maxDelay } = hasOwn ? defaultPolicy : policy
  return { firstProbe: millis(baseDelay), longestProbe: millis(maxDelay) }
}

/** Makes the steps of a client. */
export const make = (settings: Settings): Effect.Effect<Pipeline> =>
  Effect.gen(function* () {
    const limit = yield* limiter.make(settings.limits, `chemstream:${settings.address}`)
    const availability = Availability.make(settings.availability)
    const patience = Availability.patience({
      ...settings.availability,
      wait: settings.availability?.wait ?? 0
    })
    // Calls outside a run wait for an unavailable service only if the settings say so, but always for one that asks to wait.
    const isPatient = patience.wait > 0
    const own = waitsOf(settings.retry)
    const impatient = {
      ...patience,
      firstProbe: Math.min(patience.firstProbe, own.firstProbe),
      longestProbe: Math.min(patience.longestProbe, own.longestProbe),
      pause: longestPause
    }
    const limits = { patience: isPatient ? patience : impatient, isPatient }

    const send = <A>(call: Call<A>): Effect.Effect<CallResponse<A>, ChemError.ChemError> =>
      Effect.flatMap(Availability.Current, (run) =>
        retry(settings.retry, run, (number, onSent) => {
          const once = Effect.flatMap(Availability.Current, (current) => {
            const request = Effect.andThen(onSent, attempt(settings, call, number))
            return Effect.flatMap(RequestGate.RequestGate, (callerGate) =>
              // A run or the code below has set it.
              Effect.flatten(callerGate(limit(request, current as Availability.Current, call.endpoint)))
            )
          })
          // A run waits for the service itself.
          return run === undefined ? whileUnavailable(once, call.endpoint) : once
        })
      )

    /** Repeats a request outside a run while the service is unavailable. */
    const whileUnavailable = <A>(
      request: Effect.Effect<A, ChemError.ChemError>,
      endpoint: string
    ): Effect.Effect<A, ChemError.ChemError> =>
      Effect.contextWith((context: Context.Context<never>) =>
        availability.attempt(
          request,
          { signal: ChemError.signal, probe: () => request },
          { ...limits, onWait: (change, reason) => Metrics.recordWait(change, reason, context) }
        )
      ).pipe(
        Effect.mapError((error) => ChemError.unavailable(endpoint, error)),
        Effect.flatMap((attempted) => {
          if (attempted._tag === "Success") return Effect.succeed(attempted.value)
          const { error, fate } = attempted
          return fate === "again" || fate === "outage"
            ? whileUnavailable(request, endpoint)
            : Effect.fail(error)
        })
      )

    const callWithoutCache: Run = (call) => Effect.map(send(call), ({ value }) => value)
    const callWithCache =
      settings.cache === undefined
        ? callWithoutCache
        : responseCache.make(`${settings.dialect} ${settings.address}`, settings.cache, send)

    const run: Run = (call) =>
      observe(
        call,
        Effect.flatMap(Availability.Current, (current) =>
          current?.mode === "probe" ? callWithoutCache(call) : callWithCache(call)
        )
      )
    return { run, availability }
  })
