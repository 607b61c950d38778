/**
 * What the errors of calls mean: checks what the caller's functions `classify` (a verdict) and `signal` return, and reads the wait that an
 * error asks for where there is no `signal`.
 */
import type * as Availability from "../../Availability.ts"
import { InvalidOption } from "../../InvalidOption.ts"
import * as Options from "../../Options.ts"
import type { Verdict } from "./callResult.ts"

/** Returns what a function of the caller returned. Throws `InvalidOption` for other values, as of a program without types. */
export const returned = <A>(option: string, { problem, wanted }: Options.Kind<A>, value: A): A => {
  if (problem(value, option) === undefined) return value
  throw new InvalidOption({ option, value, wanted: `a function that returns ${wanted}` })
}

/** The kind of the results of `classify`. */
export const verdict = /* @__PURE__ */ Options.oneOf<Verdict>(["stop", "halve", "isolate", "missing", "fail"])

/** The kind of the results of `signal`. */
export const signalKind = /* @__PURE__ */ Options.anyOf(
  Options.oneOf<Extract<Availability.Signal, string>>([
    ...(["responded", "unreachable", "unavailable", "elsewhere", "overdue"] as const),
    ...(["failed", "refused", "unclear", "unsent"] as const)
  ]),
  Options.set<Extract<Availability.Signal, object>>()({ throttled: Options.required(Options.amount) })
)

/** Returns the signal of an error by its fields `retryAfter` and `status`, which the errors of many clients have. */
export const askedWait = (error: unknown): Availability.Signal => {
  const { retryAfter, status } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly retryAfter?: unknown
    readonly status?: unknown
  }
  // Digits alone are the text of a Retry-After header, in seconds (RFC 9110, section 10.2.3).
  const isHeader = typeof retryAfter === "string" && /^\d+$/.test(retryAfter.trim())
  const wait = isHeader ? 1000 * Number(retryAfter) : Options.millisecondsOf(retryAfter)
  if (wait >= 0 && wait < Number.POSITIVE_INFINITY) return { throttled: wait }
  return status === 429 ? { throttled: 0 } : "unclear"
}
