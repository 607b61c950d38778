/**
 * An attempt of a call, i.e. one request: what it needs (`Call`, `Limits`), its context (`Current`) and its result (`Attempted`).
 * `Availability` is the port that makes attempts; `ServiceAvailability.ts` implements it.
 */
import { Context, type Effect } from "effect"
import type { WaitReason } from "../../Metrics.ts"
import type { Options, Patience } from "./availabilityOptions.ts"
import type { ServiceUnavailable, Signal, State } from "./serviceState.ts"

/** Classifies the errors of a call, and makes its probes. `index` numbers the probes from 0. */
export interface Call<E, R> {
  readonly signal: (error: E) => Signal
  readonly probe: (index: number) => Effect.Effect<unknown, E, R>
}

/** How long the calls of a run or a client wait. */
export interface Limits {
  readonly patience: Patience
  /** Whether calls wait at all. If not, each fails with its own error. Default: true. */
  readonly isPatient?: boolean | undefined
  /** Called with 1 when a call starts to wait, and with -1 when it stops. */
  readonly onWait?: ((change: 1 | -1, reason: WaitReason) => void) | undefined
}

/**
 * The result of an attempt.
 *
 * - `own`: the service is available, so the failure is about the request.
 * - `smaller`: the same, and the request was too slow: a smaller one may succeed.
 * - `again`: the service asks to wait; the request itself was not judged.
 * - `outage`: the service was unavailable while the request was in flight, and is back.
 */
export type Attempted<A, E> =
  | { readonly _tag: "Success"; readonly value: A }
  | {
      readonly _tag: "Failure"
      readonly error: E
      readonly signal: Signal
      readonly fate: "own" | "smaller" | "again" | "outage"
      /** The wait before the next attempt, if the call's own policy would make one, in milliseconds. */
      readonly retryDelay: number | undefined
    }

/** The availability of one service. Its clients and runs share it. It is mutable state. */
export interface Availability {
  readonly state: Effect.Effect<State>
  /** How long the calls of runs wait that have no options of their own. Default: that of runs. */
  readonly forRuns: Options | undefined
  /** The milliseconds that the service asks to wait from now on. 0: it does not. */
  readonly pause: Effect.Effect<number>
  /** Whether the service itself has ever responded, or accepted a connection. */
  readonly hasResponded: () => boolean
  /** Records that a response has arrived, before it is read, or that the service has closed a connection. */
  readonly recordResponse: () => void
  /** Treats the service as available until a call finds otherwise. */
  readonly forget: () => void
  /** Pauses requests for some milliseconds, because another process was asked to wait. */
  readonly pauseFor: (milliseconds: number) => Effect.Effect<void>
  /**
   * Makes an attempt, and tells what its failure means. The request waits until the service may get it: it calls
   * `admit` with its `Current`, which also has `failures`.
   */
  readonly attempt: <A, E, R>(
    request: Effect.Effect<A, E, R>,
    call: Call<E, R>,
    limits: Limits,
    failures?: number
  ) => Effect.Effect<Attempted<A, E>, ServiceUnavailable, R>
  /** Probes the service, and waits while it is unavailable. Returns whether it was available. */
  readonly verify: <E, R>(
    call: Call<E, R>,
    error: unknown,
    limits: Limits
  ) => Effect.Effect<boolean, ServiceUnavailable, R>
  /** Waits until the request of an attempt may be sent. One request at a time decides whether a wait is over. */
  readonly admit: (current: Current) => Effect.Effect<void, ServiceUnavailable>
  /** Whether the request of an attempt may not be sent now. */
  readonly isBlocked: (current: Current) => boolean
  /** Whether a failure with this signal is judged by `attempt`: the service asks to wait, or may be unavailable. */
  readonly judges: (signal: Signal, limits: Limits) => boolean
}

/** The attempt in whose scope a request is made. */
export interface Current {
  readonly availability: Availability
  readonly limits: Limits
  readonly call: Call<unknown, never>
  /** A probe makes a single attempt, without a cache. */
  readonly mode: "call" | "probe"
  /**
   * The failed requests before this one that carried the same key. The call may make the remaining attempts of its
   * policy. Undefined: it makes a single attempt, because the run splits or repeats it.
   */
  readonly failures?: number | undefined
  /** Set by a call that makes a single attempt: the wait before the next one, in milliseconds. */
  retryDelay?: number | undefined
  /** The state of the service when the request was admitted. */
  sent: { readonly at: number; readonly outages: number; readonly responses: number }
  /** Whether this request decides whether a wait is over. */
  isTrial: boolean
  /** Set by code that gets the result without a request, e.g. from a cache. */
  isUnsent: boolean
}

/** The attempt in whose scope a request is made. Default: none. */
export const Current: Context.Reference<Current | undefined> = Context.Reference<Current | undefined>(
  "@chemstream/batch/Availability",
  { defaultValue: () => undefined }
)
