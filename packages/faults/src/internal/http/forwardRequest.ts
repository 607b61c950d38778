/** Forwards a request to the service behind the proxy, and defines complete requests and responses. */
import { once } from "node:events"
import { type IncomingMessage, request as send } from "node:http"
import { request as sendSecurely } from "node:https"
import { buffer } from "node:stream/consumers"

/** A request as the proxy received it. */
export interface ProxyRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** A response. Header names are in lower case. */
export interface ProxyResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

/** The service behind the proxy: its base URL, or a function that responds. */
export type Upstream = string | ((request: ProxyRequest) => ProxyResponse | Promise<ProxyResponse>)

/** Headers that belong to one connection, and headers that the proxy sets itself. */
const hopHeaders = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "date"]

/** Returns the headers without those of the connection. */
export const forwardedHeaders = (
  headers: ProxyResponse["headers"]
): Record<string, string | ReadonlyArray<string>> => {
  const forwarded: Record<string, string | ReadonlyArray<string>> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopHeaders.includes(name)) forwarded[name] = value
  }
  return forwarded
}

/** Returns the first part of a body, up to a share of it, and always without the last byte. */
export const firstPart = (body: Uint8Array, share: number): Uint8Array =>
  body.subarray(0, Math.max(0, Math.min(body.length - 1, Math.floor(body.length * share))))

/** Sends the request to the service. Rejects if the service cannot be reached or breaks off. */
export const forward = async (upstream: Upstream, request: ProxyRequest): Promise<ProxyResponse> => {
  if (typeof upstream === "function") return upstream(request)
  const url = new URL(upstream)
  url.pathname = url.pathname.replace(/\/+$/, "")
  const target = `${url.origin}${url.pathname === "/" ? "" : url.pathname}${request.url}`
  const headers = {
    ...forwardedHeaders(request.headers),
    // Compressed bodies could not be split into records.
    "accept-encoding": "identity",
    "content-length": request.body.length
  }
  const outgoing = (url.protocol === "https:" ? sendSecurely : send)(target, {
    method: request.method,
    headers
  })
  outgoing.end(request.body)
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage]
  // The response has the errors that follow.
  outgoing.on("error", () => {})
  return { status: incoming.statusCode ?? 502, headers: incoming.headers, body: await buffer(incoming) }
}
