/**
 * Serves an application on a `listener`, and stops without waiting for idle connections.
 */
import type { Server, ServerResponse } from "node:http"
import { Options as Declared, type InvalidOption } from "@chemstream/batch"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Data, Duration, Effect, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { portKind } from "../http/httpOptions.ts"
import { Draining } from "./draining.ts"
import * as listener from "./listener.ts"
import { now, type Observe, ownResponses } from "./observeRequests.ts"

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

/** The address and the limits of a server. */
export interface Options extends Address, listener.Limits {
  /** How long a stop waits for responses in flight, before it cuts them off. Default: 10 seconds. */
  readonly stopTimeout?: Duration.Input | undefined
}

/** The defaults of the options. */
export const defaults = { ...listener.defaults, stopTimeout: Duration.seconds(10) }

/** The declaration of the options. */
export const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  ...listener.limitSet.fields,
  host: Declared.required(Declared.text),
  port: Declared.required(portKind),
  stopTimeout: Declared.time("finite")
})

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
  InvalidOption.InvalidOption | ListenError,
  Exclude<R, HttpServerRequest.HttpServerRequest> | Scope.Scope
> =>
  Effect.gen(function* () {
    // With an empty host, e.g. from an unset variable, Node would listen on every network.
    if (host.trim() === "") {
      const message =
        "The host to listen on is empty. Name an address, e.g. 127.0.0.1, or 0.0.0.0 for every network."
      return yield* new ListenError({ host, port, message })
    }
    const server = yield* listener.make(
      Declared.pick(listener.limitSet, options),
      recordRefusal(observe, yield* Clock.Clock)
    )
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

// Logs and counts a response of the listener. Returns the id of its request.
const recordRefusal =
  (observe: Observe, clock: Clock.Clock): listener.RecordRefusal =>
  ({ bytes, replaces, socket, status }) => {
    if (replaces !== undefined) return overrideStatus(replaces, status)
    const remote = "remoteAddress" in socket ? String(socket.remoteAddress) : null
    const { recordResponse, id, recordEnd } = observe({ remote: () => remote, at: now(clock) })
    recordResponse({ status, bytes }, now(clock))
    recordEnd()
    return id
  }

// Sets the status that the application logs for the unfinished request. Returns the id of the request.
const overrideStatus = ({ req }: ServerResponse, status: number): string | undefined => {
  const ownResponse = ownResponses.get(req)
  if (ownResponse !== undefined) ownResponse.status = status
  return ownResponse?.id
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
