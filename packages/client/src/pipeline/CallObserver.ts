/**
 * Who watches the calls: a reference that the code around a call can provide, to count requests, retries and bytes.
 *
 * Not for changing a call. The default watches nothing.
 */
import { Context, Effect } from "effect"
import type { ChemError } from "../errors/ChemError.ts"

/** What can be seen of calls while they run. The functions must be quick and must not throw. */
export interface CallObserver {
  /** A request is about to be sent. */
  readonly onRequest: (endpoint: string) => void
  /** A call failed and will be sent again after `delay` milliseconds. */
  readonly onRetry: (error: ChemError, delay: number) => void
  /** The body of an answer has been read: its length in bytes after content decoding, and the status. */
  readonly onBody: (endpoint: string, bytes: number, status: number) => void
  /**
   * A call is answered by the cache: by a current entry, by the answer to another call that asked the same at the same
   * time, or, where the service is down, by an entry whose time is over.
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
 * An observer that runs the functions of `own`, where it has them, and after each the one of `around`.
 *
 * @example
 * ```ts
 * import { CallObserver } from "@chemstream/client"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const counting = <A, E, R>(call: Effect.Effect<A, E, R>) =>
 *   Effect.updateService(call, CallObserver.CallObserver, (around) =>
 *     CallObserver.wrap(around, { onRequest: () => { requests++ } })
 *   )
 * ```
 */
export const wrap = (around: CallObserver, own: Partial<CallObserver>): CallObserver => all([own, around])

/** The observers as one, which runs their functions in this order. */
export const all = (observers: Iterable<Partial<CallObserver>>): CallObserver => {
  const each = [...observers]
  return {
    onRequest: (endpoint) => {
      for (const observer of each) observer.onRequest?.(endpoint)
    },
    onRetry: (error, delay) => {
      for (const observer of each) observer.onRetry?.(error, delay)
    },
    onBody: (endpoint, bytes, status) => {
      for (const observer of each) observer.onBody?.(endpoint, bytes, status)
    },
    onCached: (endpoint, how) => {
      for (const observer of each) observer.onCached?.(endpoint, how)
    }
  }
}

/** Runs `use` with a function that returns the number of requests its calls have sent so far. */
export const counted = <A, E, R>(
  use: (requests: () => number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let requests = 0
    const onRequest = (): void => {
      requests++
    }
    return Effect.updateService(
      use(() => requests),
      CallObserver,
      (around) => wrap(around, { onRequest })
    )
  })
