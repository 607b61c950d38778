/** Closes the connection of a client whose requests are refused again and again before it has shown a key. */
import type { Socket } from "node:net"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The connection is closed after this many refused requests in a row. */
export const maxRefusals = 16

const identified = new WeakSet<object>()

const refusals = new WeakMap<Socket, number>()

/** Marks a request whose key is known. */
export const markIdentified = ({ source }: HttpServerRequest.HttpServerRequest): void => {
  identified.add(source)
}

/** Counts the refused requests of each connection, and announces the end of a connection with its last response. */
export const closeAfterRefusals = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) =>
    Effect.map(app, (response) => {
      const socket = "socket" in source ? (source.socket as Socket | undefined) : undefined
      if (socket === undefined) return response
      const count = identified.has(source) || response.status < 400 ? 0 : (refusals.get(socket) ?? 0) + 1
      refusals.set(socket, count)
      return count < maxRefusals ? response : HttpServerResponse.setHeader(response, "connection", "close")
    })
  )
