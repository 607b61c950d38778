/** Finds out whether a service responds where a redirect leads to. */
import { Effect } from "effect"
import { FetchHttpClient, type HttpClient, HttpClientRequest } from "effect/http"
import { readBody } from "./readBody.ts"

/** The longest time for the response of the target. */
const timeout = "5 seconds"

/** The largest body of it that is read, in bytes. */
const largestBody = 64 * 1024

/** Tells whether a service responds at this URL, i.e. with JSON of any status. */
export type Responds = (url: string) => Effect.Effect<boolean>

/** Requests the target of a redirect once, without the API key, and does not follow further redirects. */
export const make =
  (http: HttpClient.HttpClient): Responds =>
  (url) =>
    http.execute(HttpClientRequest.get(url)).pipe(
      Effect.flatMap((response) => {
        const { headers } = response
        return Effect.as(
          readBody(response, headers, largestBody),
          /\bjson\b/i.test(headers["content-type"] ?? "")
        )
      }),
      Effect.timeout(timeout),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.orElseSucceed(() => false)
    )
