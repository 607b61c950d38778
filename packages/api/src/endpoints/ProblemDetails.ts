/**
 * The errors of the service as RFC 9457 problem details (`application/problem+json`), one class a status.
 *
 * These are what a service that follows this contract answers. What clients meet in the wild is wider: the client
 * package classifies that. Every problem has the type `about:blank`, so its title is the status in words and its
 * `detail` says what to do (docs/service.md, section 8).
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"

const type = "about:blank"

/** 400: the request cannot be answered as it stands, e.g. a malformed identifier or an empty batch. */
export class BadRequest extends HttpApiError.Problem<BadRequest>()(
  "BadRequest",
  { type, status: 400, title: "Bad Request" },
  { suggestions: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))) }
) {}

/** 401: the API key is missing or not known. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  type,
  status: 401,
  title: "Unauthorized"
}) {}

/** 404: the identifier is well formed but the service has nothing under it. */
export class NotFound extends HttpApiError.Problem<NotFound>()("NotFound", {
  type,
  status: 404,
  title: "Not Found"
}) {}

/** 405: the path exists, the method does not. */
export class MethodNotAllowed extends HttpApiError.Problem<MethodNotAllowed>()("MethodNotAllowed", {
  type,
  status: 405,
  title: "Method Not Allowed"
}) {}

/** 413: the batch holds more identifiers than the endpoint takes, or the body is larger than the service reads. */
export class TooLarge extends HttpApiError.Problem<TooLarge>()("TooLarge", {
  type,
  status: 413,
  title: "Content Too Large"
}) {}

/** 415: the body is not JSON. */
export class UnsupportedMediaType extends HttpApiError.Problem<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  { type, status: 415, title: "Unsupported Media Type" }
) {}

/** 414: the URL is longer than the service reads. */
export class UriTooLong extends HttpApiError.Problem<UriTooLong>()("UriTooLong", {
  type,
  status: 414,
  title: "URI Too Long"
}) {}

/** 429: the key is over its rate, or has too many requests in flight; the header `retry-after` says how long to wait. */
export class TooManyRequests extends HttpApiError.Problem<TooManyRequests>()("TooManyRequests", {
  type,
  status: 429,
  title: "Too Many Requests"
}) {}

/** 503: the service is stopping, or answers as many requests as it can; `retry-after` says how long to wait. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()("Unavailable", {
  type,
  status: 503,
  title: "Service Unavailable"
}) {}

/** 500: a defect of the service; the answer does not show its cause. */
export class InternalError extends HttpApiError.Problem<InternalError>()("InternalError", {
  type,
  status: 500,
  title: "Internal Server Error"
}) {}
