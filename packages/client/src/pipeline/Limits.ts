/**
 * The limits of a client: requests per second, requests in flight, and slowing down when throttled.
 * `internal/limiter.ts` applies them.
 *
 * Each client has one limiter. Several processes share the rate and the pauses if the client is made with a
 * `RateLimiterStore` (`effect/persistence`), e.g. `RateLimiter.layerStoreRedis()`. The number in flight is each
 * client's own. If the store fails, the client logs it, and requests per second are unlimited until the store is
 * back.
 */

/** The limits of a client. */
export interface Limits {
  /** Requests per second, above 0, evenly spaced. At most a tenth are sent at once. Default: `Dialect.pace`. */
  readonly requestsPerSecond?: number | undefined
  /** Requests in flight, at least 1. Other calls wait in order. Default: 32. */
  readonly inFlight?: number | undefined
  /**
   * Whether a 429 or 503 slows the whole client. Default: true.
   *
   * If so, all calls wait for its `Retry-After`, or a second after a 429 without one. Both limits are halved, down to
   * 1/64, and the rate is set to what the service accepted. Each successful call restores a hundredth of the full
   * limits. A `Retry-After` of more than ten minutes delays only its own call.
   */
  readonly adaptive?: boolean | undefined
}

/** The default number of requests in flight. */
export const defaultInFlight = 32
