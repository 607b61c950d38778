/**
 * The `node:http` server of the service.
 *
 * It responds to bytes that are not HTTP, closes connections whose client does not read, and stops without waiting
 * for idle connections.
 */
import { createServer, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Data, Duration, Effect, type Scope } from "effect"
import { type HttpServerRequest, type HttpServerResponse, ProblemDetails } from "effect/http"
import { count, type InvalidOption, refuse, time } from "../../InvalidOption.ts"
import { header } from "../http/requestId.ts"
import { Draining } from "./draining.ts"
import { type InFlight, watch } from "./inFlight.ts"
import { now, type Observe, ownResponses } from "./requestLog.ts"

// The longest interval between two checks for slow requests, in milliseconds.
const checkInterval = 1000

// The interval between two checks for idle connections during a stop, in milliseconds.
const sweepInterval = 20

/** The server cannot listen. The message has the reason and what to do. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly message: string
  readonly cause?: unknown
}> {}

/** The address to listen on. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** The limits of a server. */
export interface Options extends Address {
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
  /** How long a stop waits for responses in flight, before it cuts them off. Default: 10 seconds. */
  readonly stopTimeout?: Duration.Input | undefined
}

/** The defaults of the options. */
export const defaults = {
  maxHeaderBytes: 32 * 1024,
  requestTimeout: Duration.seconds(30),
  idleTimeout: Duration.seconds(30),
  writeTimeout: Duration.seconds(30),
  maxConnections: 1024,
  stopTimeout: Duration.seconds(10)
}

/** The application of a server. */
export interface Application<R> {
  readonly app: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
  /** Observes the responses that the server itself makes. */
  readonly observe: Observe
}

/**
 * Serves an application until the scope closes.
 *
 * Then it closes the port, finishes responses in flight and closes idle connections. Meanwhile `isDraining` of `Draining` is true.
 */
export const serve = <R>(
  { app, observe }: Application<R>,
  { host, port, ...options }: Options
): Effect.Effect<
  Address,
  InvalidOption | ListenError,
  Exclude<R, HttpServerRequest.HttpServerRequest> | Scope.Scope
> =>
  Effect.gen(function* () {
    // With an empty host, e.g. from an unset variable, Node would listen on every network.
    if (host.trim() === "") {
      const message =
        "The host to listen on is empty. Name an address, e.g. 127.0.0.1, or 0.0.0.0 for every network."
      return yield* new ListenError({ host, port, message })
    }
    yield* refuse([
      ...(["requestTimeout", "idleTimeout", "writeTimeout"] as const).map((option) =>
        time(option, options[option])
      ),
      time("stopTimeout", options.stopTimeout, "finite"),
      ...(["maxHeaderBytes", "maxConnections"] as const).map((option) => count(option, options[option]))
    ])
    const duration = (option: "requestTimeout" | "idleTimeout" | "writeTimeout") =>
      Duration.fromInputUnsafe(options[option] ?? defaults[option])
    const requestTimeout = Duration.toMillis(duration("requestTimeout"))
    const server = createServer({
      maxHeaderSize: options.maxHeaderBytes ?? defaults.maxHeaderBytes,
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(checkInterval, Math.ceil(requestTimeout / 4)),
      keepAliveTimeout: Duration.toMillis(duration("idleTimeout")),
      keepAliveTimeoutBuffer: 0,
      // `overload` refuses and logs such requests.
      requireHostHeader: false
    })
    server.maxConnections = options.maxConnections ?? defaults.maxConnections
    const inFlight = yield* watch(server, duration("writeTimeout"))
    server.on("clientError", respondToClientError(inFlight, observe, yield* Clock.Clock))
    const state = { isDraining: false }
    const http = yield* NodeHttpServer.make(() => server, {
      host,
      port,
      gracefulShutdownTimeout: options.stopTimeout ?? defaults.stopTimeout
    }).pipe(Effect.mapError((error) => toListenError(host, port, error.cause)))
    // Finalizers run in reverse order: drain, wait for requests in flight (`http.serve`), cut off the rest, close.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    yield* http.serve(Effect.provideService(app, Draining, state))
    // Otherwise Node handles upgrades and unknown `expect` headers itself.
    server.removeAllListeners("upgrade")
    server.on("checkExpectation", (request, response) => server.emit("request", request, response))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        state.isDraining = true
        sweepIdleConnections(server)
      })
    )
    const address = server.address()
    return { host, port: typeof address === "object" && address !== null ? address.port : port }
  })

// Node closes idle connections only once. A connection that is in use at that moment would stay open for seconds.
const sweepIdleConnections = (server: Server): void => {
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false
  })
  const sweep = setInterval(() => server.closeIdleConnections(), sweepInterval)
  server.once("close", () => clearInterval(sweep))
}

const respondToClientError =
  (inFlight: InFlight, observe: Observe, clock: Clock.Clock) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    const [response, ...others] = inFlight.responsesOf(socket)
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
    const id =
      response === undefined || response.writableEnded
        ? record(status, bytes)
        : overrideStatus(response, status)
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\nContent-Type: ${ProblemDetails.contentType}\r\nContent-Length: ${bytes}\r\n${header}: ${id}\r\n\r\n${body}`
    )

    function record(status: number, bytes: number): string {
      const remote = "remoteAddress" in socket ? String(socket.remoteAddress) : null
      const { recordResponse, id, recordEnd } = observe({
        method: null,
        url: null,
        id: undefined,
        route: undefined,
        remote: () => remote,
        at: now(clock)
      })
      recordResponse({ status, bytes }, now(clock))
      recordEnd()
      return id
    }
  }

// Sets the status that the application logs for the unfinished request. Returns the id of the request.
const overrideStatus = ({ req }: ServerResponse, status: number): string | undefined => {
  const ownResponse = ownResponses.get(req)
  if (ownResponse !== undefined) ownResponse.status = status
  return ownResponse?.id
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

const toListenError = (host: string, port: number, cause: unknown): ListenError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return new ListenError({ host, port, message: `${messageOf(host, port, code, cause)}.`, cause })
}

const messageOf = (host: string, port: number, code: unknown, cause: unknown): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port (0: any free port)`
    case "EACCES":
      return `Port ${port} of ${host} requires more privileges. Choose a port above 1023`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another host, e.g. 127.0.0.1`
    default:
      return `Cannot listen on port ${port} of ${host}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
