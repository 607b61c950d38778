/**
 * Gives responses their final form, as the public service sends them: formatted (`jsonPrinter.ts`), without length, tag or
 * compression, with two families of errors. An error closes the connection.
 */
import type { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Stream } from "effect"
import { Headers, HttpServerRequest, HttpServerResponse, ProblemDetails } from "effect/http"
import type { Variants } from "../../Variants.ts"
import { pathOf } from "../http/requestPath.ts"
import { Printer } from "./jsonPrinter.ts"

type Response = HttpServerResponse.HttpServerResponse

const jsonType = "application/json"

/** The name that a proxy gives to the header `connection` to disable it. */
const scrambledConnection = "nncoection"

// The public service sends a quotation mark at the end, as three characters.
const transportSecurity = "max-age=31536000; includeSubDomains; preload\u00e2\u0080\u009d"

const isBioactivity = (path: string): boolean => path.startsWith("/bioactivity/")

/** Whether the errors below a path are plain objects, not problem details. */
const hasPlainErrors = (path: string): boolean => isBioactivity(path) || path.startsWith("/exposure/")

/** Changes the responses of an application, except those of operations, e.g. `/health`. */
export const toFinalForm =
  (variants: Variants, isOperation: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  <E, R>(
    app: Effect.Effect<Response, E, R>
  ): Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = yield* app
      if (isOperation(request)) return response
      const path = pathOf(request)
      const sent =
        response.headers["content-type"] === ProblemDetails.contentType
          ? asError(response, path, variants, yield* Clock.currentTimeMillis)
          : response
      return withHeaders(format(closeAfterError(sent, request, variants), variants), path)
    })

const asError = (response: Response, path: string, { errors }: Variants, now: number): Response => {
  const { detail, instance, status, suggestions, title, type, violations } = membersOf(response)
  const withBody = (members: Readonly<Record<string, unknown>>, contentType: string): Response =>
    HttpServerResponse.setBody(response, HttpServerResponse.jsonUnsafe(members, { contentType }).body)
  if (status === 401) return withBody({ title, detail }, jsonType)
  const isPlain = errors === "plain" || (errors === "mixed" && hasPlainErrors(path))
  if (!isPlain) {
    return withBody(
      { type, title, status, detail, instance, suggestions, violations },
      ProblemDetails.contentType
    )
  }
  const timestamp = new Date(now).toISOString().replace("Z", "+00:00")
  return withBody({ timestamp, status, error: title, path: instance }, jsonType)
}

const membersOf = ({ body }: Response): Readonly<Record<string, unknown>> =>
  body._tag === "Uint8Array" ? JSON.parse(body.text ?? new TextDecoder().decode(body.body)) : {}

/** Formats JSON if the variant says so. Every response but an image becomes a stream, because streams have no length. */
const format = (response: Response, { json }: Variants): Response => {
  const { body } = response
  const contentType = response.headers["content-type"]
  if ((body._tag !== "Uint8Array" && body._tag !== "Stream") || contentType?.startsWith("image/"))
    return response
  const bytes = body._tag === "Stream" ? body.stream : Stream.make(bytesOf(body))
  const isFormatted = json === "pretty" && contentType?.includes("json") === true
  return HttpServerResponse.stream(isFormatted ? Stream.suspend(() => print(bytes)) : bytes, {
    status: response.status,
    headers: Headers.removeMany(response.headers, ["content-length", "retry-after"]),
    contentType
  })
}

const bytesOf = (body: { readonly body: Uint8Array }): Uint8Array => body.body

const print = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> => {
  const printer = new Printer()
  return Stream.map(bytes, (chunk) => printer.write(chunk))
}

/** Closes the connection after an error. The header is `connection: close` or the renamed one. */
const closeAfterError = (
  response: Response,
  request: HttpServerRequest.HttpServerRequest,
  { connection }: Variants
): Response => {
  if (connection === "keep" || (response.status !== 400 && response.status !== 500)) return response
  if (connection === "close") return HttpServerResponse.setHeader(response, "connection", "close")
  if ("httpVersion" in request.source) {
    const node = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
    node.shouldKeepAlive = false
    node.removeHeader("connection")
  }
  return HttpServerResponse.setHeader(response, scrambledConnection, "close")
}

const withHeaders = (response: Response, path: string): Response =>
  HttpServerResponse.setHeaders(response, {
    server: "Apache",
    vary: "Origin",
    "strict-transport-security": transportSecurity,
    "cache-control": isBioactivity(path)
      ? "no-cache, must-revalidate"
      : "no-cache, no-store, max-age=0, must-revalidate, no-transform"
  })
