/**
 * A host name that cannot be resolved at first, as on a machine whose network is not up yet, and then is this machine's.
 *
 * Node alone: `dns.lookup`, which sockets, `http`, undici and `fetch` ask, is stood in for while such a name is in scope.
 * Other names are resolved as ever.
 */
import { Effect, type Scope } from "effect"
import * as Lookup from "./internal/lateNames.ts"

/**
 * A new name, for a URL of a service on loopback; nobody can resolve it for so many milliseconds from now.
 *
 * @example
 * ```ts
 * import { FaultProxy, LateName, Scenario } from "@chemstream/faults"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { url } = yield* FaultProxy.make({
 *     scenario: Scenario.calm,
 *     upstream: () => ({ status: 200, headers: {}, body: Buffer.from("here") })
 *   })
 *   const name = yield* LateName.make(2_000)
 *   const ask = Effect.promise(() =>
 *     fetch(url.replace("127.0.0.1", name)).then(
 *       (response) => response.text(),
 *       (error) => error.cause.code
 *     )
 *   )
 *   return [yield* ask, yield* Effect.delay(ask, 2_100)]
 * })
 * await Effect.runPromise(Effect.scoped(program)) // => ["EAI_AGAIN", "here"]
 * ```
 */
export const make = (forMillis: number): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => Lookup.add(forMillis)),
    (name) => Effect.sync(() => Lookup.remove(name))
  )
