/**
 * Sends a request of one client when its limits allow it: requests in flight, requests per second, and the pauses that
 * the service asks for.
 *
 * Calls wait in order, and an interrupted call frees its place. The pace, i.e. the learned requests per second, may be shared by processes
 * (`Pace.Store`); the number in flight is this client's own. An epoch of a pace is the time between two changes of its rate. `retry.ts` retries calls.
 */
import { Availability, Options, Pace } from "@chemstream/batch"
import { Effect, Exit, Option, Semaphore } from "effect"
import { type ChemError, isReset, pauseOf, unavailable } from "../../errors/ChemError.ts"
import { type Limits, optionSet } from "../Limits.ts"

/** Sends a request of an attempt when the limits allow it. */
export type Limiter = <A>(
  request: Effect.Effect<A, ChemError>,
  attempt: Availability.Current,
  endpoint: string
) => Effect.Effect<A, ChemError>

/** Makes a limiter. `key` names its pace in the store. */
export const make = (limits: Limits, key: string): Effect.Effect<Limiter> =>
  Effect.gen(function* () {
    const { inFlight } = Options.complete(optionSet, limits)
    const shared = yield* Pace.Store
    const store = shared ?? Pace.memory()
    const places = yield* Semaphore.make(inFlight)
    // One request at a time waits for its turn, so that they are sent in order.
    const turnstile = yield* Semaphore.make(1)
    const { learn, reserve } = paceOf(limits, key, store)

    /** Waits for the turn of a request. Returns the epoch of its pace. Undefined: the service asks to wait. */
    const turn = (attempt: Availability.Current) =>
      Effect.gen(function* () {
        for (;;) {
          if (attempt.availability.isBlocked(attempt)) return undefined
          yield* Availability.unlessStopped(Effect.void)
          const { delay, epoch, isPaused, isReserved } = yield* reserve
          // Another process was asked to wait.
          if (isPaused) yield* attempt.availability.pauseFor(delay)
          if (attempt.availability.isBlocked(attempt)) return undefined
          // The first request after a pause decides whether it is over. Clients of one store take turns with theirs.
          if (attempt.isTrial && !isPaused && shared === undefined) return epoch
          if (delay > 0)
            yield* Availability.unlessStopped(Effect.sleep(isReserved ? delay : Math.ceil(delay)))
          if (isReserved && !attempt.availability.isBlocked(attempt)) return epoch
        }
      })

    return (request, attempt, endpoint) => {
      const orUnavailable = <A>(wait: Effect.Effect<A, Availability.ServiceUnavailable>) =>
        Effect.mapError(wait, (error) => unavailable(endpoint, error))
      const send: typeof request = Effect.gen(function* () {
        // Nothing is held while the call waits for the service.
        yield* orUnavailable(attempt.availability.admit(attempt))
        const sent = yield* places.withPermit(
          Effect.gen(function* () {
            const epoch = yield* orUnavailable(turnstile.withPermit(turn(attempt)))
            if (epoch === undefined) return undefined
            const response = yield* Effect.onExit(request, (exit) => learn(exit, epoch, attempt))
            attempt.availability.recordResponse()
            return Effect.succeed(response)
          })
        )
        return yield* sent ?? send
      })
      return send
    }
  })

/** Reserves the places of a client's requests, and tells the pace what their responses mean. */
const paceOf = ({ adaptive = true, requestsPerSecond }: Limits, key: string, store: Pace.Store) => {
  /** The requests that were accepted since the last reservation, by the epoch in which they were sent. */
  let accepted: Pace.Accepted = { epoch: 0, count: 0 }
  /** The outages that are over, and the epoch of the last failed request. */
  let outages = 0
  let failedEpoch = 0

  const takeAccepted = (): Pace.Accepted => {
    const seen = accepted
    accepted = { epoch: seen.epoch, count: 0 }
    return seen
  }
  const reserve = Effect.suspend(() => {
    const seen = takeAccepted()
    return store.modify(key, (state, now) => Pace.reserve(state, now, requestsPerSecond, seen))
  })

  const learn = (
    exit: Exit.Exit<unknown, ChemError>,
    epoch: number,
    { availability, limits, sent }: Availability.Current
  ): Effect.Effect<void> => {
    if (Exit.isSuccess(exit)) {
      accepted = { epoch, count: epoch === accepted.epoch ? accepted.count + 1 : 1 }
      if (sent.outages <= outages) return Effect.void
      outages = sent.outages
      return store.modify(key, (state, now) => [Pace.afterOutage(state, now, failedEpoch), undefined])
    }
    failedEpoch = epoch
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    if (error === undefined) return Effect.void
    // A service that closes its connections is there, and may come back.
    if (error._tag === "ConnectionFailed" && isReset(error.code ?? "")) availability.recordResponse()
    const wait = pauseOf(error)
    if (wait === undefined) return Effect.void
    const isLearning = adaptive && error._tag === "RateLimited"
    const refusal: Pace.Refusal = { epoch, wait: Math.max(wait, limits.patience.firstProbe), isLearning }
    const seen = takeAccepted()
    return store.modify(key, (state, now) => [Pace.refuse(state, now, refusal, seen), undefined])
  }
  return { learn, reserve }
}
