/**
 * The errors of the service as RFC 9457 problem details (`application/problem+json`), one class for each status.
 *
 * A service that follows this contract sends them. Other services send more, which the client package classifies.
 * Every problem has the type `about:blank`, so its title is the status in words, and its `detail` says what to do
 * (docs/service.md, section 8).
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"

const type = "about:blank"

/** 400: the service cannot process the request, e.g. because of a malformed identifier or an empty batch. */
export class BadRequest extends HttpApiError.Problem<BadRequest>()(
  "BadRequest",
  { type, status: 400, title: "Bad Request" },
  { suggestions: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))) }
) {}

/** 401: the API key is missing or unknown. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  type,
  status: 401,
  title: "Unauthorized"
}) {}

/** 404: the identifier is well formed, but the service has no data for it. */
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

/** 413: the batch holds more identifiers, or the body more bytes, than the service accepts. */
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

/** 414: the URL is longer than the service accepts. */
export class UriTooLong extends HttpApiError.Problem<UriTooLong>()("UriTooLong", {
  type,
  status: 414,
  title: "URI Too Long"
}) {}

/** 429: the key is above its rate, or has too many requests in flight. The header `retry-after` gives the wait. */
export class TooManyRequests extends HttpApiError.Problem<TooManyRequests>()("TooManyRequests", {
  type,
  status: 429,
  title: "Too Many Requests"
}) {}

/** 503: the service is stopping, or busy with as many requests as it accepts. `retry-after` gives the wait. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()("Unavailable", {
  type,
  status: 503,
  title: "Service Unavailable"
}) {}

/** 500: a defect of the service. The response does not show its cause. */
export class InternalError extends HttpApiError.Problem<InternalError>()("InternalError", {
  type,
  status: 500,
  title: "Internal Server Error"
}) {}
