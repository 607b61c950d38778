/**
 * The `node:http` server under the service: listens, answers what is no HTTP request, closes connections whose client
 * does not read, and stops without waiting for clients that keep an idle connection open.
 */
import { createServer, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Data, Duration, Effect, type Scope } from "effect"
import { type HttpServerRequest, type HttpServerResponse, ProblemDetails } from "effect/http"
import { header } from "../http/requestId.ts"
import { Draining } from "./draining.ts"
import { type InFlight, watch } from "./inFlight.ts"
import { now, type Observe, serverAnswers } from "./requestLog.ts"

// How often the server looks for requests that take too long to arrive, in milliseconds, at most.
const checkInterval = 1000

// How often a stop looks for connections that have become idle, in milliseconds.
const sweepInterval = 20

/** A server that cannot listen where it should. The message says why, and what to do. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly message: string
  readonly cause?: unknown
}> {}

/** Where a server listens. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** How patient a server is, and with what. */
export interface Options extends Address {
  /** The largest request line and headers together, in bytes; larger ones are 431. Default 32 KiB. */
  readonly maxHeaderBytes?: number | undefined
  /** How long a request may take to arrive, headers and body; slower ones are 408. Default 30 seconds. */
  readonly requestTimeout?: Duration.Input | undefined
  /** How long a connection may stay open without a request. Default 30 seconds. */
  readonly idleTimeout?: Duration.Input | undefined
  /** How long a client may take in nothing of its response; then its connection is closed. Default: 30 seconds. */
  readonly writeTimeout?: Duration.Input | undefined
  /** How many connections are open at once; one more is closed. Default: 1024. */
  readonly maxConnections?: number | undefined
  /** How long a stop waits for answers that are being given; what is open then is cut. Default 10 seconds. */
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

/** What a server answers with. */
export interface Application<R> {
  readonly app: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
  /** Observes what the server answers by itself; the application observes the rest. */
  readonly observed: Observe
}

/**
 * Serves an application until the scope is closed; then takes no more connections, finishes the answers it is
 * giving, and ends connections as they become idle. Meanwhile the application is told that it is `Draining`.
 */
export const serve = <R>(
  { app, observed }: Application<R>,
  { host, port, ...options }: Options
): Effect.Effect<Address, ListenError, Exclude<R, HttpServerRequest.HttpServerRequest> | Scope.Scope> =>
  Effect.gen(function* () {
    // Node would listen on every network where the name is empty, e.g. from a variable that is not set.
    if (host.trim() === "") {
      const message =
        "The host to listen on is empty. Name an address, e.g. 127.0.0.1, or 0.0.0.0 for every network."
      return yield* new ListenError({ host, port, message })
    }
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
      // Refused by the application (`limits`), which logs it.
      requireHostHeader: false
    })
    server.maxConnections = options.maxConnections ?? defaults.maxConnections
    const inFlight = yield* watch(server, duration("writeTimeout"))
    server.on("clientError", answerNotHttp(inFlight, observed, yield* Clock.Clock))
    const state = { isDraining: false }
    const http = yield* NodeHttpServer.make(() => server, {
      host,
      port,
      gracefulShutdownTimeout: options.stopTimeout ?? defaults.stopTimeout
    }).pipe(Effect.mapError((error) => toListenError(host, port, error.cause)))
    // Finalizers run last to first: drain, wait for what is in flight (part of `serve`), cut the rest, close.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    yield* http.serve(Effect.provideService(app, Draining, state))
    // Node then answers an upgrade as any other request, and leaves an unknown `expect` to the application, too.
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

// Node ends idle connections once when a server closes; one that is in use at that moment would be kept alive for
// seconds after its answer.
const sweepIdleConnections = (server: Server): void => {
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false
  })
  const sweep = setInterval(() => server.closeIdleConnections(), sweepInterval)
  server.once("close", () => clearInterval(sweep))
}

const answerNotHttp =
  (inFlight: InFlight, observed: Observe, clock: Clock.Clock) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    const [response, ...others] = inFlight.of(socket)
    // In the middle of another response, or before it, the client would take this one for that.
    const isAnswering = response !== undefined && response.headersSent !== response.writableEnded
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering || others.length > 0) {
      socket.destroy()
      return
    }
    const { status, detail } = notHttp(error.code)
    const title = STATUS_CODES[status] ?? ""
    const body = JSON.stringify({ type: ProblemDetails.blankType, title, status, detail })
    const bytes = Buffer.byteLength(body)
    const id =
      response === undefined || response.writableEnded ? record(status, bytes) : answerFor(response, status)
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\nContent-Type: ${ProblemDetails.contentType}\r\nContent-Length: ${bytes}\r\n${header}: ${id}\r\n\r\n${body}`
    )

    function record(status: number, bytes: number): string {
      const remote = "remoteAddress" in socket ? String(socket.remoteAddress) : null
      const { answered, id, left } = observed({
        method: null,
        url: null,
        id: undefined,
        route: undefined,
        remote: () => remote,
        at: now(clock)
      })
      answered({ status, bytes }, now(clock))
      left()
      return id
    }
  }

// The application logs the request whose body is cut off, with the status that it is told here.
const answerFor = ({ req }: ServerResponse, status: number): string | undefined => {
  const answer = serverAnswers.get(req)
  if (answer !== undefined) answer.status = status
  return answer?.id
}

const notHttp = (code: string | undefined): { readonly status: number; readonly detail: string } => {
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
  return new ListenError({ host, port, message: `${why(host, port, code, cause)}.`, cause })
}

const why = (host: string, port: number, code: unknown, cause: unknown): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Stop what uses it, or choose another port (0 takes a free one)`
    case "EACCES":
      return `Port ${port} of ${host} needs more rights. Choose a port above 1023`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another host, e.g. 127.0.0.1`
    default:
      return `The service cannot listen on port ${port} of ${host}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
