/**
 * Limits how many requests are in flight: a reference that callers provide to the calls in their scope.
 *
 * A call that uses the gate holds it until its response has arrived, so the next request is sent before this
 * response is read. A call that does not use the gate holds its slot until it ends.
 */
import { Context, type Effect } from "effect"

/**
 * Runs a request when it may be sent.
 *
 * It succeeds when the body of a response has arrived, not when it has been read, so that the next request can be
 * sent.
 */
export type RequestGate = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * The gate of the requests in its scope. Default: no limit.
 *
 * @example
 *
 * ```ts
 * import { RequestGate } from "@chemstream/batch"
 * import { Effect, Semaphore } from "effect"
 *
 * const places = Semaphore.makeUnsafe(2)
 * const twoAtATime = Effect.provideService(RequestGate.RequestGate, (request) => places.withPermit(request))
 * ```
 */
export const RequestGate: Context.Reference<RequestGate> = Context.Reference<RequestGate>(
  "@chemstream/batch/RequestGate",
  {
    defaultValue: () => (request) => request
  }
)
