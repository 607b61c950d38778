/**
 * Limits how many requests are in flight. A caller provides the gate to the calls in its scope.
 *
 * A call that uses the gate holds it until its response has arrived. The next request is then sent before this
 * response is read. A call that does not use the gate holds its slot until the call finishes.
 */
import { Context, type Effect } from "effect"

/**
 * Runs a request when it may be sent.
 *
 * The request succeeds when the body of its response has arrived, before the body is read. Then the next
 * request can be sent.
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
  { defaultValue: () => (request) => request }
)
