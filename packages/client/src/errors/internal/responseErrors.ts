/**
 * Makes the error of a refused or malformed response, with its message, by status and body (docs/service.md, section 8).
 *
 * `transportErrors.ts` makes the error of an attempt without a complete response. `errorBody.ts` reads the body, and `retryAfter.ts`
 * the wait that the service demands; `pipeline/internal/attempt.ts` calls them.
 */
import type { BodyFault } from "../../BodyReader.ts"
import * as ChemError from "../ChemError.ts"
import { type ErrorBody, parseErrorBody } from "./errorBody.ts"
import type { Redact } from "./redaction.ts"
import type { Redirect } from "./redirect.ts"
import { parseRetryAfter } from "./retryAfter.ts"

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
  /** Where a redirect leads to, and whether a service responds there. */
  readonly redirect?: (Redirect & { readonly isService: boolean }) | undefined
}

/** Returns the error of a refusal. */
export const refusal = (attempt: Attempt, response: Refusal, redact: Redact): ChemError.ChemError => {
  const facts = factsOf(attempt, response, redact)
  const { body, status } = facts
  // A gateway refuses a word in a request with 403 and a page; the key is not refused.
  if (status === 401 || (status === 403 && !body.isFromGateway)) return unauthorized(facts)
  if (status === 404 && isWrongPath(attempt, response.body, body)) return wrongPath(facts)
  if (status === 404 || isMiss(status, body.text, body.suggestions)) return notFound(facts)
  if (status === 408) return requestTimeout(facts)
  if (status === 413 || (status === 400 && attempt.batchSize > 1 && isBatchTooLarge(body.text))) {
    return batchTooLarge(facts)
  }
  if (status === 429) return rateLimited(facts)
  if (status === 425 || status >= 500) return serviceFailure(facts)
  if (status >= 300 && status < 400) return redirected(facts, response)
  return rejected(facts)
}

/** The parts of a refusal that its error contains. */
interface Facts {
  readonly attempt: Attempt
  readonly status: number
  readonly body: ErrorBody
  /** The text of the body as the end of a message. */
  readonly reason: string
  readonly common: { readonly endpoint: string; readonly attempts: number; readonly status: number }
  readonly gateway: { readonly gateway?: true }
  readonly wait: { readonly retryAfter?: number }
}

const factsOf = (attempt: Attempt, { body, headers, now, status }: Refusal, redact: Redact): Facts => {
  const errorBody = parseErrorBody(body, redact)
  const retryAfter = parseRetryAfter(headers["retry-after"], now)
  return {
    attempt,
    status,
    body: errorBody,
    reason: errorBody.text === "" ? "" : `: ${errorBody.text}`,
    common: { endpoint: attempt.endpoint, attempts: attempt.attempt, status },
    gateway: errorBody.isFromGateway ? { gateway: true } : {},
    wait: retryAfter === undefined ? {} : { retryAfter }
  }
}

const unauthorized = ({ common, reason, status }: Facts): ChemError.Unauthorized =>
  new ChemError.Unauthorized({ ...common, message: `the service refused the API key (${status})${reason}` })

const wrongPath = ({ common, gateway, reason }: Facts): ChemError.InvalidRequest =>
  new ChemError.InvalidRequest({
    ...common,
    ...gateway,
    message: `the service has no such path (404)${reason}; check the base URL`
  })

const notFound = ({ body, common, gateway, reason, status }: Facts): ChemError.NotFound => {
  const suggestions = body.suggestions ?? []
  const message = `not found (${status})${reason}${didYouMean(suggestions)}`
  return new ChemError.NotFound({ ...common, ...gateway, suggestions, message })
}

const requestTimeout = ({ attempt, reason }: Facts): ChemError.RequestTimeout =>
  new ChemError.RequestTimeout({
    endpoint: attempt.endpoint,
    attempts: attempt.attempt,
    phase: "headers",
    message: `the service timed out (408)${reason}`
  })

const batchTooLarge = ({
  attempt: { batchSize },
  common,
  reason,
  status
}: Facts): ChemError.BatchTooLarge => {
  const message =
    batchSize > 1
      ? `the service takes fewer than ${batchSize} values in one call (${status})${reason}; use a smaller batch size`
      : `the request is too large for the service (${status})${reason}`
  return new ChemError.BatchTooLarge({ ...common, batchSize, message })
}

