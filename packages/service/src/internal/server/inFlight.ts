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

// The number of checks without progress after which a connection is closed.
const maxStalledChecks = 8

/** The responses in flight, by connection. */
export interface InFlight {
  /** Returns the responses that a connection is waiting for, the oldest first. */
  readonly responsesOf: (socket: unknown) => ReadonlyArray<ServerResponse>
}

interface Connection {
  readonly responses: Set<ServerResponse>
  /** The bytes left to send at the last check. */
  progress: string
  checksWithoutProgress: number
}

/** Watches a server until the scope closes. `timeout`: how long a client may read nothing of a response. */
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
        // Node closes the response that it was sending, but not pipelined ones behind it.
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

// The bytes written to a connection, and those that the system has not taken. `writableLength` counts a write until
// all of it is taken, so a slow reader of one large write would seem to stall. Undefined when the system has taken
// all.
const progressOf = (socket: Socket): string | undefined => {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  return socket.writableLength === 0
    ? undefined
    : `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`
}

/**
 * Runs `release` when the response has been handed to the system in full, or its connection is gone.
 *
 * For a request without a connection: when its scope closes.
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
