/**
 * Makes a `BoundedServer` with the limits of its options, and responds to bytes that are not HTTP.
 *
 * `nodeServer` serves the service on it. Other servers of a program use it through `HttpListener`.
 */
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { type InvalidOption, Options } from "@chemstream/batch"
import { Duration, Effect, Schedule, type Scope } from "effect"
import { ProblemDetails } from "effect/http"
import { header } from "../http/requestId.ts"
import { BoundedServer, closeSoon, maxStalledChecks } from "./boundedServer.ts"

// The longest interval between two checks for slow requests, in milliseconds.
const checkInterval = 250

/** The limits of a server. */
export interface Limits {
  /** The largest size of request line and headers, in bytes. Larger requests get 431. Default: 32 KiB. */
  readonly maxHeaderBytes?: number | undefined
  /** How long a request may take to arrive. Slower requests get 408. Default: 30 seconds. */
  readonly requestTimeout?: Duration.Input | undefined
  /** How long a connection may stay open without a request. Default: 30 seconds. */
  readonly idleTimeout?: Duration.Input | undefined
  /** How long a client may pause while it reads its response, before it is disconnected. Default: 30 seconds. */
  readonly writeTimeout?: Duration.Input | undefined
  /** The largest number of open connections. Further ones are closed. Default: 1024. */
  readonly maxConnections?: number | undefined
  /**
   * The largest number of open connections of one address, and of one network of 64 bits for IPv6. Further ones are
   * closed. Default: half of `maxConnections`, but at least 8.
   */
  readonly maxConnectionsPerAddress?: number | undefined
}

/** The defaults of the limits. */
export const defaults = {
  maxHeaderBytes: 32 * 1024,
  requestTimeout: Duration.seconds(30),
  idleTimeout: Duration.seconds(30),
  writeTimeout: Duration.seconds(30),
  maxConnections: 1024
}

const time = /* @__PURE__ */ Options.time("positive")

/** The declaration of the limits. */
export const limitSet = /* @__PURE__ */ Options.set<Limits>()({
  maxHeaderBytes: Options.count,
  requestTimeout: time,
  idleTimeout: time,
  writeTimeout: time,
  maxConnections: Options.count,
  maxConnectionsPerAddress: Options.count
})

/** Records the response to a malformed request. Returns the id for the response, if any. */
export type RecordRefusal = (refusal: {
  readonly status: number
  readonly bytes: number
  readonly socket: Duplex
  /** The unfinished response that it replaces. */
  readonly replaces: ServerResponse | undefined
}) => string | undefined

/** Makes a server that does not listen yet. It watches its connections until the scope closes. */
export const make = (
  options: Limits,
  recordRefusal: RecordRefusal = () => undefined
): Effect.Effect<BoundedServer, InvalidOption.InvalidOption, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Options.check(limitSet, options)
    const duration = (option: "requestTimeout" | "idleTimeout" | "writeTimeout") =>
      Duration.fromInputUnsafe(options[option] ?? defaults[option])
    const requestTimeout = Duration.toMillis(duration("requestTimeout"))
    const server = new BoundedServer(
      {
        maxHeaderSize: options.maxHeaderBytes ?? defaults.maxHeaderBytes,
        requestTimeout,
        headersTimeout: requestTimeout,
        connectionsCheckingInterval: Math.min(checkInterval, Math.ceil(requestTimeout / 4)),
        keepAliveTimeout: Duration.toMillis(duration("idleTimeout")),
        keepAliveTimeoutBuffer: 0,
        // `requestLimits.ts` refuses and logs such requests.
        requireHostHeader: false
      },
      options.maxConnections ?? defaults.maxConnections,
      options.maxConnectionsPerAddress
    )
    server.on("clientError", respondToClientError(server, recordRefusal))
    yield* Effect.forkScoped(
      Effect.repeat(
        Effect.sync(() => server.closeStalled()),
        Schedule.spaced(Duration.divideUnsafe(duration("writeTimeout"), maxStalledChecks))
      )
    )
    return server
  })

const respondToClientError =
  (server: BoundedServer, recordRefusal: RecordRefusal) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    // The bytes after a refused request are errors too.
    if (socket.writableEnded) return
    const [response, ...others] = server.responsesOf(socket)
    // The client would take this response for a part of the one in flight, or for the response to another request.
    const isResponding = response !== undefined && response.headersSent !== response.writableEnded
    if (error.code === "ECONNRESET" || !socket.writable || isResponding || others.length > 0) {
      socket.destroy()
      return
    }
    const { status, detail } = problemOf(error.code)
    const title = STATUS_CODES[status] ?? ""
    const body = JSON.stringify({ type: ProblemDetails.blankType, title, status, detail })
    const bytes = Buffer.byteLength(body)
    const replaces = response?.writableEnded === true ? undefined : response
    const id = recordRefusal({ status, bytes, socket, replaces })
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\nContent-Type: ${ProblemDetails.contentType}\r\nContent-Length: ${bytes}\r\n${id === undefined ? "" : `${header}: ${id}\r\n`}\r\n${body}`
    )
    // Not after the bytes have left: a client that reads nothing could delay them.
    closeSoon(socket)
  }

const problemOf = (code: string | undefined): { readonly status: number; readonly detail: string } => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, detail: "The path and headers of the request are too large" }
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, detail: "The request took too long to arrive" }
    default:
      return { status: 400, detail: "Failed to read request" }
  }
}
