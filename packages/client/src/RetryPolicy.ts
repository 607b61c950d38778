/**
 * When a failed call is tried again, as a value: the one retry policy of the client.
 *
 * Exponential back-off with full jitter, capped delay, bounded attempts and bounded time; a `Retry-After` is obeyed.
 * Which failures are worth it the error itself says (`retryable`): never a 4xx other than 408, 425 and 429. A
 * policy splits no batch: that is left to the stream package.
 */
import { type ChemError, retryAfter } from "./ChemError.ts"

/** A retry policy. All times in milliseconds. */
export interface RetryPolicy {
  /** How often a call is sent at most, the first time included. */
  readonly attempts: number
  /** The ceiling of the first delay; it doubles with each further attempt. */
  readonly baseDelay: number
  /** The ceiling of every delay. */
  readonly maxDelay: number
  /** No attempt starts later than this after the first: a longer `Retry-After` ends the call. */
  readonly maxElapsed: number
}

/** Five attempts: delays of up to 0.5 s, 1 s, 2 s and 4 s, within ten minutes. */
export const defaultPolicy: RetryPolicy = {
  attempts: 5,
  baseDelay: 500,
  maxDelay: 60_000,
  maxElapsed: 600_000
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
 * - `attempt`: how often the call was sent so far, from 1.
 * - `elapsed`: milliseconds since the first attempt started.
 * - `random`: a number from 0 (included) to 1 (excluded), the jitter.
 *
 * A `Retry-After` is a floor, below which the policy's own delay still applies.
 *
 * @example
 * ```ts
 * import { ChemError, RetryPolicy } from "@chemstream/client"
 *
 * const error = new ChemError.ServiceFailure({ endpoint: "details.byDtxsid", attempts: 1, status: 503, message: "" })
 * RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, error, { attempt: 2, elapsed: 700, random: 0.5 }) // => 500
 * ```
 */
export const nextDelay = (
  policy: RetryPolicy,
  error: ChemError,
  state: { readonly attempt: number; readonly elapsed: number; readonly random: number }
): number | undefined => {
  if (!error.retryable || state.attempt >= policy.attempts) return undefined
  const ceiling = Math.min(policy.maxDelay, policy.baseDelay * 2 ** (state.attempt - 1))
  const delay = Math.max(retryAfter(error) ?? 0, state.random * ceiling)
  return state.elapsed + delay > policy.maxElapsed ? undefined : delay
}
