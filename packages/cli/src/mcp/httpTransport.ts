/**
 * Serves assistants over HTTP on the loopback address, to clients with the token.
 *
 * The order of a request: origin (CORS), token, limits, protocol.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { HttpListener } from "@chemstream/service"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Effect, Layer, Option, Redacted, Semaphore } from "effect"
import { type McpProtocol, McpServer } from "effect/ai"
import {
  HttpIncomingMessage,
  HttpMiddleware,
  HttpRouter,
  HttpServer,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { runFailure, usageFailure } from "../CommandFailure.ts"
import { mcpTokenVariable } from "../settings/environmentVariables.ts"
import * as Messages from "../terminal/messages.ts"
import { maxMessageBytes } from "./limits.ts"

/** The path of the endpoint. */
export const path = "/mcp"

/** The largest number of requests in flight. */
export const maxConcurrent = 128

/** The largest number of open connections. */
const maxConnections = 256

type Protocols = readonly [McpProtocol.ProtocolAdapter, ...ReadonlyArray<McpProtocol.ProtocolAdapter>]

/** The server of the protocol. */
export interface Server<P extends Protocols, E, R> {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly protocols: P
  readonly registrations: Layer.Layer<never, E, R>
}

/** Serves on a port. Web pages of the allowed origins may call too. */
export const layer = <const P extends Protocols, E, R>(
  server: Server<P, E, R>,
  port: number,
  allowedOrigins: ReadonlyArray<string>
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const environmentToken = process.env[mcpTokenVariable]
      const token = Redacted.make(environmentToken ?? randomBytes(32).toString("base64url"))
      if (Redacted.value(token).length < 16)
        return yield* usageFailure(`${mcpTokenVariable} must have at least 16 characters`)
      const announcement = Layer.effectDiscard(
        Effect.gen(function* () {
          const { address } = yield* HttpServer.HttpServer
          const actualPort = "port" in address ? address.port : port
          Messages.say(
            `chemstream serves assistants at http://127.0.0.1:${actualPort}${path} (Ctrl-C stops it)\n`
          )
          if (environmentToken === undefined) {
            Messages.say(`no token was given, so this one was made: ${Redacted.value(token)}\n`)
          }
        })
      )
      const endpoint = McpServer.layerHttp({ ...server, path, allowedOrigins, allowSessionTermination: true })
      return Layer.mergeAll(
        HttpRouter.serve(Layer.merge(endpoint, middleware(token, allowedOrigins)), { disableLogger: true }),
        announcement
      ).pipe(Layer.provide(listener(port)))
    })
  )

const listener = (port: number) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const server = yield* Effect.orDie(HttpListener.make({ maxConnections }))
      return yield* NodeHttpServer.make(() => server, { port, host: "127.0.0.1" })
    }).pipe(
      Effect.catchTag("ServeError", ({ cause }) =>
        runFailure(`cannot listen on port ${port}: ${(cause as Error).message}`)
      )
    )
  )

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

type WithRequest<E, R> = Handler<E, R | HttpServerRequest.HttpServerRequest>

const middleware = (token: Redacted.Redacted, allowedOrigins: ReadonlyArray<string>) =>
  HttpRouter.middleware(
    Effect.map(Semaphore.make(maxConcurrent), (places) => {
      const answersOrigins = cors(allowedOrigins)
      const hasToken = tokenCheck(token)
      return (handled) =>
        answersOrigins(
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            hasToken(request.headers["authorization"])
              ? withinLimits(places, request, handled)
              : refuse(401, "Send the token of chemstream mcp as Authorization: Bearer TOKEN.", {
                  "www-authenticate": "Bearer"
                })
          )
        )
    }),
    { global: true }
  )

/** Answers the preflight of a browser, and lets pages of the allowed origins read the responses. */
const cors = (
  allowedOrigins: ReadonlyArray<string>
): (<E, R>(handled: Handler<E, R>) => WithRequest<E, R>) =>
  allowedOrigins.length === 0
    ? (handled) => handled
    : HttpMiddleware.cors({
        allowedOrigins: (origin) => allowedOrigins.includes(origin),
        allowedMethods: ["GET", "POST", "DELETE"],
        exposedHeaders: ["mcp-session-id", "www-authenticate"],
        maxAge: 600
      })

const refuse = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.succeed(HttpServerResponse.text(`${text}\n`, { status, headers }))

const tokenCheck = (token: Redacted.Redacted) => {
  const expected = Buffer.from(`Bearer ${Redacted.value(token)}`)
  return (header = ""): boolean => {
    const authorization = Buffer.from(header)
    return authorization.length === expected.length && timingSafeEqual(authorization, expected)
  }
}

/** Reads the body within its limit before the protocol does, and refuses requests over the number in flight. */
const withinLimits = <E, R>(
  places: Semaphore.Semaphore,
  request: HttpServerRequest.HttpServerRequest,
  handled: Handler<E, R>
): Handler<E, R> => {
  const body = request.method === "POST" ? Effect.asVoid(request.text) : Effect.void
  const complete = Effect.matchEffect(
    Effect.provideService(body, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxMessageBytes)),
    {
      onFailure: (error) =>
        isTooLarge(error)
          ? refuse(413, `The body is larger than the limit of ${maxMessageBytes} bytes.`)
          : refuse(400, "Failed to read the request."),
      onSuccess: () => handled
    }
  )
  return Effect.flatMap(
    places.withPermitsIfAvailable(1)(complete),
    Option.match({
      onNone: () => refuse(503, "The server is busy. Retry later.", { "retry-after": "1" }),
      onSome: Effect.succeed
    })
  )
}

const isTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
