/**
 * Limits the requests of one client: in flight and per second, and fewer when the service throttles.
 *
 * Calls wait in order, and an interrupted call frees its place. Rate and pauses are in a `RateLimiterStore`, which
 * processes may share. The number in flight is this client's own. `retry.ts` retries calls.
 */
import { MonotonicClock } from "@chemstream/batch"
import { Context, Duration, Effect, Exit, Layer, Option, type Scope, Semaphore } from "effect"
import { RateLimiter } from "effect/persistence"
import { type ChemError, retryAfter } from "../../errors/ChemError.ts"
import { defaultInFlight, type Limits } from "../Limits.ts"

/** The wait after a 429 without `Retry-After`, in milliseconds. */
const defaultPause = 1_000

/** The longest wait of the whole client, in milliseconds. A longer one delays only its own call. */
const longestPause = 600_000

/** The smallest share of the limits that throttling leaves. */
const smallestShare = 1 / 64

/** The share that a successful call restores. */
const recovery = 1 / 100

/** Sends a request when the limits allow it. */
export type Limiter = <A>(request: Effect.Effect<A, ChemError>) => Effect.Effect<A, ChemError>

/** Makes a limiter. `key` names it in the store. */
export const make = (limits: Limits, key: string): Effect.Effect<Limiter, never, Scope.Scope> =>
  Effect.gen(function* () {
    const shared = yield* Effect.serviceOption(RateLimiter.RateLimiterStore)
    const rates = yield* makeRates(shared)
    const { inFlight = defaultInFlight, requestsPerSecond } = limits
    const isAdaptive = limits.adaptive ?? true
    const orElseUnlimited = makeFallback()
    const places = yield* makePlaces(inFlight)
    const turnstile = yield* Semaphore.make(1)
    // Another process may have started a pause in a shared store.
    let mayBePaused = Option.isSome(shared)

    const adapt = (exit: Exit.Exit<unknown, ChemError>, admission: Admission): Effect.Effect<void> => {
      if (Exit.isSuccess(exit)) return places.recover(admission.round)
      const error = Exit.findErrorOption(exit)
      const pauseMillis = Option.isSome(error) ? requestedPause(error.value) : undefined
      if (pauseMillis === undefined) return Effect.void
      const slowDown = places.halve(admission.round)
      if (pauseMillis === 0 || pauseMillis > longestPause) return slowDown
      mayBePaused = true
      const feedback = rates.adaptiveFeedback({
        key,
        epoch: admission.epoch,
        tokens: 1,
        status: 429,
        retryAfter: Duration.millis(pauseMillis)
      })
      return Effect.andThen(slowDown, orElseUnlimited(feedback, undefined))
    }

    const rateDelay =
      requestsPerSecond === undefined
        ? Effect.void
        : waitForRate(rates, orElseUnlimited, key, () => requestsPerSecond * places.share())
    const pauses = waitForPauses(rates, orElseUnlimited, {
      key,
      fallbackLimit: requestsPerSecond ?? inFlight,
      fallbackWindow: Duration.seconds(1)
    })
    // Pauses are checked last, because one may have begun while the request waited for the rate.
    const turn = Effect.andThen(rateDelay, isAdaptive ? pauses : Effect.succeed(0))

    const mayWait = (): boolean => requestsPerSecond !== undefined || (isAdaptive && mayBePaused)

    return (request) => {
      const send = (epoch: number) => {
        const admission = { epoch, round: places.round() }
        return isAdaptive ? Effect.onExit(request, (exit) => adapt(exit, admission)) : request
      }
      return places.withPlace(
        Effect.suspend(() =>
          mayWait() ? Effect.flatMap(turnstile.withPermit(turn), send) : send(unlimited.epoch)
        )
      )
    }
  })

/** Limits rates over the shared store, or else over one in memory. */
const makeRates = Effect.fnUntraced(function* (
  shared: Option.Option<RateLimiter.RateLimiterStore["Service"]>
) {
  const store = Option.isSome(shared)
    ? shared.value
    : MonotonicClock.provideStore(
        Context.get(yield* Layer.build(RateLimiter.layerStoreMemory), RateLimiter.RateLimiterStore)
      )
  return yield* Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, store)
})

/** The epoch of the store and the round of the places when a request was sent. */
interface Admission {
  readonly epoch: number
  readonly round: number
}

