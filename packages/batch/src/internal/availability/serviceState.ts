/**
 * The state of a service (available, throttled or unavailable), and how each response changes it: the table of
 * docs/decisions/0031-one-model-of-not-now.md. A call has patience: the longest time that it waits for the service
 * (`availabilityOptions.ts`).
 *
 * Everything here is pure. `ServiceAvailability.ts` waits, probes and sends.
 */
import { Data } from "effect"
import type { Patience } from "./availabilityOptions.ts"

/**
 * What a failed attempt says about the service.
 *
 * - `responded`: the service responded, and refused the content of the request.
 * - `{ throttled }`: the service asks to wait this many milliseconds (429, or 503 with `Retry-After`). 0: it gives no
 *   time.
 * - `unreachable`: the connection failed or broke off. If the service never responded or accepted one, the address is wrong.
 * - `unavailable`: a gateway responded for the service (502, 503).
 * - `elsewhere`: another server responded: a page with status 200, or a redirect. If the service never responded, the
 *   address is wrong.
 * - `overdue`: the response came too late (a timeout, 504). The request may be too large.
 * - `failed`: the service failed (500). Its content or an outage may be the cause.
 * - `refused`: a gateway refused this one request, e.g. a 403 with an HTML page.
 * - `unclear`: nothing.
 * - `unsent`: nothing, because no request was sent.
 */
export type Signal =
  | "responded"
  | { readonly throttled: number }
  | "unreachable"
  | "unavailable"
  | "elsewhere"
  | "overdue"
  | "failed"
  | "refused"
  | "unclear"
  | "unsent"

/** The state of a service for people. */
export type State = "available" | "throttled" | "unavailable"

/** The service was unavailable for longer than `wait`, asks to wait beyond it, or the run was stopped. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<{
  readonly message: string
  /** The time until which the service asks to wait, in milliseconds since 1970. */
  readonly until?: number | undefined
}> {}

/** Why no request is sent. Times are those of the monotonic clock, in milliseconds. */
export interface Wait {
  /**
   * `doubted`: a call failed as if the service were unavailable, and a probe is due. Other calls are still sent.
   * `unavailable`: a probe has confirmed it. `throttled`: the service asks to wait.
   */
  readonly kind: "doubted" | "unavailable" | "throttled"
  /** The first refusal after the last response. */
  readonly since: number
  /** No request is sent before. Then one request is, and decides. */
  readonly until: number
  /** The failed probes, or refused trials, since then. */
  readonly failures: number
  readonly error: unknown
}

/** What is known about a service. */
export interface Service {
  /** Whether the service itself has ever responded, or accepted a connection. */
  readonly isReached: boolean
  /** The refusals by a gateway since the last response. */
  readonly refusals: number
  /** The confirmed outages so far. */
  readonly outages: number
  /** Undefined: requests are sent. */
  readonly wait: Wait | undefined
}

/** The state before the first request. */
export const unknownService: Service = { isReached: false, refusals: 0, outages: 0, wait: undefined }

/** The result of an attempt. */
export interface Report {
  readonly signal: Signal
  readonly error: unknown
  /** When the request was sent, and when its result arrived. */
  readonly sentAt: number
  readonly now: number
  /** Whether the request was the one that decides whether the wait is over. */
  readonly isTrial: boolean
}

/** Returns the state after the result of an attempt. */
export const afterAttempt = (service: Service, report: Report, patience: Patience): Service => {
  const { error, isTrial, now, sentAt, signal } = report
  const { wait } = service
  if (typeof signal === "object") {
    const failures = (wait?.failures ?? 0) + (isTrial ? 1 : 0)
    const pause = Math.max(signal.throttled, backoff(patience, failures))
    const until = Math.max(now + pause, wait?.until ?? 0)
    return {
      ...service,
      isReached: true,
      refusals: 0,
      wait: { kind: "throttled", since: wait?.since ?? now, until, failures, error }
    }
  }
  if (signal === "responded") {
    // A response to an earlier request does not shorten the time that the service asks for, nor end an outage.
    const isStale = !isTrial && wait !== undefined && sentAt < staleBefore(wait)
    return { ...service, isReached: true, refusals: 0, wait: isStale ? wait : undefined }
  }
  const next = { ...service, refusals: service.refusals + (signal === "refused" ? 1 : 0) }
  return raisesDoubt(next, signal, patience) ? doubted(next, now, error) : next
}

/** A response to a request that was sent earlier does not end the wait. */
const staleBefore = ({ kind, since, until }: Wait): number =>
  kind === "throttled" ? until : kind === "unavailable" ? since : Number.NEGATIVE_INFINITY

/**
 * Whether a probe must tell an outage from a fault of the request. `service` is the state after the attempt. A service
 * that never responded has a wrong address if no connection comes about, or another server responds.
 */
export const raisesDoubt = (
  { isReached, refusals }: Service,
  signal: Signal,
  patience: Patience
): boolean => {
  switch (signal) {
    case "unreachable":
    case "elsewhere":
      return isReached
    case "unavailable":
    case "overdue":
      return true
    case "refused":
      return refusals >= patience.refusals
    default:
      return false
  }
}

/** Returns the state after a failed probe. */
export const afterFailedProbe = (service: Service, now: number, patience: Patience): Service => {
  const { wait } = service
  if (wait === undefined) return service
  const isNew = wait.kind === "doubted"
  const failures = isNew ? 0 : wait.failures + 1
  return {
    ...service,
    outages: service.outages + (wait.kind === "unavailable" ? 0 : 1),
    wait: { ...wait, kind: "unavailable", failures, until: now + backoff(patience, failures) }
  }
}

/** Returns the state in which a probe decides whether the service is available. */
export const doubted = (service: Service, now: number, error: unknown): Service =>
  service.wait === undefined
    ? { ...service, wait: { kind: "doubted", since: now, until: now, failures: 0, error } }
    : service

/** Returns the state in which the service asks to wait, as another process has learned. */
export const paused = (service: Service, now: number, milliseconds: number): Service => {
  const { wait } = service
  const until = Math.max(now + milliseconds, wait?.until ?? 0)
  const error = wait?.error ?? "it asked another process to wait"
  return {
    ...service,
    wait: { kind: "throttled", since: wait?.since ?? now, until, failures: wait?.failures ?? 0, error }
  }
}

/** Returns the state in which an outage begins now. */
export const restarted = (service: Service, now: number): Service =>
  service.wait?.kind === "unavailable"
    ? { ...service, wait: { ...service.wait, since: now, until: now } }
    : service

/** Whether a call that waits must fail now: the wait is over, or the service asks to wait beyond it. */
export const isOver = ({ kind, since, until }: Wait, now: number, { pause, wait }: Patience): boolean =>
  kind === "throttled" ? until > now && until > since + (pause ?? wait) : now >= since + wait

const backoff = ({ firstProbe, longestProbe }: Patience, failures: number): number =>
  Math.min(longestProbe, firstProbe * 2 ** Math.min(failures, 30))
