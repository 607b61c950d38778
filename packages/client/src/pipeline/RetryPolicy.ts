/**
 * The retry policy of a client: when a failed call is retried.
 *
 * It is exponential back-off with jitter and bounds on delay, attempts and time. It obeys `Retry-After` (`errors/internal/retryAfter.ts`
 * reads it). Which calls are retried is decided elsewhere: `errors/internal/responseErrors.ts` makes an error of each status, and
 * `ChemError.ts` says which errors are `retryable`. `Limits.ts` slows other calls down; the stream package splits batches.
 */
import { Options } from "@chemstream/batch"
import { Duration, Schedule } from "effect"
import { type ChemError, retryAfter } from "../errors/ChemError.ts"

/** Some numbers of a retry policy. The others have their defaults. */
export interface Settings {
  /** The largest number of attempts, with the first. Default: 5. */
  readonly attempts?: number | undefined
  /**
   * The largest first delay. The largest delay doubles with each attempt; the smallest is always half of `baseDelay`.
   * Default: 500 milliseconds.
   */
  readonly baseDelay?: Duration.Input | undefined
  /** The largest delay. Default: 1 minute. */
  readonly maxDelay?: Duration.Input | undefined
  /** No attempt starts later than this after the first. A longer `Retry-After` ends the call. Default: 10 minutes. */
  readonly maxElapsed?: Duration.Input | undefined
}

/** A retry policy in numbers. */
export type RetryPolicy = { readonly [Name in keyof Settings]-?: Exclude<Settings[Name], undefined> }

/**
 * Retries as a schedule of Effect. As with numbers, an error that is not `retryable` ends the call, and `Retry-After`
 * is the smallest delay.
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

/** A failed attempt. */
export interface State {
  /** The number of attempts so far. */
  readonly attempt: number
  /** Milliseconds since the first attempt was sent, without the time in the queue before it. */
  readonly elapsed: number
  /** The jitter: a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: number
}

/**
 * A custom retry policy. Returns the wait before the next attempt; undefined: no attempt. Its result overrides
 * `retryable` and `Retry-After`. Start from `nextDelay`.
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

/** When a failed call is retried: the number of attempts, some numbers of a policy, a schedule or a function. */
export type Retries = number | Settings | Delays | Decide

/** The declaration of a policy. */
export const optionSet = Options.set<Settings>()({
  attempts: Options.withDefault(Options.countOrInfinity, 5),
  baseDelay: Options.withDefault(Options.time("finite"), "500 millis"),
  maxDelay: Options.withDefault(Options.time("infinite"), "1 minute"),
  maxElapsed: Options.withDefault(Options.time("infinite"), "10 minutes")
})

/** The kinds of policies. */
export const retries: Options.Kind<Retries> = Options.anyOf(
  Options.func,
  Options.kind<Delays>("a schedule", Schedule.isSchedule),
  Options.countOrInfinity,
  optionSet
)

/**
 * Makes a policy from some settings and the defaults.
 *
 * @example
 * ```ts
 * import { RetryPolicy } from "@chemstream/client"
 *
 * RetryPolicy.make({ attempts: 3 }).attempts // => 3
 * ```
 */
export const make = (settings: Settings): RetryPolicy =>
  Options.complete(optionSet, Options.argument("settings", optionSet, settings))

/** A policy with all of its numbers, a schedule or a function. */
export type Complete = RetryPolicy | Delays | Decide

/** Returns a policy with all of its numbers. */
export const complete = (given: Retries): Complete => {
  if (typeof given === "number") return make({ attempts: given })
  return typeof given === "function" || Schedule.isSchedule(given) ? given : make(given)
}

const stateSet = /* @__PURE__ */ Options.set<State>()({
  attempt: Options.required(Options.amount),
  elapsed: Options.required(Options.amount),
  random: Options.required(Options.amount)
})

/** Five attempts within ten minutes. Delays are at least 0.25 s, and at most 0.5 s, 1 s, 2 s and 4 s. */
export const defaultPolicy: RetryPolicy = make({})

/** Sends every call once. */
export const never: RetryPolicy = make({ attempts: 1 })

/**
 * Returns the wait before the next attempt in milliseconds. Undefined: no attempt.
 *
 * The wait is at least `Retry-After`. `Retry-After: 0` still has the delay of the policy.
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
  const pause = retryAfter(error) ?? 0
  Options.argument("policy", optionSet, policy)
  Options.argument("state", stateSet, state)
  if (!error.retryable || state.attempt >= policy.attempts) return undefined
  const baseDelay = Duration.toMillis(policy.baseDelay)
  const ceiling = Math.min(
    Duration.toMillis(policy.maxDelay),
    baseDelay * 2 ** Math.max(0, state.attempt - 1)
  )
  const floor = Math.min(ceiling, baseDelay / 2)
  const delay = Math.max(pause, floor + state.random * (ceiling - floor))
  return state.elapsed + delay > Duration.toMillis(policy.maxElapsed) ? undefined : delay
}
