/**
 * When a request may be sent: a reference that the code around calls can provide, to limit how many of them are in flight.
 *
 * A client whose calls wait for their turn gives a place back as soon as a response has arrived, so that the next request
 * is sent before this one is read. A call that does not heed turns keeps its place to its end.
 */
import { Context, type Effect } from "effect"

/**
 * Runs a request when it is its turn. It succeeds when the body of a success has arrived, and what it succeeds with has yet
 * to be read: so another request can be sent before that.
 */
export type RequestGate = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * The turns of the requests of the calls made in its scope. By default none waits.
 *
 * @example
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
