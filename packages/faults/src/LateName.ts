/**
 * A host name that does not resolve at first, as before the network is up, and then resolves to loopback.
 *
 * For Node only. While such a name exists, it replaces `dns.lookup`, which sockets, `http`, undici and `fetch` use.
 * Other names resolve as before.
 */
import { Duration, Effect, type Scope } from "effect"
import { argument } from "./internal/checkArgument.ts"
import * as Lookup from "./internal/lateNameLookup.ts"
import { Time } from "./internal/scenarioTime.ts"

/**
 * Creates a host name for the scope, which does not resolve for this long.
 *
 * @example
 *
 * ```ts
 * import { FaultProxy, LateName, Scenario } from "@chemstream/faults"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { url } = yield* FaultProxy.make({
 *     scenario: Scenario.noFaults,
 *     upstream: () => ({ status: 200, headers: {}, body: Buffer.from("here") })
 *   })
 *   const name = yield* LateName.make("2 seconds")
 *   const request = Effect.promise(() =>
 *     fetch(url.replace("127.0.0.1", name)).then(
 *       (response) => response.text(),
 *       (error) => error.cause.code
 *     )
 *   )
 *   return [yield* request, yield* Effect.delay(request, "2100 millis")]
 * })
 * await Effect.runPromise(Effect.scoped(program)) // => ["EAI_AGAIN", "here"]
 * ```
 */
export const make = (time: Duration.Input): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => Lookup.add(Duration.toMillis(argument("time", Time, time)))),
    (name) => Effect.sync(() => Lookup.remove(name))
  )
