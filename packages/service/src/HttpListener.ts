/**
 * Makes `node:http` servers with the bounds of the service, for the other servers of a program.
 *
 * `Service` serves the service itself.
 */
import type { Server } from "node:http"
import type { InvalidOption } from "@chemstream/batch"
import type { Effect, Scope } from "effect"
import * as listener from "./internal/server/listener.ts"

/** The limits of a server. They have the defaults of the service. */
export type Limits = listener.Limits

/**
 * Makes a server that does not listen yet. Its connections are watched until the scope closes.
 *
 * A request that arrives too slowly or is malformed gets a problem document, and its connection is closed. So is the
 * connection of a client that reads nothing, or is over the limits. Of a connection, at most 32 requests are in progress.
 * Fails with `InvalidOption` for a time or number out of range.
 *
 * @example
 *
 * ```ts
 * import { HttpListener } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const server = Effect.map(HttpListener.make({ maxConnections: 16 }), (server) =>
 *   server.on("request", (_, response) => response.end("text"))
 * )
 * const { maxConnections } = await Effect.runPromise(Effect.scoped(server))
 * maxConnections // => 16
 * ```
 */
export const make = (limits: Limits): Effect.Effect<Server, InvalidOption.InvalidOption, Scope.Scope> =>
  listener.make(limits)
