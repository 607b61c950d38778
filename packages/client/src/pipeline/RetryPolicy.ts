/**
 * When a failed call is tried again, as a value: the one retry policy of the client.
 *
 * Exponential back-off with jitter, capped delay, bounded attempts and bounded time; a `Retry-After` is obeyed.
 * Which failures are worth it the error itself says (`retryable`): never a 4xx other than 408, 425 and 429. Slowing the
 * other calls down is left to `Limits.ts`, splitting a batch to the stream package.
 */
import { InvalidOption } from "@chemstream/batch"
import { Duration, Schedule } from "effect"
import { type ChemError, retryAfter } from "../errors/ChemError.ts"

/** A retry policy in figures. */
export interface RetryPolicy {
  /** How often a call is sent at most, the first time included. */
  readonly attempts: number
  /** The ceiling of the first delay, which doubles with each further attempt; half of it is the floor of every delay. */
  readonly baseDelay: Duration.Input
  /** The ceiling of every delay. */
  readonly maxDelay: Duration.Input
  /** No attempt starts later than this after the first: a longer `Retry-After` ends the call. */
  readonly maxElapsed: Duration.Input
}

/**
 * Retries as a schedule of Effect, which says how often and after which delays. As with figures, an error that a retry cannot
 * help (`retryable`) ends the call, and a `Retry-After` is the least delay.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Schedule } from "effect"
 *
 * const layer = ChemClient.layerConfig({
 *   retry: Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 3 }))
 * })
 * ```
 */
export type Delays = Schedule.Schedule<unknown, ChemError>

/** What is known when a call has failed. */
export interface State {
  /** How often the call was sent so far. */
  readonly attempt: number
  /** Milliseconds since the call was sent first, not counting how long it queued for that. */
  readonly elapsed: number
  /** A number from 0 (included) to 1 (excluded), the jitter. */
  readonly random: number
}

/**
 * A retry policy of the user's own: the wait before the next attempt, or `undefined` when there is none. Its answer is final, `retryable` and `Retry-After` included; `nextDelay` is there to start from.
 *
 * @example
 * ```ts
 * import { RetryPolicy } from "@chemstream/client"
 *
 * const patientWithLimits: RetryPolicy.Decide = (error, state) =>
 *   error._tag === "RateLimited" ? "5 seconds" : RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, error, state)
 * ```
 */
export type Decide = (error: ChemError, state: State) => Duration.Input | undefined

/** When a failed call is sent again: figures, a schedule or a function. */
export type Retries = RetryPolicy | Delays | Decide

/** Five attempts: delays of 0.25 s to at most 0.5 s, 1 s, 2 s and 4 s, within ten minutes. */
export const defaultPolicy: RetryPolicy = {
  attempts: 5,
  baseDelay: "500 millis",
  maxDelay: "1 minute",
  maxElapsed: "10 minutes"
}

/**
 * A policy with some settings replaced.
 *
 * @example
 * ```ts
 * import { RetryPolicy } from "@chemstream/client"
 *
 * RetryPolicy.make({ attempts: 3 }).attempts // => 3
 * ```
 */
export const make = (settings: Partial<RetryPolicy>): RetryPolicy => ({ ...defaultPolicy, ...settings })

/** Every call is sent once. */
export const never: RetryPolicy = make({ attempts: 1 })

/**
 * The wait before the next attempt in milliseconds, or `undefined` when there is none.
 *
 * A `Retry-After` is a floor, below which the policy's own delay still applies: `Retry-After: 0` waits, too.
 *
 * @example
 * ```ts
 * import { ChemError, RetryPolicy } from "@chemstream/client"
 *
 * const error = new ChemError.ServiceFailure({ endpoint: "details.byDtxsid", attempts: 1, status: 503, message: "" })
 * RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, error, { attempt: 2, elapsed: 700, random: 0.5 }) // => 625
 * ```
 */
export const nextDelay = (policy: RetryPolicy, error: ChemError, state: State): number | undefined => {
  if (!error.retryable || state.attempt >= policy.attempts) return undefined
  const baseDelay = Duration.toMillis(policy.baseDelay)
  const ceiling = Math.min(
    Duration.toMillis(policy.maxDelay),
    baseDelay * 2 ** Math.max(0, state.attempt - 1)
  )
  const floor = Math.min(ceiling, baseDelay / 2)
  const delay = Math.max(retryAfter(error) ?? 0, floor + state.random * (ceiling - floor))
  return state.elapsed + delay > Duration.toMillis(policy.maxElapsed) ? undefined : delay
}

/** Checks retries; `name` is the option that holds them. */
export const checks = (name: string, retries: Retries | undefined): ReadonlyArray<InvalidOption.Check> =>
  retries === undefined || typeof retries === "function" || Schedule.isSchedule(retries)
    ? []
    : [
        InvalidOption.count(`${name}.attempts`, retries.attempts, "infinite"),
        InvalidOption.time(`${name}.baseDelay`, retries.baseDelay, "finite"),
        InvalidOption.time(`${name}.maxDelay`, retries.maxDelay, "infinite"),
        InvalidOption.time(`${name}.maxElapsed`, retries.maxElapsed, "infinite")
      ]
