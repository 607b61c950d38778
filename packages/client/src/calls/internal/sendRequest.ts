/**
 * Sends the requests of a client: encodes them, and adds the API key and the trace.
 *
 * `callOperation.ts` makes calls of them; `requestEncoding.ts` writes a request in the form of a dialect.
 */
import type { Operation } from "@chemstream/api"
import { Context, Effect, Option, Redacted } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { Revalidation } from "../../pipeline/internal/revalidation.ts"
import { withoutRequestSpans, withTrace } from "../../pipeline/internal/traceHeaders.ts"
import { encodeRequest, type RequestEncoding } from "./requestEncoding.ts"

/** The service and its API key. */
export interface Settings {
  readonly baseUrl: string
  readonly key: Redacted.Redacted
  readonly keyHeader: string
  /** The query parameter with the page number. */
  readonly pageParameter: string
}

/** Sends a request once: an operation with its values, in an encoding. */
export type Send = (
  operation: Operation.Operation,
  values: Operation.Values,
  encoding: RequestEncoding
) => Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

/** Makes the sender. */
export const make = ({
  baseUrl,
  key,
  keyHeader,
  pageParameter
}: Settings): Effect.Effect<Send, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    // `fetch` would follow a redirect to another host and send the key there.
    const requestInit = Option.match(yield* Effect.serviceOption(FetchHttpClient.RequestInit), {
      onNone: () => ({ redirect: "manual" as const }),
      onSome: (init) => ({ redirect: "manual" as const, ...init })
    })
    const requestContext = Context.add(withoutRequestSpans, FetchHttpClient.RequestInit, requestInit)
    return (operation, values, encoding) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const revalidation = Context.get(context, Revalidation)
        const encoded = encodeRequest(operation, values, encoding, pageParameter)
        const request = HttpClientRequest.prependUrl(
          HttpClientRequest.setHeader(withTrace(encoded, context), keyHeader, Redacted.value(key)),
          baseUrl
        )
        return http.execute(
          revalidation === undefined
            ? request
            : HttpClientRequest.setHeader(request, "if-none-match", revalidation.etag)
        )
      }).pipe(Effect.provideContext(requestContext))
  })
