/**
 * How fast a client asks: requests a second and in flight, and the slowing down of the whole client when the service
 * asks for it. Only the settings; the limiter itself is `internal/limiter.ts`.
 *
 * One client is one limiter. Several processes share the rate and the pauses when a `RateLimiterStore`
 * (`effect/persistence`) is in the context the client is made in, e.g. `RateLimiter.layerStoreRedis()`; the number in
 * flight and its recovery stay each client's own. A store that does not answer is logged, and limits nothing meanwhile.
 */

/** The limits of a client. */
export interface Limits {
  /**
   * Requests a second, above 0, evenly spaced: no more than a tenth of a second's worth goes out at once.
   * Default: as `Dialect.pace` says.
   */
  readonly requestsPerSecond?: number | undefined
  /** Requests in flight, 1 or more; 32 when not given. Further calls wait, first come first served. */
  readonly inFlight?: number | undefined
  /**
   * Whether a 429 or 503 slows the whole client; true when not given.
   *
   * Then all calls wait for its `Retry-After` (a second where a 429 names none), the service's rate is learned from
   * what it let through, and both limits are halved, down to 1/64, to recover by a hundredth of the full limits with
   * each call that succeeds. A `Retry-After` of more than ten minutes makes nobody wait but the call that met it.
   */
  readonly adaptive?: boolean | undefined
}

/** Requests in flight when not set. */
export const defaultInFlight = 32