const rateLimited = ({ common, reason, wait }: Facts): ChemError.RateLimited => {
  const advice =
    wait.retryAfter === undefined ? "send fewer requests per second" : retryAdvice(wait.retryAfter)
  const message = `the service throttled the request (429)${reason}; ${advice}`
  return new ChemError.RateLimited({ ...common, ...wait, message })
}

const serviceFailure = ({ attempt, body, common, reason, status, wait }: Facts): ChemError.ServiceFailure => {
  const isPermanent = status === 500 && body.lacksReason && attempt.batchSize > 1 && attempt.attempt > 1
  const advice = wait.retryAfter === undefined ? "" : `; ${retryAdvice(wait.retryAfter)}`
  return new ChemError.ServiceFailure({
    ...common,
    ...wait,
    ...(isPermanent ? { permanent: true as const } : {}),
    message: `the service failed (${status})${reason}${advice}`
  })
}

const redirected = ({ common, status }: Facts, { redirect }: Refusal): ChemError.InvalidRequest => {
  const to = redirect === undefined ? "" : ` to ${redirect.baseUrl}`
  const advice =
    redirect?.isService === true
      ? `a service responds there: use ${redirect.baseUrl} as the base URL`
      : redirect === undefined
        ? "check the base URL"
        : "no service responds there: check the base URL, or sign in to the network"
  return new ChemError.InvalidRequest({
    ...common,
    redirect: redirect?.baseUrl ?? "",
    message: `the service redirects (${status})${to}; ${advice}`
  })
}

const rejected = ({ body, common, gateway, reason, status }: Facts): ChemError.InvalidRequest => {
  const sender = body.isFromGateway ? "a gateway in front of the service" : "the service"
  return new ChemError.InvalidRequest({
    ...common,
    ...gateway,
    message: `${sender} rejected the request (${status})${reason}`
  })
}

/** Returns the suggestions as the end of a message. */
export const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.slice(0, 5).join(", ")}?`

/** The error of a success status with an unexpected body. `page`: its title, if it is a web page. */
export const malformedResponse = (
  { attempt: attempts, endpoint }: Attempt,
  status: number,
  { dialect, path, reason }: BodyFault,
  page?: string
): ChemError.MalformedResponse => {
  const common = { endpoint, attempts, status }
  if (page !== undefined) {
    const title = page === "" ? "" : ` (${JSON.stringify(page)})`
    const message = `a web page${title} came instead of the data (${status}); check the base URL, or sign in to the network`
    return new ChemError.MalformedResponse({ ...common, path: "", page, message })
  }
  const message = `the response is malformed (${status})${path === "" ? "" : ` at ${path}`}: ${reason}`
  return new ChemError.MalformedResponse({
    ...common,
    path,
    ...(dialect === undefined ? {} : { dialect }),
    message
  })
}

const retryAdvice = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 600) return `retry after ${seconds} s`
  return seconds < 172_800
    ? `retry after ${Math.round(seconds / 60)} min`
    : `retry after ${Math.round(seconds / 86_400)} days`
}

/**
 * Whether a 404 is about the path, not about an identifier: a web page, or the service's router (docs/service.md,
 * section 8). The address is then wrong. A batch of unknown values gets an empty list, so a 404 to a batch comes from
 * the router.
 */
const isWrongPath = (attempt: Attempt, body: string, { lacksReason, text }: ErrorBody): boolean =>
  (lacksReason && attempt.endpoint.endsWith("Batch")) ||
  /^\s*</.test(body) ||
  /^no static resource/i.test(text)

/** Whether a 400 is a miss: a search miss has suggestions, an unknown identifier or name a text in varying case. */
const isMiss = (status: number, text: string, suggestions: ReadonlyArray<string> | undefined): boolean =>
  status === 400 &&
  (suggestions !== undefined || /found 0 results|^(dtx[sc]id|list name) with value .* not found/i.test(text))

/** Whether a 400 says that a batch is too large. Other texts may name another limit. */
const isBatchTooLarge = (text: string): boolean =>
  /system supports .*at one time|batch exceeded maximum/i.test(text)
