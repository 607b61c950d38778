/**
 * One call: send, read the whole answer, classify a failure, wait, try again.
 *
 * Knows no endpoint: how a request is made the caller says, how a body becomes a value its `BodyReader`.
 */
import { Clock, Effect, Random, Result } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import type { BodyReader } from "../BodyReader.ts"
import { CallObserver } from "../CallObserver.ts"
import * as ChemError from "../ChemError.ts"
import { nextDelay, type RetryPolicy } from "../RetryPolicy.ts"
import * as classify from "./classify.ts"
import { readBody } from "./readBody.ts"

/** As much of the body of an error as is read, in bytes: more than any message a person would read. */
const longestRefusal = 64 * 1024

export interface Settings {
  /** The base URL, for messages. */
  readonly address: string
  readonly retry: RetryPolicy
  /** The longest body of a success that is read, in bytes. */
  readonly maxBodyBytes: number
  /** The time one attempt may take until its body is complete, in milliseconds. */
  readonly timeout: number
}

export interface Call<A> {
  /** The endpoint in the contract, e.g. `details.byDtxsid`. */
  readonly endpoint: string
  /** How many values the request carries. */
  readonly batchSize: number
  readonly send: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
  readonly read: BodyReader<A>
}

export const run = <A>(settings: Settings, call: Call<A>): Effect.Effect<A, ChemError.ChemError> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => tryFrom(settings, call, started, 1))

const tryFrom = <A>(
  settings: Settings,
  call: Call<A>,
  started: number,
  attempt: number
): Effect.Effect<A, ChemError.ChemError> =>
  Effect.catch(tryOnce(settings, call, attempt), (error) =>
    Effect.gen(function* () {
      const elapsed = (yield* Clock.currentTimeMillis) - started
      const random = yield* Random.next
      const delay = nextDelay(settings.retry, error, { attempt, elapsed, random })
      if (delay === undefined) return yield* Effect.fail(error)
      const observer = yield* CallObserver
      observer.onRetry(error, delay)
      yield* Effect.sleep(delay)
      return yield* tryFrom(settings, call, started, attempt + 1)
    })
  )

const tryOnce = <A>(
  settings: Settings,
  call: Call<A>,
  attempt: number
): Effect.Effect<A, ChemError.ChemError> => {
  const about: classify.Attempt = { endpoint: call.endpoint, attempt, batchSize: call.batchSize }
  return Effect.gen(function* () {
    const observer = yield* CallObserver
    observer.onRequest(call.endpoint)
    const response = yield* Effect.mapError(call.send, (error) =>
      classify.brokenConnection(about, settings.address, "connect", error.reason)
    )
    const isRefusal = response.status < 200 || response.status >= 300
    const limit = isRefusal ? longestRefusal : settings.maxBodyBytes
    const body = yield* Effect.mapError(readBody(response, limit), (error) =>
      classify.brokenConnection(about, settings.address, "body", error.reason)
    )
    observer.onBody(call.endpoint, body.bytes.length)
    if (isRefusal) {
      const now = yield* Clock.currentTimeMillis
      const text = new TextDecoder().decode(body.bytes)
      return yield* Effect.fail(
        classify.refusal(about, { status: response.status, headers: response.headers, body: text, now })
      )
    }
    if (body.isCut) {
      const reason = `the body is longer than the ${limit} bytes that are read; use a smaller batch size`
      return yield* Effect.fail(classify.malformed(about, response.status, { path: "", reason }))
    }
    const result = call.read(body.bytes)
    if (Result.isSuccess(result)) return result.success
    return yield* Effect.fail(classify.malformed(about, response.status, result.failure))
  }).pipe(
    Effect.timeoutOrElse({
      duration: settings.timeout,
      orElse: () =>
        Effect.fail(
          new ChemError.RequestTimeout({
            endpoint: call.endpoint,
            attempts: attempt,
            message: `no complete answer from ${settings.address} within ${settings.timeout / 1000} s; allow more time or use a smaller batch size`
          })
        )
    })
  )
}
