/**
 * Makes `ChemError`s of foreign failures: of responses by status, of transport failures by cause (docs/service.md,
 * section 8). `attempt.ts` reads the response; `retry.ts` retries.
 */
import { Predicate } from "effect"
import type { BodyFault } from "../../calls/BodyReader.ts"
import { parseRetryAfter } from "../../pipeline/internal/retryAfter.ts"
import * as ChemError from "../ChemError.ts"
import { parseErrorBody } from "./errorBody.ts"
import type { Redact } from "./redaction.ts"

/** A call before its response: the endpoint, the attempt (from 1) and the number of values. */
export interface Attempt {
  readonly endpoint: string
  readonly attempt: number
  readonly batchSize: number
}

/** A response without a success status. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The time of the response, in milliseconds since 1970. */
  readonly now: number
}

export const refusal = (attempt: Attempt, answer: Refusal, redact: Redact): ChemError.ChemError => {
  const { status } = answer
  const body = parseErrorBody(answer.body, redact)
  const said = body.text === "" ? "" : `: ${body.text}`
  const common = { endpoint: attempt.endpoint, attempts: attempt.attempt, status }
  const gateway = body.isForeign ? { gateway: true as const } : {}
  const wait = parseRetryAfter(answer.headers["retry-after"], answer.now)
  const retryAfter = wait === undefined ? {} : { retryAfter: wait }

  // A gateway refuses a word in a request with 403 and a page; the key is not refused.
  if (status === 401 || (status === 403 && !body.isForeign)) {
    const message = `the service refused the API key (${status})${said}`
    return new ChemError.Unauthorized({ ...common, message })
  }
  // A batch without a known value gets an empty list.
  const isRouter = body.isBare && attempt.endpoint.endsWith("Batch")
  if (status === 404 && (isRouter || isAboutThePath(answer.body, body.text))) {
    const message = `the service has no such path (404)${said}; check the base URL`
    return new ChemError.InvalidRequest({ ...common, ...gateway, message })
  }
  if (status === 404 || isMiss(status, body.text, body.suggestions)) {
    const suggestions = body.suggestions ?? []
    const meant = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.slice(0, 5).join(", ")}?`
    const message = `not found (${status})${said}${meant}`
    return new ChemError.NotFound({ ...common, ...gateway, suggestions, message })
  }
  if (status === 408) {
    const { status: _, ...withoutStatus } = common
    return new ChemError.RequestTimeout({
      ...withoutStatus,
      phase: "headers",
      message: `the service timed out (408)${said}`
    })
  }
  if (status === 413 || (status === 400 && attempt.batchSize > 1 && saysTooMany(body.text))) {
    const message =
      attempt.batchSize > 1
        ? `the service takes fewer than ${attempt.batchSize} values in one call (${status})${said}; use a smaller batch size`
        : `the request is too large for the service (${status})${said}`
    return new ChemError.BatchTooLarge({ ...common, batchSize: attempt.batchSize, message })
  }
  if (status === 429) {
    const message = `the service limits the request rate (429)${said}; ${wait === undefined ? "ask for less at a time" : askedWait(wait)}`
    return new ChemError.RateLimited({ ...common, ...retryAfter, message })
  }
  if (status === 425 || status >= 500) {
    const isPermanent = status === 500 && body.isBare && attempt.batchSize > 1 && attempt.attempt > 1
    return new ChemError.ServiceFailure({
      ...common,
      ...retryAfter,
      ...(isPermanent ? { permanent: true as const } : {}),
      message: `the service failed (${status})${said}${wait === undefined ? "" : `; ${askedWait(wait)}`}`
    })
  }
  if (status >= 300 && status < 400) {
    const target = answer.headers["location"]
    const message = `the service redirects (${status})${target === undefined ? "" : ` to ${redact(target)}`}; use that as the base URL`
    return new ChemError.InvalidRequest({ ...common, message })
  }
  const by = body.isForeign ? "a gateway in front of the service" : "the service"
  return new ChemError.InvalidRequest({
    ...common,
    ...gateway,
    message: `${by} rejected the request (${status})${said}`
  })
}

/** The error of a transport failure before the response. */
export const unanswered = (
  attempt: Attempt,
  address: string,
  cause: unknown
): ChemError.ConnectionFailed | ChemError.RequestTimeout => {
  const about = { endpoint: attempt.endpoint, attempts: attempt.attempt }
  const trouble = systemTrouble(cause)
  if (trouble !== undefined && isConnectTimeout(trouble)) {
    const message = `no connection to ${address} in the time allowed (${trouble.code}); check the address and the network`
    return new ChemError.RequestTimeout({ ...about, phase: "connect", message })
  }
  return new ChemError.ConnectionFailed({
    ...about,
    address,
    phase: "connect",
    ...(trouble === undefined ? {} : { code: trouble.code }),
    message:
      trouble !== undefined && isReset(trouble.code)
        ? `the connection to ${address} broke off before an answer (${explain(trouble)})`
        : `cannot reach the service at ${address}${trouble === undefined ? "" : ` (${explain(trouble)})`}; ${advice(trouble)}`
  })
}

/** The error of a transport failure within the response. */
export const brokenOff = (attempt: Attempt, address: string, cause: unknown): ChemError.ConnectionFailed => {
  const trouble = systemTrouble(cause)
  return new ChemError.ConnectionFailed({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    address,
    phase: "body",
    ...(trouble === undefined ? {} : { code: trouble.code }),
    message: `the connection to ${address} broke off in the middle of an answer${trouble === undefined ? "" : ` (${explain(trouble)})`}`
  })
}

/** The error of a success status with an unexpected body. */
export const malformed = (
  attempt: Attempt,
  status: number,
  problem: BodyFault
): ChemError.MalformedResponse => {
  const at = problem.path === "" ? "" : ` at ${problem.path}`
  return new ChemError.MalformedResponse({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    status,
    path: problem.path,
    ...(problem.dialect === undefined ? {} : { dialect: problem.dialect }),
    message: `the service answered ${status} with something else than the expected data${at}: ${problem.reason}`
  })
}

const askedWait = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 600) return `it asks to wait ${seconds} s`
  return seconds < 172_800
    ? `it asks to wait ${Math.round(seconds / 60)} min`
    : `it asks to wait ${Math.round(seconds / 86_400)} days`
}

/**
 * Whether a 404 is about the path: a page, or the service's router (docs/service.md, section 8). The address is then
 * wrong, and no identifier unknown.
 */
const isAboutThePath = (body: string, text: string): boolean =>
  /^\s*</.test(body) || /^no static resource/i.test(text)

/** Whether a 400 is a miss: a search miss has suggestions, an unknown identifier a text in varying case. */
const isMiss = (status: number, text: string, suggestions: ReadonlyArray<string> | undefined): boolean =>
  status === 400 &&
  (suggestions !== undefined || /found 0 results|^dtx[sc]id with value .* not found/i.test(text))

/** Whether a 400 says that a batch is too large. Other texts may name another limit. */
const saysTooMany = (text: string): boolean =>
  /system supports .*at one time|batch exceeded maximum/i.test(text)

/** The system's code of a failure, and the address if it has one. */
interface Trouble {
  readonly code: string
  readonly at: string
}

const systemTrouble = (cause: unknown): Trouble | undefined => {
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

const isConnectTimeout = ({ code }: Trouble): boolean =>
  code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT"

const isReset = (code: string): boolean =>
  code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET"

const explain = ({ code, at }: Trouble): string => {
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

const advice = (trouble: Trouble | undefined): string => {
  if (trouble?.code.startsWith("PROXY_")) return "check the proxy's address and credentials"
  return trouble !== undefined && isOfTls(trouble.code)
    ? "check that the address is an https:// one, and the service's certificate"
    : "check the address and that the service runs"
}
