/**
 * Foreign failures become `ChemError`s here, and only here: answers by their status, transport failures by their
 * cause (wire facts, Errors). Plain functions; reading the answer and trying again are left to `call.ts`.
 */
import { Predicate } from "effect"
import * as ChemError from "../ChemError.ts"
import { parseErrorBody } from "./errorBody.ts"
import { parseRetryAfter } from "./retryAfter.ts"

/** What is known about a call before its answer: the endpoint, the attempt (from 1) and how many values it carries. */
export interface Attempt {
  readonly endpoint: string
  readonly attempt: number
  readonly batchSize: number
}

/** An answer with a status other than success. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The time of the answer, in milliseconds since the epoch. */
  readonly now: number
}

export const refusal = (attempt: Attempt, answer: Refusal): ChemError.ChemError => {
  const { status } = answer
  const body = parseErrorBody(answer.body)
  const said = body.text === "" ? "" : `: ${body.text}`
  const common = { endpoint: attempt.endpoint, attempts: attempt.attempt, status }
  const wait = parseRetryAfter(answer.headers["retry-after"], answer.now)
  const retryAfter = wait === undefined ? {} : { retryAfter: wait }

  if (status === 401 || status === 403) {
    const message = `the service refused the API key (${status})${said}; check CHEMSTREAM_API_KEY or the key file`
    return new ChemError.Unauthorized({ ...common, message })
  }
  if (status === 404 || isSearchMiss(status, body.text, body.suggestions)) {
    const suggestions = body.suggestions ?? []
    const meant = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.slice(0, 5).join(", ")}?`
    return new ChemError.NotFound({ ...common, suggestions, message: `not found (${status})${said}${meant}` })
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
    const message = `the service limits the request rate (429)${said}; ask for less at a time`
    return new ChemError.RateLimited({ ...common, ...retryAfter, message })
  }
  if (status === 425 || status >= 500) {
    return new ChemError.ServiceFailure({
      ...common,
      ...retryAfter,
      message: `the service failed (${status})${said}`
    })
  }
  if (status >= 300 && status < 400) {
    const target = answer.headers["location"]
    const message = `the service redirects (${status})${target === undefined ? "" : ` to ${target}`}; use that as the base URL`
    return new ChemError.InvalidRequest({ ...common, message })
  }
  return new ChemError.InvalidRequest({
    ...common,
    message: `the service rejected the request (${status})${said}`
  })
}

/** A failure of the transport, before (`"connect"`) or within (`"body"`) the answer. */
export const brokenConnection = (
  attempt: Attempt,
  address: string,
  phase: "connect" | "body",
  cause: unknown
): ChemError.ConnectionFailed => {
  const code = systemCode(cause)
  const reason = code === undefined ? "" : ` (${explainCode(code)})`
  return new ChemError.ConnectionFailed({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    address,
    phase,
    ...(code === undefined ? {} : { code }),
    message:
      phase === "connect"
        ? `cannot reach the service at ${address}${reason}; check the address and that the service runs`
        : `the connection to ${address} broke off in the middle of an answer${reason}`
  })
}

/** A success status whose body is not the answer that was asked for. */
export const malformed = (
  attempt: Attempt,
  status: number,
  problem: { readonly path: string; readonly reason: string }
): ChemError.MalformedResponse => {
  const at = problem.path === "" ? "" : ` at ${problem.path}`
  return new ChemError.MalformedResponse({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    status,
    path: problem.path,
    message: `the service answered ${status} with something else than the expected data${at}: ${problem.reason}`
  })
}

const isSearchMiss = (
  status: number,
  text: string,
  suggestions: ReadonlyArray<string> | undefined
): boolean => status === 400 && (suggestions !== undefined || /found 0 results/i.test(text))

const saysTooMany = (text: string): boolean => /too (many|large|big)|exceed|at most|maximum|limit/i.test(text)

const systemCode = (cause: unknown): string | undefined => {
  for (let depth = 0, at = cause; depth < 5 && Predicate.isObject(at); depth++) {
    const code = at["code"]
    if (Predicate.isString(code) && code !== "") return code
    const errors = at["errors"]
    at = Array.isArray(errors) && errors.length > 0 ? errors[0] : at["cause"]
  }
  return undefined
}

const explainCode = (code: string): string => {
  switch (code) {
    case "ECONNREFUSED":
      return "ECONNREFUSED: nothing listens there"
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${code}: the host name could not be resolved`
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return `${code}: the other side closed the connection`
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      return `${code}: no answer to the connection attempt`
    default:
      return code
  }
}
