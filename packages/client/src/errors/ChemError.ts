/**
 * The errors of a call: one tagged class for each kind of failure.
 *
 * Each error has the endpoint, the HTTP status if there was one, the number of attempts, and `retryable`: whether a retry can help.
 * Messages are for the person at the shell. `internal/responseErrors.ts` makes errors of responses, with their messages,
 * `calls/internal/callOperation.ts` that of a batch above its limit; `RetryPolicy.ts` decides about retries. The command explains them
 * further (`chemstream help errors`).
 */
import { Dialect, Quote } from "@chemstream/api"
import { type Availability, type Batch, Options } from "@chemstream/batch"
import { Schema } from "effect"

/**
 * The base class of the errors of calls. `cause` is the error of the HTTP client, if there was one, without the API key.
 *
 * @example
 * ```ts
 * import { ChemError, type PromiseClient } from "@chemstream/client"
 *
 * const nameOf = async (client: PromiseClient.PromiseClient, dtxsid: string) => {
 *   try {
 *     return (await client.details.byDtxsid(dtxsid)).preferredName
 *   } catch (error) {
 *     if (error instanceof ChemError.CallError && error.retryable) return "try again later"
 *     throw error
 *   }
 * }
 * ```
 */
export class CallError extends Schema.Error<CallError>("CallError")({
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  endpoint: Schema.String,
  /** The number of attempts. */
  attempts: Schema.Int,
  message: Schema.String
}) {
  /** Whether a retry can help. */
  get retryable(): boolean {
    return false
  }
}

const status = { status: Schema.Int }

/** Present if the response proves that the service has this dialect. */
const dialect = { dialect: Schema.optionalKey(Schema.Literals(Dialect.names)) }

/** Present if the service may have this dialect. Setting it may help, as the message says. */
const otherDialect = { otherDialect: Schema.optionalKey(Schema.Literals(Dialect.names)) }

/** Present if the body is not an error document of the service: a gateway sent it. */
const gateway = { gateway: Schema.optionalKey(Schema.Literal(true)) }

/** 401, or 403 with a JSON body: the API key is missing, wrong, or not allowed to do this. Stops a run at once. */
export class Unauthorized extends CallError.extend<Unauthorized>("Unauthorized")({
  _tag: Schema.tag("Unauthorized"),
  ...status
}) {}

/**
 * The service does not know this value: 404, or a 400 that says so. A search miss has the suggestions of the service.
 */
export class NotFound extends CallError.extend<NotFound>("NotFound")({
  _tag: Schema.tag("NotFound"),
  ...status,
  ...gateway,
  suggestions: Schema.Array(Schema.String)
}) {}

/**
 * Another 4xx: the service refuses the request. `gateway`: a gateway refused it because of a word in it, e.g. with a
 * 403 and an HTML page. Without `status`, no request was sent, because the dialect does not have it.
 */
export class InvalidRequest extends CallError.extend<InvalidRequest>("InvalidRequest")({
  _tag: Schema.tag("InvalidRequest"),
  status: Schema.optionalKey(Schema.Int),
  ...gateway,
  ...dialect,
  ...otherDialect,
  /** The base URL that a redirect leads to. */
  redirect: Schema.optionalKey(Schema.String),
  /** Whether the service does not have the endpoint. Every request to it fails alike. */
  isEndpointMissing: Schema.optionalKey(Schema.Literal(true))
}) {}

/**
 * The batch is larger than the endpoint takes: 413, or a 400 that says so. A batch over the limit of the contract is
 * not sent; the error then has no attempt and no status, and `limit` is the most values of a batch.
 */
export class BatchTooLarge extends CallError.extend<BatchTooLarge>("BatchTooLarge")({
  _tag: Schema.tag("BatchTooLarge"),
  status: Schema.optionalKey(Schema.Int),
  batchSize: Schema.Int,
  limit: Schema.optionalKey(Schema.Int)
}) {}

