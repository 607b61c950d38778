/**
 * Makes the HTTP client that derives from the contract, and adds the API key and the trace to its requests.
 *
 * `request.ts` turns its endpoints into calls; `requestEncoding.ts` says how a request differs from the contract.
 */
import { ChemicalApi } from "@chemstream/api"
import { Context, Effect, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Revalidation } from "../../pipeline/internal/revalidation.ts"
import { withoutRequestSpans, withTrace } from "../../pipeline/internal/trace.ts"
import type { Api } from "./request.ts"
import { encodeRequest } from "./requestEncoding.ts"

/** The service and its API key. */
export interface Settings {
  readonly baseUrl: string
  readonly key: Redacted.Redacted
  /** The request header with the key. */
  readonly keyHeader: string
  /** The query parameter with the page number. */
  readonly pageParameter: string
}

/** Makes the client. Sends no request. */
export const make = ({
  baseUrl,
  key,
  keyHeader,
  pageParameter
}: Settings): Effect.Effect<Api, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    // `fetch` would follow a redirect to another host and send the key there.
    const requestInit = Option.match(yield* Effect.serviceOption(FetchHttpClient.RequestInit), {
      onNone: () => ({ redirect: "manual" as const }),
      onSome: (init) => ({ redirect: "manual" as const, ...init })
    })
    const requestContext = Context.add(withoutRequestSpans, FetchHttpClient.RequestInit, requestInit)
    // Each step takes time in every request, so one step does all.
    const prepare = (
      request: HttpClientRequest.HttpClientRequest,
      context: Context.Context<never>
    ): HttpClientRequest.HttpClientRequest => {
      const revalidation = Context.get(context, Revalidation)
      const withKey = HttpClientRequest.setHeader(request, keyHeader, Redacted.value(key))
      const encoded = withTrace(encodeRequest(withKey, context, pageParameter), context)
      return revalidation === undefined
        ? encoded
        : HttpClientRequest.setHeader(encoded, "if-none-match", revalidation.etag)
    }
    return yield* HttpApiClient.make(ChemicalApi.ChemicalApi, {
      baseUrl,
      transformClient: (client) =>
        client.pipe(
          HttpClient.mapRequestEffect((request) =>
            Effect.contextWith((context: Context.Context<never>) => Effect.succeed(prepare(request, context)))
          ),
          HttpClient.transformResponse(Effect.provideContext(requestContext))
        )
    })
  })
