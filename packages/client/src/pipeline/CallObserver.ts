/**
 * Observes the calls in a scope, to count requests, retries and bytes.
 *
 * An observer does not change calls, and sees no headers of responses: `internal/attempt.ts` reads those. Default: no observer.
 */
import { Options } from "@chemstream/batch"
import { Context, Effect } from "effect"
import type { ChemError } from "../errors/ChemError.ts"

/** The events of calls. The functions must be quick and must not throw. */
export interface CallObserver {
  /** A request is about to be sent. */
  readonly onRequest: (endpoint: string) => void
  /** A call failed and will be retried after `delay` milliseconds. */
  readonly onRetry: (error: ChemError, delay: number) => void
  /** The body of a response has been read: its length in bytes after decoding, and the status. */
  readonly onBody: (endpoint: string, bytes: number, status: number) => void
  /**
   * The cache served a call: with a current entry, with the response to an equal call in flight, or, if the service
   * is down, with an expired entry.
   */
  readonly onCached?: (endpoint: string, how: "current" | "shared" | "stale") => void
}

/**
 * The observer of the calls made in its scope.
 *
 * @example
 * ```ts
 * import { CallObserver } from "@chemstream/client"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const counting = Effect.provideService(CallObserver.CallObserver, {
 *   onRequest: () => { requests++ },
 *   onRetry: () => {},
 *   onBody: () => {}
 * })
 * ```
 */
export const CallObserver: Context.Reference<CallObserver> = Context.Reference<CallObserver>(
  "@chemstream/client/CallObserver",
  { defaultValue: () => ({ onRequest: () => {}, onRetry: () => {}, onBody: () => {} }) }
)

/**
 * Makes an observer that runs each function of `inner`, then that of `outer`.
 *
 * @example
 * ```ts
 * import { CallObserver } from "@chemstream/client"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const counting = <A, E, R>(call: Effect.Effect<A, E, R>) =>
 *   Effect.updateService(call, CallObserver.CallObserver, (outer) =>
 *     CallObserver.wrap(outer, { onRequest: () => { requests++ } })
 *   )
 * ```
 */
export const wrap = (outer: CallObserver, inner: Partial<CallObserver>): CallObserver => all([inner, outer])

const observerKind = /* @__PURE__ */ Options.object("an observer")
const observersKind = /* @__PURE__ */ Options.iterable("observers")

/** Makes one observer that runs the functions of all, in this order. */
export const all = (observers: Iterable<Partial<CallObserver>>): CallObserver => {
  const list = [...Options.argument("observers", observersKind, observers)].map((one) =>
    Options.argument("observers", observerKind, one)
  )
  return {
    onRequest: (endpoint) => {
      for (const observer of list) observer.onRequest?.(endpoint)
    },
    onRetry: (error, delay) => {
      for (const observer of list) observer.onRetry?.(error, delay)
    },
    onBody: (endpoint, bytes, status) => {
      for (const observer of list) observer.onBody?.(endpoint, bytes, status)
    },
    onCached: (endpoint, how) => {
      for (const observer of list) observer.onCached?.(endpoint, how)
    }
  }
}

/** Runs `use` with a function that returns the number of requests sent by its calls. */
export const withRequestCount = <A, E, R>(
  use: (requests: () => number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let requests = 0
    const onRequest = (): void => {
      requests++
    }
    const used = Options.argument("use", Options.func, use)(() => requests)
    return Effect.updateService(
      Options.argument("the result of use", Options.effect, used),
      CallObserver,
      (outer) => wrap(outer, { onRequest })
    )
  })
