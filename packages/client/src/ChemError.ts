/**
 * Everything a call can fail with, as values: one tagged class a kind of failure.
 *
 * Each error says which endpoint was called, the HTTP status (where there was one), how many attempts were made,
 * and, as `retryable`, whether trying the same call again can help. Messages are written for the person at the
 * shell. How answers become errors is in `internal/classify.ts`; when a call is tried again in `RetryPolicy.ts`.
 */
import { Schema } from "effect"

const call = {
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  endpoint: Schema.String,
  /** How many times the call was sent. */
  attempts: Schema.Int,
  message: Schema.String
}

const answered = { ...call, status: Schema.Int }

/** Present where the body is no error document: the word of a gateway before the service rather than of the service. */
const gateway = { gateway: Schema.optionalKey(Schema.Literal(true)) }

/** 401 or 403: the API key is missing, wrong, or may not do this. Ends a run at once. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", answered) {
  get retryable(): boolean {
    return false
  }
}

/** The service has nothing under this value: 404, or a search miss (400) with what it suggests instead. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...answered,
  ...gateway,
  suggestions: Schema.Array(Schema.String)
}) {
  get retryable(): boolean {
    return false
  }
}

/** Another 4xx: the service does not accept the request as it stands. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  ...answered,
  ...gateway
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

/** 5xx (or 425): the service or a gateway before it failed. `retryAfter` as for `RateLimited`. */
export class ServiceFailure extends Schema.TaggedError<ServiceFailure>()("ServiceFailure", {
  ...answered,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  get retryable(): boolean {
    return this.status !== 501
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
  path: Schema.String
}) {
  get retryable(): boolean {
    return true
  }
}

/**
 * The client asks nothing at present, because the last calls failed one after the other: the service seems to be down.
 * `retryAfter` is the time until it is tried again, in milliseconds. The call was not sent.
 */
export class CircuitOpen extends Schema.TaggedError<CircuitOpen>()("CircuitOpen", {
  ...call,
  retryAfter: Schema.Finite
}) {
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
  | CircuitOpen

/** The wait the service (or the circuit breaker) asks for, in milliseconds, where one is asked for. */
export const retryAfter = (error: ChemError): number | undefined =>
  error._tag === "RateLimited" || error._tag === "ServiceFailure" || error._tag === "CircuitOpen"
    ? error.retryAfter
    : undefined

/** Codes of Node and OpenSSL that the same call would meet again. */
const isLasting = (code: string): boolean =>
  code === "ENOTFOUND" ||
  code === "EPROTO" ||
  code === "HOSTNAME_MISMATCH" ||
  /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_VERIFY_|^PROXY_4/.test(code)
