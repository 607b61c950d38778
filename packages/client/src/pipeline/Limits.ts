/**
 * The limits of a client: requests per second, requests in flight, and slowing down when throttled.
 * `internal/requestLimiter.ts` applies them.
 *
 * Each client has one limiter. Several processes share the rate and the pauses if the client is made with a
 * `Pace.Store`, e.g. `SharedRate` of `@chemstream/workflow`. The number in flight is each client's own.
 */
import { Options } from "@chemstream/batch"

/** The limits of a client. */
export interface Limits {
  /** Requests per second, above 0, evenly spaced. At most a tenth are sent at once. Default: that of the dialect (`Dialect.pace`). */
  readonly requestsPerSecond?: number | undefined
  /** Requests in flight, at least 1. Other calls wait in order. Default: 32. */
  readonly inFlight?: number | undefined
  /**
   * Whether a 429 lowers the requests per second of the whole client, until it is known what the service accepts
   * (`Pace`). Default: true.
   *
   * In any case, no call sends a request while the service asks to wait.
   */
  readonly adaptive?: boolean | undefined
}

/** The declaration of the limits. */
export const optionSet = Options.set<Limits>()({
  requestsPerSecond: Options.rate,
  inFlight: Options.withDefault(Options.count, 32),
  adaptive: Options.withDefault(Options.flag, true)
})
