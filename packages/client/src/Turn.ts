/**
 * When a request may be sent: a reference that the code around calls can provide, to limit how many of them are in flight.
 *
 * Beside the client's own limits (`Limits`), which hold for all of its callers.
 */
import { Context, type Effect } from "effect"

/**
 * Runs a request when it is its turn. It succeeds when the body of a success has arrived, and what it succeeds with has yet
 * to be read: so another request can be sent before that.
 */
export type Turn = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * The turns of the requests of the calls made in its scope. By default none waits.
 *
 * @example
 * ```ts
 * import { Turn } from "@chemstream/client"
 * import { Effect, Semaphore } from "effect"
 *
 * const places = Semaphore.makeUnsafe(2)
 * const twoAtATime = Effect.provideService(Turn.Turn, (request) => places.withPermit(request))
 * ```
 */
export const Turn: Context.Reference<Turn> = Context.Reference<Turn>("@chemstream/client/Turn", {
  defaultValue: () => (request) => request
})
