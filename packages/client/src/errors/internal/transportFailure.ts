/**
 * Makes the error of an attempt without a complete response, by the cause in the HTTP client.
 *
 * `classify.ts` makes the errors of responses.
 */
import { Predicate } from "effect"
import * as ChemError from "../ChemError.ts"
import type { Attempt } from "./classify.ts"

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
      systemError !== undefined && isReset(systemError.code)
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

/** The system's code of a failure, and the address if it has one. */
interface SystemError {
  readonly code: string
  readonly at: string
}

const systemErrorIn = (cause: unknown): SystemError | undefined => {
  for (let depth = 0, at = cause; depth < 6 && Predicate.isObject(at); depth++) {
    // undici has the response of a proxy only as text.
    const proxyStatus = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/.exec(
      String(at["message"])
    )
    if (proxyStatus !== null) return { code: `PROXY_${proxyStatus[1] ?? proxyStatus[2]}`, at: "" }
    const code = at["code"]
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

const isReset = (code: string): boolean =>
  code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET"

const explain = ({ code, at }: SystemError): string => {
  if (code.startsWith("PROXY_")) return `${code}: the proxy refused the connection`
  if (isReset(code)) return `${code}: the other side closed the connection`
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

const isOfTls = (code: string): boolean =>
  code === "EPROTO" || code === "HOSTNAME_MISMATCH" || /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_/.test(code)

const advice = (systemError: SystemError | undefined): string => {
  if (systemError?.code.startsWith("PROXY_")) return "check the proxy's address and credentials"
  return systemError !== undefined && isOfTls(systemError.code)
    ? "check that the address is an https:// one, and the service's certificate"
    : "check the address and that the service runs"
}
