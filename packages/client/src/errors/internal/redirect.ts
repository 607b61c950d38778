/**
 * Reads where a response redirects to. `redirectTarget.ts` finds out whether a service responds there; `responseErrors.ts` words the error.
 */
import type { HttpClientResponse } from "effect/http"
import { inOneLine, type Redact } from "./redaction.ts"

/** Where a redirect leads to. */
export interface Redirect {
  /** Empty if it contains the API key. */
  readonly url: string
  /** The URL without the path and query of the endpoint. */
  readonly baseUrl: string
}

/** Returns where a response redirects to. `address` is the base URL of the client. Undefined: it does not redirect. */
export const redirectOf = (
  { headers, request, status }: HttpClientResponse.HttpClientResponse,
  address: string,
  redact: Redact
): Redirect | undefined => {
  const { url } = request
  const location = status >= 300 && status < 400 ? headers["location"] : undefined
  const target = location === undefined ? null : URL.parse(location, url)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const path = URL.parse(url)?.pathname.slice(new URL(address).pathname.replace(/\/$/, "").length) ?? ""
  const trimmed = target.pathname.replace(/\/+$/, "")
  const endpoint = path.replace(/\/+$/, "")
  const prefix = endpoint !== "" && trimmed.endsWith(endpoint) ? trimmed.slice(0, -endpoint.length) : trimmed
  const isPublic = redact(target.href) === target.href
  return { url: isPublic ? target.href : "", baseUrl: inOneLine(redact(`${target.origin}${prefix}`)) }
}
