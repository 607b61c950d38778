/**
 * Lets the requests of one client through: so many in flight, so many a second, fewer when the service says so.
 *
 * First come first served; an interrupted call gives its place back. Rate and pauses live in a `RateLimiterStore`,
 * which may be shared with other processes; the number in flight is this client's own. When a call is tried again is
 * left to `retry.ts`.
 */
import { MonotonicClock } from "@chemstream/batch"
import { Context, Duration, Effect, Exit, Layer, Option, type Scope, Semaphore } from "effect"
import { RateLimiter } from "effect/persistence"
import { type ChemError, retryAfter } from "../../errors/ChemError.ts"
import { defaultInFlight, type Limits } from "../Limits.ts"

/** The wait of a 429 that names none, in milliseconds. */
const defaultPause = 1_000

/** A longer wait than this, in milliseconds, is the affair of the call that met it, not of the whole client. */
const longestPause = 600_000

/** The smallest share of the limits that is left. */
const smallestShare = 1 / 64

/** What a call that succeeds adds to the share. */
const recovery = 1 / 100

/** Sends a request when it is its turn. */
export type Limiter = <A>(request: Effect.Effect<A, ChemError>) => Effect.Effect<A, ChemError>

/** A limiter; `key` names what is limited in the store. */
export const make = (limits: Limits, key: string): Effect.Effect<Limiter, never, Scope.Scope> =>
  Effect.gen(function* () {
    const shared = yield* Effect.serviceOption(RateLimiter.RateLimiterStore)
    const store = Option.isSome(shared)
      ? shared.value
      : MonotonicClock.provideStore(
          Context.get(yield* Layer.build(RateLimiter.layerStoreMemory), RateLimiter.RateLimiterStore)
        )
    const rates = yield* Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, store)
    const inFlight = limits.inFlight ?? defaultInFlight
    const isAdaptive = limits.adaptive ?? true
    const places = yield* Semaphore.make(inFlight)
    const turnstile = yield* Semaphore.make(1)
    let share = 1
    // Only a request sent after the last slowing down can ask for another: a volley of refusals is one refusal.
    let round = 0
    let isStoreDown = false
    // Of the others that share a store nobody here knows.
    let mayBePaused = Option.isSome(shared)

    const orElseUnlimited = <A>(
      effect: Effect.Effect<A, RateLimiter.RateLimiterError>,
      instead: A
    ): Effect.Effect<A> =>
      Effect.matchEffect(effect, {
        onSuccess: (value) => {
          isStoreDown = false
          return Effect.succeed(value)
        },
        onFailure: (error) => {
          if (isStoreDown) return Effect.succeed(instead)
          isStoreDown = true
          const message =
            "the store of the rate limit does not answer: only the limit of requests in flight applies"
          return Effect.as(Effect.logWarning(message, error), instead)
        }
      })

    const resize = (next: number): Effect.Effect<void> => {
      share = next
      return places.resize(Math.max(1, Math.floor(inFlight * share)))
    }

    const about = {
      key,
      fallbackLimit: limits.requestsPerSecond ?? inFlight,
      fallbackWindow: Duration.seconds(1)
    }

    /** Waits out the pauses the service has asked for; the epoch says later which state of affairs a request met. */
    const pause: Effect.Effect<number> = Effect.suspend(() =>
      Effect.flatMap(orElseUnlimited(rates.adaptiveConsume({ ...about, tokens: 1 }), unlimited), (turn) => {
        if (Duration.isZero(turn.delay)) return Effect.succeed(turn.epoch)
        const isOver = turn.phase !== "cooldown"
        return Effect.andThen(Effect.sleep(turn.delay), isOver ? Effect.succeed(turn.epoch) : pause)
      })
    )

    const space: Effect.Effect<void> = Effect.suspend(() => {
      if (limits.requestsPerSecond === undefined) return Effect.void
      const rate = limits.requestsPerSecond * share
      // Whole milliseconds or a limit of one: other durations cannot be divided by a fraction, and the rate would be lost.
      const [limit, window] = rate < 10 ? [1, 1000 / rate] : [rate / 10, 100]
      const delay = Effect.map(
        rates.consume({
          algorithm: "token-bucket",
          onExceeded: "delay",
          key,
          limit,
          window
        }),
        (turn) => turn.delay
      )
      return Effect.flatMap(orElseUnlimited(delay, Duration.zero), (wait) =>
        Duration.isZero(wait) ? Effect.void : Effect.sleep(wait)
      )
    })

    const learn = (
      exit: Exit.Exit<unknown, ChemError>,
      admitted: { readonly epoch: number; readonly round: number }
    ): Effect.Effect<void> => {
      if (Exit.isSuccess(exit)) {
        return share === 1 || admitted.round < round ? Effect.void : resize(Math.min(1, share + recovery))
      }
      const error = Exit.findErrorOption(exit)
      const wish = Option.isSome(error) ? wishOf(error.value) : undefined
      if (wish === undefined) return Effect.void
      const slowDown =
        admitted.round < round
          ? Effect.void
          : Effect.suspend(() => {
              round++
              return resize(Math.max(smallestShare, share / 2))
            })
      if (wish === 0 || wish > longestPause) return slowDown
      mayBePaused = true
      const feedback = rates.adaptiveFeedback({
        key,
        epoch: admitted.epoch,
        tokens: 1,
        status: 429,
        retryAfter: Duration.millis(wish)
      })
      return Effect.andThen(slowDown, orElseUnlimited(feedback, undefined))
    }

    // The look at the pauses comes last: one may have begun while the request waited for its time.
    const turn = Effect.andThen(space, isAdaptive ? pause : Effect.succeed(0))

    const mayWait = (): boolean => limits.requestsPerSecond !== undefined || (isAdaptive && mayBePaused)

    return (request) => {
      const send = (epoch: number) => {
        const admitted = { epoch, round }
        return isAdaptive ? Effect.onExit(request, (exit) => learn(exit, admitted)) : request
      }
      return places.withPermit(
        Effect.suspend(() =>
          mayWait() ? Effect.flatMap(turnstile.withPermit(turn), send) : send(unlimited.epoch)
        )
      )
    }
  })

const unlimited: RateLimiter.AdaptiveConsumeResult = { delay: Duration.zero, epoch: 0, phase: "inactive" }

/** How long everybody should wait, in milliseconds; `undefined` where a failure asks for no slowing down. */
const wishOf = (error: ChemError): number | undefined => {
  if (error._tag === "RateLimited") return retryAfter(error) || defaultPause
  if (error._tag === "ServiceFailure" && error.status === 503) return retryAfter(error) ?? 0
  return undefined
}