/** 429: too many requests. `retryAfter` is the wait that the service demands, in milliseconds. */
export class RateLimited extends CallError.extend<RateLimited>("RateLimited")({
  _tag: Schema.tag("RateLimited"),
  ...status,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  override get retryable(): boolean {
    return true
  }
}

/**
 * 5xx or 425: the service or its gateway failed. `retryAfter` as for `RateLimited`.
 *
 * `permanent`: a batch failed twice with a 500 without a reason. Some services send it for any batch with a bad
 * value. A smaller batch can help, a retry cannot.
 */
export class ServiceFailure extends CallError.extend<ServiceFailure>("ServiceFailure")({
  _tag: Schema.tag("ServiceFailure"),
  ...status,
  retryAfter: Schema.optionalKey(Schema.Finite),
  permanent: Schema.optionalKey(Schema.Literal(true)),
  ...otherDialect
}) {
  override get retryable(): boolean {
    return this.status !== 501 && this.permanent !== true
  }
}

/**
 * No complete response within the timeout, or a 408. `phase` is the part that was late: the connection, the headers,
 * or the body.
 */
export class RequestTimeout extends CallError.extend<RequestTimeout>("RequestTimeout")({
  _tag: Schema.tag("RequestTimeout"),
  phase: Schema.Literals(["connect", "headers", "body"])
}) {
  override get retryable(): boolean {
    return true
  }
}

/**
 * The connection failed or was cut off. `address` is that of the service, `code` the system's reason, e.g.
 * `ECONNREFUSED`. `phase` is `"body"` if a response had begun.
 *
 * A retry can help, unless a person must act: an unknown host name (`ENOTFOUND`), a TLS certificate that is not
 * trusted or not the host's, an address without TLS, a proxy that refuses (`PROXY_407` and other 4xx).
 */
export class ConnectionFailed extends CallError.extend<ConnectionFailed>("ConnectionFailed")({
  _tag: Schema.tag("ConnectionFailed"),
  address: Schema.String,
  code: Schema.optionalKey(Schema.String),
  phase: Schema.Literals(["connect", "body"])
}) {
  override get retryable(): boolean {
    if (this.code === undefined) return true
    return !isLasting(this.code) && !(this.phase === "connect" && isNotHttp(this.code))
  }
}

/**
 * A success status with an unexpected body: an error page, truncated JSON, another shape. `path` is the place in the
 * value, e.g. `[3].dtxsid`; it is empty if the body is not JSON.
 */
export class MalformedResponse extends CallError.extend<MalformedResponse>("MalformedResponse")({
  _tag: Schema.tag("MalformedResponse"),
  ...status,
  ...dialect,
  ...otherDialect,
  path: Schema.String,
  /** The title of a web page. Present if the body is one: another server responded. */
  page: Schema.optionalKey(Schema.String),
  /** The message without advice for programs, if it has some. */
  problem: Schema.optionalKey(Schema.String)
}) {
  override get retryable(): boolean {
    return this.dialect === undefined
  }
}

/**
 * The service stayed unavailable for longer than the call waits, or asks to wait longer (`Availability`). `until` is the
 * time that it asks to wait for, in milliseconds since 1970.
 */
export class ServiceUnavailable extends CallError.extend<ServiceUnavailable>("ServiceUnavailable")({
  _tag: Schema.tag("ServiceUnavailable"),
  until: Schema.optionalKey(Schema.Finite)
}) {
  override get retryable(): boolean {
    return true
  }
}

/** Makes the error of a call that waited in vain. */
export const unavailable = (endpoint: string, error: Availability.ServiceUnavailable): ServiceUnavailable => {
  const { message, until } = Options.argument("error", outageKind, error)
  Options.argument("endpoint", Options.text, endpoint)
  return new ServiceUnavailable({ endpoint, attempts: 0, message, ...(until === undefined ? {} : { until }) })
}

const outageKind = /* @__PURE__ */ Options.kind("an outage", (value) => Object(value).message !== undefined)

/**
 * Makes the error of records that do not fit their request, in a response with the status 200. `path` is their place in
 * the response. Default: the whole response.
 */
export const malformed = (
  endpoint: string,
  attempts: number,
  message: string,
  path = ""
): MalformedResponse => {
  for (const [name, text] of Object.entries({ endpoint, message, path }))
    Options.argument(name, Options.text, text)
  Options.argument("attempts", Options.amount, attempts)
  return new MalformedResponse({ endpoint, attempts, status: 200, path, message })
}

/** Makes the error of an identifier without a record, if `count` records of the response lack an identifier. */
export const unidentified = (endpoint: string, attempts: number, count: number): MalformedResponse =>
  malformed(
    endpoint,
    attempts,
    `${Options.argument("count", Options.count, count)} ${count === 1 ? "record" : "records"} of the response ${count === 1 ? "lacks" : "lack"} an identifier; one may belong to this one`
  )

/** Makes the error of a response without a record of a requested identifier. `key` is that of its first record. */
export const unmatched = (endpoint: string, key: unknown, requested: string): MalformedResponse =>
  malformed(
    endpoint,
    1,
    `no record of the response has a requested identifier: ${requested} was requested, and the first record has ${Quote.value(key)}`
  )

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

/** Whether a value is an error of a call. */
export const isChemError = (value: unknown): value is ChemError => value instanceof CallError

const errorKind = /* @__PURE__ */ Options.kind<ChemError>("an error of a call", isChemError)

const checked = (error: ChemError): ChemError => Options.argument("error", errorKind, error)

/** Returns the wait that the service demands, in milliseconds. Undefined: none. */
export const retryAfter = (error: ChemError): number | undefined =>
  (checked(error) as RateLimited | ServiceFailure).retryAfter

/** Returns the wait of all requests after a failure, in milliseconds. 0: the service gives no time. Undefined: none. */
export const pauseOf = (error: ChemError): number | undefined => {
  checked(error)
  if (error._tag === "RateLimited") return error.retryAfter ?? 0
  return error._tag === "ServiceFailure" && error.status === 503 ? error.retryAfter : undefined
}

/** Returns what a failed attempt says about the service. */
export const signal = (error: ChemError): Availability.Signal => {
  const pause = pauseOf(error)
  if (error.attempts === 0) return "unsent"
  if (pause !== undefined) return { throttled: pause }
  switch (error._tag) {
    case "ServiceFailure":
      if (error.status === 504) return "overdue"
      return error.status === 502 || error.status === 503 ? "unavailable" : "failed"
    case "RequestTimeout":
      return error.phase === "connect" ? "unreachable" : "overdue"
    case "ConnectionFailed":
      return "unreachable"
    case "MalformedResponse":
      return error.dialect !== undefined ? "responded" : error.page === undefined ? "failed" : "elsewhere"
    case "InvalidRequest":
      if (error.redirect !== undefined) return "elsewhere"
      if (error.isEndpointMissing === true) return "responded"
      // A gateway may say that the path does not exist.
      return error.gateway === true ? "refused" : error.status === 404 ? "unclear" : "responded"
    case "NotFound":
      return error.gateway === true ? "unclear" : "responded"
    default:
      return "responded"
  }
}

/** Returns the most values of a batch, if the error says so (`Batch.Calls`). */
export const limit = (error: ChemError): number | undefined => (checked(error) as BatchTooLarge).limit

/** Whether the code says that the other side accepted the connection, and closed it. */
export const isReset = (code: string): boolean => /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)

