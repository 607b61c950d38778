/** The options, signals, states and errors of the availability of a service. */
import { Context, Data, type Duration, type Effect } from "effect"

/** When a service counts as unavailable, and how long calls wait for it. */
export interface Options {
  /**
   * How long calls wait for an unavailable service. 0: calls do not wait. Default: 1 minute for a run, 0 for
   * calls of a client.
   */
  readonly wait?: Duration.Input | undefined
  /** The time between the first two probes. It doubles up to `longestProbe`. Default: 1 second. */
  readonly firstProbe?: Duration.Input | undefined
  /** The longest time between two probes. Default: 5 seconds. */
  readonly longestProbe?: Duration.Input | undefined
  /**
   * After this many refusals by a gateway, without any other response, the service is unavailable. Default: 20.
   */
  readonly refusals?: number | undefined
  /** What to do when the wait is over: stop the run, or fail calls until the service is back. Default: `"stop"`. */
  readonly after?: "stop" | "fail" | undefined
}

/**
 * What a failed attempt says about the service.
 *
 * - `responded`: the service responded, well or badly.
 * - `{ throttled }`: the service responded, and requests a wait of this many milliseconds.
 * - `unreachable`: the connection failed or broke off. The service is unavailable if it was reached before.
 * - `unavailable`: a gateway responded for the service (502, 503, 504).
 * - `refused`: a gateway refused this one request, e.g. a 403 with an HTML page.
 * - `unclear`: nothing, e.g. a response that came too late.
 * - `unsent`: nothing, because no request was sent. A waiting call fails with this error.
 */
export type Signal =
  | "responded"
  | { readonly throttled: number }
  | "unreachable"
  | "unavailable"
  | "refused"
  | "unclear"
  | "unsent"

/** The state of a service. */
export type State = "available" | "throttled" | "unavailable"

/** The service was unavailable for longer than `wait`. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<{
  /** Whether the run stops, or only the call fails (`after`). */
  readonly stops: boolean
  readonly message: string
}> {}

/** Classifies the errors of a call, and makes its probes. `index` numbers the probes from 0. */
export interface Call<E, R> {
  readonly signal: (error: E) => Signal
  readonly probe: (index: number) => Effect.Effect<unknown, E, R>
}

/** The availability of one service for one client or one run. */
export interface Availability {
  readonly state: Effect.Effect<State>
  /** Whether calls wait while the service is unavailable. */
  readonly waits: boolean
  /** Whether the service itself has ever responded. */
  readonly hasResponded: () => boolean
  /** Makes a call when the service is available, and again if it became unavailable meanwhile. */
  readonly call: <A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ) => Effect.Effect<A, E | ServiceUnavailable, R>
  /** Reports the result of an attempt at this time, in milliseconds. */
  readonly report: (signal: Signal, error: unknown, now: number) => void
  /** Whether the service has been silent too long. A call should then wait with the others instead of retrying. */
  readonly isSilent: (signal: Signal, at: number) => boolean
}

/** The call that an attempt belongs to. */
export interface Current {
  readonly availability: Availability
  /**
   * `first`: fails early while the service is silent. `repeat`: makes all its attempts. `probe`: makes a single
   * attempt.
   */
  readonly mode: "first" | "repeat" | "probe"
  /** Set by code that reports each attempt. Otherwise the call reports its result. */
  isReported: boolean
}

/** The call in whose scope an attempt is made. Default: none. */
export const Current: Context.Reference<Current | undefined> = Context.Reference<Current | undefined>(
  "@chemstream/batch/Availability",
  { defaultValue: () => undefined }
)

/** The run of an availability. `onWait` is called with 1 when a call starts to wait, and with -1 when it stops. */
export interface Run {
  /** Whether the service was reached before. Default: false. */
  readonly isReached?: boolean | undefined
  readonly onWait?: ((change: 1 | -1) => void) | undefined
}
