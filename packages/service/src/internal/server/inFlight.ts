/**
 * Tracks the responses in flight of a `node:http` server.
 *
 * Closes connections whose client does not read, and releases the resources of a response when it has been sent or
 * cannot be sent.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Duration, Effect, Schedule, Scope } from "effect"
import type { HttpServerRequest } from "effect/http"

// A connection is closed after this many checks without progress.
const maxStalledChecks = 8

/** The responses in flight, by connection. */
export interface InFlight {
  /** Returns the responses in flight of a connection, oldest first. */
  readonly responsesOf: (socket: unknown) => ReadonlyArray<ServerResponse>
}

interface Connection {
  readonly responses: Set<ServerResponse>
  /** The state of the connection at the last check (`progressOf`). */
  progress: string
  checksWithoutProgress: number
}

/** Watches a server until the scope closes. Disconnects a client that reads nothing of a response for `timeout`. */
export const watch = (
  server: Server,
  timeout: Duration.Duration
): Effect.Effect<InFlight, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections = new Map<unknown, Connection>()
    const add = ({ socket }: IncomingMessage, response: ServerResponse): void => {
      const connection = connections.get(socket) ?? open(socket)
      connection.responses.add(response)
      response.once("close", () => connection.responses.delete(response))
    }
    const open = (socket: Socket): Connection => {
      const connection = { responses: new Set<ServerResponse>(), progress: "", checksWithoutProgress: 0 }
      connections.set(socket, connection)
      socket.once("close", () => {
        connections.delete(socket)
        // Node closes the response that it was sending, but not the pipelined ones after it.
        for (const response of connection.responses) {
          response.destroy()
          response.emit("close")
        }
      })
      return connection
    }
    server.prependListener("request", add)
    server.prependListener("checkContinue", add)
    const check = Effect.sync(() => {
      for (const [socket, connection] of connections) {
        const progress = progressOf(socket as Socket)
        const isStalled = progress !== undefined && progress === connection.progress
        connection.progress = progress ?? ""
        connection.checksWithoutProgress = isStalled ? connection.checksWithoutProgress + 1 : 0
        if (connection.checksWithoutProgress >= maxStalledChecks) (socket as Socket).destroy()
      }
    })
    yield* Effect.forkScoped(
      Effect.repeat(check, Schedule.spaced(Duration.divideUnsafe(timeout, maxStalledChecks)))
    )
    return { responsesOf: (socket) => [...(connections.get(socket)?.responses ?? [])] }
  })

// Returns a text that changes when the system accepts bytes of a connection, or undefined if no bytes are pending.
// `writableLength` alone does not change within a large write, so a slow reader would seem to stall.
const progressOf = (socket: Socket): string | undefined => {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  return socket.writableLength === 0
    ? undefined
    : `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`
}

/**
 * Runs `release` when the system has accepted the whole response, or the connection is closed.
 *
 * Without a connection, it runs when the scope of the request closes.
 */
export const whenSent = (
  request: HttpServerRequest.HttpServerRequest,
  scope: Scope.Scope,
  release: () => void
): Effect.Effect<void> => {
  if (!isNode(request)) return Scope.addFinalizer(scope, Effect.sync(release))
  const response = NodeHttpServerRequest.toServerResponse(request)
  return Effect.sync(() => (response.destroyed ? release() : response.once("close", release)))
}

const isNode = ({ source }: HttpServerRequest.HttpServerRequest): boolean => "httpVersion" in source
