/**
 * Makes the error of an attempt without a complete response, by the cause in the HTTP client.
 *
 * `responseErrors.ts` makes the errors of responses.
 */
import { Effect, Predicate } from "effect"
import * as ChemError from "../ChemError.ts"
import type { Redact } from "./redaction.ts"
import type { Attempt } from "./responseErrors.ts"

/** Fails with the error of a failure of the HTTP client. A mistake in the program of the caller's own client is a defect. */
export const failWith = (
  make: (attempt: Attempt, address: string, cause: unknown) => ChemError.ChemError,
  attempt: Attempt,
  { address, redact }: { readonly address: string; readonly redact: Redact },
  reason: object
): Effect.Effect<never, ChemError.ChemError> => {
  const cause = "cause" in reason ? reason.cause : undefined
  if (isMistake(cause)) return Effect.die(cause)
  const error = make(attempt, address, reason)
  if (cause !== undefined)
    Object.defineProperty(error, "cause", { value: withoutKey(cause, redact), configurable: true })
  return Effect.fail(error)
}

/** Whether an error comes from a mistake in a program. The errors of `fetch` have a cause, a code or other messages. */
const isMistake = (cause: unknown): boolean =>
  cause instanceof Error &&
  systemErrorIn(cause) === undefined &&
  (/^(?:Reference|Syntax|Range)Error$/.test(cause.name) ||
    (cause.name === "TypeError" &&
      / is not (?:a function|a constructor|iterable|defined)|^Cannot (?:read|set|access|destructure) /.test(
        cause.message
      )))

/** Copies the name, the message, the code and the stack of an error and of its causes, without the API key. */
const withoutKey = (cause: unknown, redact: Redact, depth = 0): unknown => {
  if (!(cause instanceof Error)) return redact(String(cause))
  const inner = cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined)
  const copy = new Error(
    redact(cause.message),
    inner === undefined || depth >= deepestCause ? undefined : { cause: withoutKey(inner, redact, depth + 1) }
  )
  const { code } = cause as { readonly code?: unknown }
  const own = {
    name: cause.name,
    stack: redact(cause.stack ?? ""),
    ...(Predicate.isString(code) && { code })
  }
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(copy, name, { value, configurable: true, enumerable: name === "code" })
  return copy
}

/** The longest chain of causes that is read. */
const deepestCause = 6

/** Returns the error of a transport failure before the response. */
export const connectFailure = (
  attempt: Attempt,
  address: string,
  cause: unknown
): ChemError.ConnectionFailed | ChemError.RequestTimeout => {
  const common = { endpoint: attempt.endpoint, attempts: attempt.attempt }
  const systemError = systemErrorIn(cause)
  if (systemError !== undefined && isConnectTimeout(systemError)) {
    const message = `no connection to ${address} within the timeout (${systemError.code}); check the address and the network`
    return new ChemError.RequestTimeout({ ...common, phase: "connect", message })
  }
  return new ChemError.ConnectionFailed({
    ...common,
    address,
    phase: "connect",
    ...(systemError === undefined ? {} : { code: systemError.code }),
    message:
      systemError !== undefined && ChemError.isReset(systemError.code)
        ? `the connection to ${address} was closed before a response (${explain(systemError)}); check the service and the network`
        : `cannot reach the service at ${address}${systemError === undefined ? "" : ` (${explain(systemError)})`}; ${advice(systemError)}`
  })
}

/** Returns the error of a transport failure within the response. */
export const bodyFailure = (
  attempt: Attempt,
  address: string,
  cause: unknown
): ChemError.ConnectionFailed => {
  const systemError = systemErrorIn(cause)
  return new ChemError.ConnectionFailed({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    address,
    phase: "body",
    ...(systemError === undefined ? {} : { code: systemError.code }),
    message: `the connection to ${address} was cut off during the response${systemError === undefined ? "" : ` (${explain(systemError)})`}; check the service and the network`
  })
}

/** `fetch` refuses ports of other protocols, e.g. 9, without a code. */
const badPort = "BAD_PORT"

/** The system's code of a failure, and the address if it has one. */
interface SystemError {
  readonly code: string
  readonly at: string
}

/** Finds the code of the system in an error of the HTTP client, or in its causes. */
const systemErrorIn = (cause: unknown): SystemError | undefined => {
  for (let depth = 0, at = cause; depth < deepestCause && Predicate.isObject(at); depth++) {
    // undici has the response of a proxy only as text.
    const proxyStatus = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/.exec(
      String(at["message"])
    )
    if (proxyStatus !== null) return { code: `PROXY_${proxyStatus[1] ?? proxyStatus[2]}`, at: "" }
    if (at["message"] === "bad port") return { code: badPort, at: "" }
    // undici gives its parser's error no code.
    const code = at["name"] === "HTTPParserError" ? (at["code"] ?? "HPE_INVALID_RESPONSE") : at["code"]
    if (Predicate.isString(code) && code !== "") {
      const { address, port } = at
      return { code, at: Predicate.isString(address) ? ` at ${address}${port ? `:${port}` : ""}` : "" }
    }
    const errors = at["errors"]
    at = Array.isArray(errors) && errors.length > 0 ? errors[0] : at["cause"]
  }
  return undefined
}

const isConnectTimeout = ({ code }: SystemError): boolean =>
  code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT"

/** Returns the code with its meaning. */
const explain = ({ code, at }: SystemError): string => {
  if (code.startsWith("PROXY_")) return `${code}: the proxy refused the connection`
  if (ChemError.isReset(code)) return `${code}: the other side closed the connection`
  if (ChemError.isNotHttp(code)) return `${code}: the response is not HTTP`
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return `${code}: the body has another length than announced`
  if (code === badPort) return `${code}: fetch never connects to a port of another protocol`
  if (isOfDecoding(code)) return `${code}: the compressed body is incomplete or damaged`
  switch (code) {
    case "ECONNREFUSED":
      return `${code}: nothing listens${at === "" ? " there" : at}`
    case "ENOTFOUND":
      return `${code}: there is no such host`
    case "EAI_AGAIN":
      return `${code}: the host name could not be resolved`
    default:
      return isOfTls(code) ? `${code}: no trusted TLS connection` : code
  }
}

const isOfDecoding = (code: string): boolean =>
  /^Z_|^ZSTD_|^ERR_(?:_ERROR_|ZLIB_|BROTLI_|TRAILING_JUNK)/.test(code)

const isOfTls = (code: string): boolean =>
  /^(?:EPROTO|UND_ERR_PRX_TLS|HOSTNAME_MISMATCH)$|^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_/.test(code)

/** The codes of a certificate that no trusted authority has signed. */
const isUntrusted = (code: string): boolean =>
  /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/.test(code)

/** Returns what to do about a failed connection. */
const advice = (systemError: SystemError | undefined): string => {
  const code = systemError?.code ?? ""
  if (code.startsWith("PROXY_")) return "check the proxy's address and credentials"
  if (code === badPort || ChemError.isNotHttp(code))
    return "check the address, its port, and whether it is an https:// one"
  if (isUntrusted(code))
    return "if you trust its authority, name the file of its certificate in NODE_EXTRA_CA_CERTS, or use the certificates of the system with NODE_OPTIONS=--use-system-ca"
  return isOfTls(code)
    ? "check that the address is an https:// one, and the service's certificate"
    : "check the address and that the service runs"
}
