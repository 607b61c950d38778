/**
 * Turns every error of an endpoint or of the router, and every defect, into a response with a problem document (RFC 9457).
 *
 * Its `instance` is the path of the request. `requestIssue.ts` words malformed values. Errors that an endpoint declares are problems already and only get the
 * `instance`.
 */
import { ProblemDetails, Quote } from "@chemstream/api"
import { Cause, Effect } from "effect"
import {
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  ProblemDetails as Rfc9457
} from "effect/http"
import { StoreError } from "../../Store.ts"
import { RequestId } from "../server/observeRequests.ts"
import { toStderr } from "../server/stderrLog.ts"
import { refuse } from "./refuse.ts"
import { isDecodable, pathOf } from "./requestPath.ts"

/** The settings that problems depend on. */
export interface Options {
  /** Returns the methods of a URL. None if its path is unknown. */
  readonly allowed: (url: string) => ReadonlyArray<string>
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Turns every error of an HTTP application into a problem. */
export const toProblems =
  (options: Options) =>
  <E, R>(app: App<E, R>): App<never, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      app.pipe(
        Effect.catchCause((cause) => fromCause(cause, request, options)),
        Effect.flatMap((response) =>
          response.status < 400 ? Effect.succeed(response) : asProblem(response, request, options)
        )
      )
    )

type AnyProblem = HttpServerRespondable.Respondable

const fromCause = <E>(
  cause: Cause.Cause<E>,
  request: HttpServerRequest.HttpServerRequest,
  options: Options
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
  const error = Cause.squash(cause)
  if (error instanceof StoreError && error.reason === "replaced") return refuse(reopening, reopenedWithin)
  if (HttpServerError.isHttpServerError(error)) {
    const reason = error.reason
    if (reason._tag === "RouteNotFound") return Effect.succeed(noRoute)
    if (reason._tag === "RequestParseError") {
      return HttpServerRespondable.toResponse(
        reason.reason === "BodyTooLarge" ? bodyTooLarge(options) : unreadable
      )
    }
  }
  return Effect.andThen(
    Effect.flatMap(RequestId, (id) =>
      Effect.logError(`${request.method} ${pathOf(request)} failed`, cause).pipe(
        Effect.annotateLogs({ requestId: id }),
        toStderr
      )
    ),
    HttpServerRespondable.toResponse(
      new ProblemDetails.InternalError({ detail: "The service failed to respond. Its log has the reason." })
    )
  )
}

/** The response while the database file is replaced by another one. */
export const reopening: ProblemDetails.Unavailable = new ProblemDetails.Unavailable({
  detail: "The database file was replaced, and is opened again. Retry later"
})

/** The `retry-after` of this response, in seconds. */
export const reopenedWithin = 2

// Completes an error response: a problem gets its `instance`, any other response becomes a problem.
const asProblem = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  options: Options
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const contentType = response.headers["content-type"]
  if (contentType === Rfc9457.contentType) return Effect.succeed(withInstance(response, request))
  // The HTML page of the imitated gateway stays.
  if (contentType?.startsWith("text/html") === true) return Effect.succeed(response)
  return Effect.map(HttpServerRespondable.toResponse(substitute(response, request, options)), (problem) => {
    const allow = problem.status === 405 ? options.allowed(request.url).join(", ") : undefined
    const completed = withInstance(problem, request)
    return allow === undefined ? completed : HttpServerResponse.setHeader(completed, "allow", allow)
  })
}

const substitute = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  options: Options
): AnyProblem => {
  switch (response.status) {
    case 404:
      return routeProblem(request, options)
    case 413:
      return bodyTooLarge(options)
    case 415:
      return new ProblemDetails.UnsupportedMediaType({
        detail: `The body must be JSON: send the header content-type: application/json, not ${Quote.value(request.headers["content-type"] ?? "")}`
      })
    default:
      return response.status < 500
        ? new ProblemDetails.BadRequest({ detail: "Failed to read request" })
        : new ProblemDetails.InternalError({ detail: "The service failed to respond." })
  }
}

const routeProblem = (request: HttpServerRequest.HttpServerRequest, options: Options): AnyProblem => {
  const path = pathOf(request)
  if (!isDecodable(path)) {
    return new ProblemDetails.BadRequest({ detail: "The path is not valid percent-encoding: write % as %25" })
  }
  const methods = options.allowed(request.url)
  return methods.length > 0
    ? new ProblemDetails.MethodNotAllowed({
        detail: `Method ${request.method} is not supported here. Supported: ${methods.join(", ")}`
      })
    : new ProblemDetails.NotFound({ detail: `No static resource ${path.slice(1)}.` })
}

const bodyTooLarge = (options: Options): AnyProblem =>
  new ProblemDetails.TooLarge({
    detail: `The body is larger than the limit of ${options.maxBodyBytes} bytes`
  })

const unreadable = new ProblemDetails.BadRequest({ detail: "Failed to read request" })

const noRoute = HttpServerResponse.empty({ status: 404 })

const withInstance = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array") return response
  const problem = JSON.parse(response.body.text ?? new TextDecoder().decode(response.body.body))
  return HttpServerResponse.setBody(
    response,
    HttpServerResponse.jsonUnsafe(
      { ...inOrder(problem), instance: problem.instance ?? pathOf(request) },
      { contentType: Rfc9457.contentType }
    ).body
  )
}

// The members in the order of RFC 9457, extensions last.
const inOrder = ({ type, title, status, detail, ...rest }: Record<string, unknown>) => ({
  type,
  title,
  status,
  detail,
  ...rest
})
