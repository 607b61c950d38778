/**
 * When a client stops asking a service that is down. Only the settings; the breaker itself is `internal/breaker.ts`.
 *
 * Several processes share the circuit when a `CircuitBreakerStore` (`effect/persistence`) is in the context the client
 * is made in, e.g. `CircuitBreaker.layerStoreRedis()`.
 */

/**
 * The settings of a circuit breaker. Failures are a 5xx, a time-out and a connection that fails; a 4xx shows that the
 * service is there.
 */
export interface CircuitBreaker {
  /** So many failures one after the other open the circuit; 5 when not given. */
  readonly failures?: number | undefined
  /**
   * How long nothing is sent then, in milliseconds, before one call tries the service; 5,000 when not given. Doubles
   * each time that call fails, up to `maxOpenFor`.
   */
  readonly openFor?: number | undefined
  /** The longest time without a try, in milliseconds; 60,000 when not given. */
  readonly maxOpenFor?: number | undefined
}

/** The settings when not set. */
export const defaults = { failures: 5, openFor: 5_000, maxOpenFor: 60_000 } as const