/** The places of requests in flight. Throttling halves their number; each success restores a part. */
interface Places {
  readonly withPlace: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** The share of the limits that is in use, at most 1. */
  readonly share: () => number
  /** The number of halvings so far. */
  readonly round: () => number
  /** Halves the share, unless it was halved after the round. */
  readonly halve: (round: number) => Effect.Effect<void>
  /** Restores a part of the share, unless it was halved after the round. */
  readonly recover: (round: number) => Effect.Effect<void>
}

const makePlaces = (inFlight: number): Effect.Effect<Places> =>
  Effect.map(Semaphore.make(inFlight), (places) => {
    let share = 1
    // A burst of 429s halves the limits only once: requests sent before the last halving do not count.
    let round = 0
    const resize = (next: number): Effect.Effect<void> => {
      share = next
      return places.resize(Math.max(1, Math.floor(inFlight * share)))
    }
    return {
      withPlace: places.withPermit,
      share: () => share,
      round: () => round,
      halve: (since) =>
        since < round
          ? Effect.void
          : Effect.suspend(() => {
              round++
              return resize(Math.max(smallestShare, share / 2))
            }),
      recover: (since) => (share === 1 || since < round ? Effect.void : resize(Math.min(1, share + recovery)))
    }
  })

/** Replaces the result of a store that fails. */
type Fallback = <A>(effect: Effect.Effect<A, RateLimiter.RateLimiterError>, fallback: A) => Effect.Effect<A>

/** Logs each outage of the store once. */
const makeFallback = (): Fallback => {
  let isStoreDown = false
  return (effect, fallback) =>
    Effect.matchEffect(effect, {
      onSuccess: (value) => {
        isStoreDown = false
        return Effect.succeed(value)
      },
      onFailure: (error) => {
        if (isStoreDown) return Effect.succeed(fallback)
        isStoreDown = true
        const message =
          "the store of the rate limit failed: requests per second are unlimited until it is back; check the store"
        return Effect.as(Effect.logWarning(message, error), fallback)
      }
    })
}

type Rates = Effect.Success<typeof RateLimiter.make>

/**
 * Waits for the pauses of the service. Returns the epoch, which later tells whether the request was sent before a
 * halving.
 */
const waitForPauses = (
  rates: Rates,
  orElseUnlimited: Fallback,
  options: Omit<Parameters<Rates["adaptiveConsume"]>[0], "tokens">
): Effect.Effect<number> => {
  const wait: Effect.Effect<number> = Effect.suspend(() =>
    Effect.flatMap(orElseUnlimited(rates.adaptiveConsume({ ...options, tokens: 1 }), unlimited), (pause) => {
      if (Duration.isZero(pause.delay)) return Effect.succeed(pause.epoch)
      const isOver = pause.phase !== "cooldown"
      return Effect.andThen(Effect.sleep(pause.delay), isOver ? Effect.succeed(pause.epoch) : wait)
    })
  )
  return wait
}

/** Waits until the rate, in requests per second, allows a request. */
const waitForRate = (
  rates: Rates,
  orElseUnlimited: Fallback,
  key: string,
  currentRate: () => number
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const rate = currentRate()
    // A duration in fractions of a millisecond cannot be divided by a fraction. So the limit is 1, or the window is
    // whole.
    const [limit, window] = rate < 10 ? [1, 1000 / rate] : [rate / 10, 100]
    const delay = Effect.map(
      rates.consume({ algorithm: "token-bucket", onExceeded: "delay", key, limit, window }),
      ({ delay }) => delay
    )
    return Effect.flatMap(orElseUnlimited(delay, Duration.zero), (wait) =>
      Duration.isZero(wait) ? Effect.void : Effect.sleep(wait)
    )
  })

const unlimited: RateLimiter.AdaptiveConsumeResult = { delay: Duration.zero, epoch: 0, phase: "inactive" }

/** Returns the wait of all calls, in milliseconds. Undefined: the failure does not slow the client. */
const requestedPause = (error: ChemError): number | undefined => {
  if (error._tag === "RateLimited") return retryAfter(error) || defaultPause
  if (error._tag === "ServiceFailure" && error.status === 503) return retryAfter(error) ?? 0
  return undefined
}
