/**
 * Everything a call can fail with, as values: one tagged class a kind of failure.
 *
 * Each error says which endpoint was called, the HTTP status (where there was one), how many attempts were made,
 * and, as `retryable`, whether trying the same call again can help. Messages are written for the person at the
 * shell. How answers become errors is in `internal/classify.ts`; when a call is tried again in `RetryPolicy.ts`.
 */
import { Dialect } from "@chemstream/api"
import type { Availability } from "@chemstream/batch"
import { Schema } from "effect"

const call = {
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  endpoint: Schema.String,
  /** How many times the call was sent. */
  attempts: Schema.Int,
  message: Schema.String
}

const answered = { ...call, status: Schema.Int }

/** Present where the response shows that the service has this dialect and not that of the client. */
const dialect = { dialect: Schema.optionalKey(Schema.Literals(Dialect.names)) }

/** Present where the service may have this dialect and not that of the client: setting it may help, as the message says. */
const otherDialect = { otherDialect: Schema.optionalKey(Schema.Literals(Dialect.names)) }

/** Present where the body is no error document: the word of a gateway before the service rather than of the service. */
const gateway = { gateway: Schema.optionalKey(Schema.Literal(true)) }

/** 401, or 403 with a JSON body: the API key is missing, wrong, or may not do this. Ends a run at once. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", answered) {
  get retryable(): boolean {
    return false
  }
}

/**
 * The service has nothing under this value: 404, or a 400 that says so: a search miss with the suggestions of the service, or
 * an unknown identifier.
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...answered,
  ...gateway,
  suggestions: Schema.Array(Schema.String)
}) {
  get retryable(): boolean {
    return false
  }
}

/**
 * Another 4xx: the service does not accept the request as it stands. With `gateway` a gateway in front of the service refused
 * this one request, e.g. with a 403 and an HTML page, because of a word in it. Without `status` nothing was sent: the dialect
 * has no such request.
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  ...call,
  status: Schema.optionalKey(Schema.Int),
  ...gateway,
  ...dialect,
  ...otherDialect
}) {
  get retryable(): boolean {
    return false
  }
}

/**
 * More values in one call than the endpoint takes: a 413, or a 400 that says so. The client sends no batch over the
 * contract's limit: it fails with this error itself, after no attempt and without a status.
 */
export class BatchTooLarge extends Schema.TaggedError<BatchTooLarge>()("BatchTooLarge", {
  ...call,
  status: Schema.optionalKey(Schema.Int),
  batchSize: Schema.Int
}) {
  get retryable(): boolean {
    return false
  }
}

/** 429: too many requests. `retryAfter` is the wait the service asks for, in milliseconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...answered,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  get retryable(): boolean {
    return true
  }
}

/**
 * 5xx (or 425): the service or a gateway before it failed. `retryAfter` as for `RateLimited`.
 *
 * `permanent` is set where a batch failed twice with a 500 that gives no reason: some services fail so, every time, on a
 * batch with one bad value. Retrying does not help then, smaller batches do.
 */
export class ServiceFailure extends Schema.TaggedError<ServiceFailure>()("ServiceFailure", {
  ...answered,
  retryAfter: Schema.optionalKey(Schema.Finite),
  permanent: Schema.optionalKey(Schema.Literal(true)),
  ...otherDialect
}) {
  get retryable(): boolean {
    return this.status !== 501 && this.permanent !== true
  }
}

/**
 * No complete answer within the time allowed, or a 408. `phase` is what was waited for: the connection, the first line
 * and headers of the answer, or its body.
 */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {
  ...call,
  phase: Schema.Literals(["connect", "headers", "body"])
}) {
  get retryable(): boolean {
    return true
  }
}

/**
 * The service could not be reached, or the connection broke off. `address` is where it was tried, `code` the
 * system's word for why, e.g. `ECONNREFUSED`; `phase` is `"body"` when an answer had begun.
 *
 * Trying again helps, except against what waits for a person: a host name that does not exist (`ENOTFOUND`), a TLS
 * certificate that is not trusted or not the host's, an address that does not speak TLS, and a proxy that refuses
 * (`PROXY_407` and other 4xx).
 */
export class ConnectionFailed extends Schema.TaggedError<ConnectionFailed>()("ConnectionFailed", {
  ...call,
  address: Schema.String,
  code: Schema.optionalKey(Schema.String),
  phase: Schema.Literals(["connect", "body"])
}) {
  get retryable(): boolean {
    return this.code === undefined || !isLasting(this.code)
  }
}

/**
 * A success status with a body that is not the expected answer: an error page, truncated JSON, another shape.
 * `path` leads to the place in the value, e.g. `[3].dtxsid`; it is empty where the body is no JSON at all.
 */
export class MalformedResponse extends Schema.TaggedError<MalformedResponse>()("MalformedResponse", {
  ...answered,
  ...dialect,
  ...otherDialect,
  path: Schema.String
}) {
  get retryable(): boolean {
    return this.dialect === undefined
  }
}

/** The service stayed unavailable for longer than the call waits for it (`Availability`). */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", call) {
  get retryable(): boolean {
    return true
  }
}

/** Any failure of a call. */
export type ChemError =
  | Unauthorized
  | NotFound
  | InvalidRequest
  | BatchTooLarge
  | RateLimited
  | ServiceFailure
  | RequestTimeout
  | ConnectionFailed
  | MalformedResponse
  | ServiceUnavailable

/** The wait the service asks for, in milliseconds, where it asks for one. */
export const retryAfter = (error: ChemError): number | undefined =>
  error._tag === "RateLimited" || error._tag === "ServiceFailure" ? error.retryAfter : undefined

/** The pause of a 429 that names none, in milliseconds. */
const defaultPause = 1000

/** What a failed attempt says about the service. */
export const signal = (error: ChemError): Availability.Signal => {
  if (error.attempts === 0) return "unasked"
  switch (error._tag) {
    case "ServiceFailure":
      return error.status >= 502 && error.status <= 504 ? "unavailable" : "answered"
    case "RequestTimeout":
      return error.phase === "connect" ? "unreachable" : "unclear"
    case "ConnectionFailed":
      return "unreachable"
    case "RateLimited":
      return { throttled: error.retryAfter ?? defaultPause }
    case "InvalidRequest":
      // Who says that there is no such path need not be the service.
      return error.gateway === true ? "refused" : error.status === 404 ? "unclear" : "answered"
    case "NotFound":
      return error.gateway === true ? "unclear" : "answered"
    default:
      return "answered"
  }
}

/** Codes of Node and OpenSSL that the same call would meet again. */
const isLasting = (code: string): boolean =>
  code === "ENOTFOUND" ||
  code === "EPROTO" ||
  code === "HOSTNAME_MISMATCH" ||
  /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_VERIFY_|^PROXY_4/.test(code)
