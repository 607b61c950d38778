/**
 * Makes one attempt of a call: sends its request, receives the whole response, reads it, and makes the error of a failure.
 *
 * `retry.ts` retries. `errors/internal` words the errors: `responseErrors.ts` those of responses, `transportErrors.ts` those of
 * connections.
 */
import { Search } from "@chemstream/api"
import { Clock, Effect, Result } from "effect"
import type { HttpClientResponse } from "effect/http"
import type { BodyFault, BodyReader } from "../../BodyReader.ts"
import * as ChemError from "../../errors/ChemError.ts"
import { pageTitle } from "../../errors/internal/errorBody.ts"
import { inOneLine, type Redact } from "../../errors/internal/redaction.ts"
import { redirectOf } from "../../errors/internal/redirect.ts"
import { type Attempt, malformedResponse, refusal } from "../../errors/internal/responseErrors.ts"
import { bodyFailure, connectFailure, failWith } from "../../errors/internal/transportErrors.ts"
import { CallObserver } from "../CallObserver.ts"
import type { Call, CallResponse } from "./pipelineCall.ts"
import { type Body, readBody } from "./readBody.ts"
import type { Responds } from "./redirectTarget.ts"
import { Revalidation } from "./revalidation.ts"
import * as timeouts from "./timeouts.ts"

/** The largest part of an error body that is read, in bytes. */
const longestErrorBody = 64 * 1024

/** What the attempts of a client have in common. */
export interface Settings {
  /** The base URL, for messages. */
  readonly address: string
  /** The largest body of a success, in bytes. */
  readonly maxBodyBytes: number
  /** The timeouts of headers and body, in milliseconds. */
  readonly timeouts: timeouts.Limits
  /** Removes the API key from texts of the service, before they become part of an error. */
  readonly redact: Redact
  /** Tells whether a service responds where a redirect leads to. */
  readonly responds: Responds
}

/** A received response, whose value is not read yet. */
export type UnreadResponse<A> = Effect.Effect<CallResponse<A>, ChemError.ChemError>

/** Makes the attempt of this number, from 1, up to the end of the body. */
export const attempt = <A>(
  settings: Settings,
  call: Call<A>,
  number: number
): Effect.Effect<UnreadResponse<A>, ChemError.ChemError> => {
  const details: Attempt = { endpoint: call.endpoint, attempt: number, batchSize: call.batchSize }
  const start = (onHeaders: () => void) => send(settings, call, details, onHeaders)
  return timeouts.withTimeouts(settings.timeouts, start, (phase) => timeoutError(settings, details, phase))
}

/** Sends the request, receives the body, and returns how to read it. */
const send = Effect.fnUntraced(function* <A>(
  settings: Settings,
  call: Call<A>,
  details: Attempt,
  onHeaders: () => void
): Effect.fn.Return<UnreadResponse<A>, ChemError.ChemError> {
  const observer = yield* CallObserver
  observer.onRequest(call.endpoint)
  const response = yield* call.send.pipe(
    Effect.catch((error) => failWith(connectFailure, details, settings, error.reason))
  )
  onHeaders()
  const { headers, status } = response
  const isRefusal = status < 200 || status >= 300
  const limit = isRefusal ? longestErrorBody : settings.maxBodyBytes
  const body = yield* readBody(response, headers, limit).pipe(
    Effect.catch((error) => failWith(bodyFailure, details, settings, error.reason))
  )
  observer.onBody(call.endpoint, body.bytes.length, status)
  const revalidation = status === 304 ? yield* Revalidation : undefined
  if (isRefusal && revalidation === undefined) return yield* refuse(settings, details, response, body)
  const reason = unusable(body, limit, settings.redact)
  if (reason !== undefined)
    return yield* Effect.fail(malformedResponse(details, status, { path: "", reason }))
  const bytes = revalidation?.body ?? body.bytes
  const etag = headers["etag"] ?? revalidation?.etag
  const capped = headers[Search.cappedHeader] === "true" ? "capped" : undefined
  const truncated = revalidation === undefined ? capped : revalidation.truncated
  const read = Effect.suspend(() => {
    const result = call.read(bytes, truncated)
    return Result.isFailure(result)
      ? Effect.fail(
          malformedResponse(
            details,
            status,
            withoutKey(bytes, call.read, result.failure, settings.redact),
            pageTitle(new TextDecoder().decode(bytes.subarray(0, longestErrorBody)), settings.redact)
          )
        )
      : Effect.succeed({ value: result.success, bytes, etag, truncated })
  })
  // A page comes from another server. It fails here, before it counts as a response of the service.
  return isPage(bytes) ? Effect.succeed(yield* read) : read
})

/** Fails with the error of a response without a success status. */
const refuse = Effect.fnUntraced(function* (
  { address, redact, responds }: Settings,
  details: Attempt,
  response: HttpClientResponse.HttpClientResponse,
  body: Body
): Effect.fn.Return<never, ChemError.ChemError> {
  const { headers, status } = response
  // A date in the response comes from the service's clock, which may differ from this machine's.
  const serviceTime = Date.parse(headers["date"] ?? "")
  const now = Number.isNaN(serviceTime) ? yield* Clock.currentTimeMillis : serviceTime
  const text =
    body.encoding === undefined ? new TextDecoder().decode(body.bytes) : unreadable(body.encoding, redact)
  const redirect = redirectOf(response, address, redact)
  const isService = redirect === undefined || redirect.url === "" ? false : yield* responds(redirect.url)
  return yield* Effect.fail(
    refusal(
      details,
      { status, headers, body: text, now, redirect: redirect && { ...redirect, isService } },
      redact
    )
  )
})

const isPage = (bytes: Uint8Array): boolean =>
  pageTitle(new TextDecoder().decode(bytes.subarray(0, 64)), (text) => text) !== undefined

/** Returns why the body of a success cannot be read. Undefined: it can. */
const unusable = ({ encoding, isCut }: Body, limit: number, redact: Redact): string | undefined => {
  if (encoding !== undefined) return unreadable(encoding, redact)
  return isCut ? `the body is longer than the limit of ${limit} bytes; use a smaller batch size` : undefined
}

/** Describes a body in an encoding that cannot be undone. */
const unreadable = (encoding: string, redact: Redact): string =>
  `its body has the content encoding ${JSON.stringify(redact(encoding).slice(0, 40))}, which this client cannot decode and did not ask for; check the gateway in front of the service`

/**
 * Returns the fault of a body, without the API key. A body with the key is read again without it, because an excerpt
 * may end with a part of the key.
 */
const withoutKey = (
  bytes: Uint8Array,
  read: BodyReader<unknown>,
  problem: BodyFault,
  redact: Redact
): BodyFault => {
  const text = new TextDecoder().decode(bytes)
  const clean = redact(text)
  const cleanResult = clean === text ? undefined : read(new TextEncoder().encode(clean))
  const { path, reason } =
    cleanResult !== undefined && Result.isFailure(cleanResult) ? cleanResult.failure : problem
  return { ...problem, path: inOneLine(redact(path)), reason: inOneLine(redact(reason)) }
}

const missingParts: Readonly<Record<timeouts.Phase, string>> = {
  headers: "no response",
  body: "no complete response"
}

/** The error of an attempt that took too long. */
const timeoutError = (
  settings: Settings,
  details: Attempt,
  phase: timeouts.Phase
): ChemError.RequestTimeout =>
  new ChemError.RequestTimeout({
    endpoint: details.endpoint,
    attempts: details.attempt,
    phase,
    message: `${missingParts[phase]} from ${settings.address} within ${settings.timeouts[phase] / 1000} s; raise the timeout or use a smaller batch size`
  })