/** Whether the code says that the bytes received are not HTTP. */
export const isNotHttp = (code: string): boolean => /^HPE_/.test(code)

/**
 * Returns what a failure means for the values of its batch, if the service is available (`Batch.Verdict`).
 * `wasReached`: whether the service has ever responded; if not, the address is wrong.
 */
export const verdict = (error: ChemError, wasReached: boolean): Batch.Verdict => {
  checked(error)
  const unlessReached = wasReached ? "isolate" : "stop"
  switch (error._tag) {
    case "Unauthorized":
    // Every later batch would fail in the same way.
    case "ServiceUnavailable":
      return "stop"
    case "BatchTooLarge":
      return "halve"
    case "RequestTimeout":
      return error.phase === "connect" ? unlessReached : "halve"
    case "NotFound":
      // A gateway sends a 404 without a problem document. It knows no identifiers.
      return error.gateway === true ? "isolate" : "missing"
    case "InvalidRequest": {
      // Every request fails alike: the dialect has no such request, the service has another one, or the content type is refused.
      const isForEvery =
        error.status === undefined ||
        error.status === 415 ||
        error.dialect !== undefined ||
        error.isEndpointMissing === true
      if (isForEvery) return "stop"
      return error.redirect === undefined ? "isolate" : unlessReached
    }
    case "MalformedResponse":
      // With the wrong dialect, every request fails in the same way.
      if (error.dialect !== undefined) return "stop"
      return error.page === undefined ? "isolate" : unlessReached
    case "ConnectionFailed":
      return error.phase === "connect" ? unlessReached : "halve"
    default:
      return "isolate"
  }
}

/** Whether a retry would fail with the same code of Node or OpenSSL. */
const isLasting = (code: string): boolean =>
  /^(?:ENOTFOUND|EPROTO|HOSTNAME_MISMATCH)$|^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_VERIFY_|^PROXY_4/.test(code)
