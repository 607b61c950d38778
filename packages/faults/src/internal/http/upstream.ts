/**
 * A request and its answer, whole, and how the service behind the proxy is asked.
 */
import { request as send } from "node:http"
import { request as sendSecurely } from "node:https"

/** A request as it came. */
export interface ProxyRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** An answer; header names are in lower case. */
export interface ProxyResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

/** The service behind: the address of one that runs, or a function that answers. */
export type Upstream = string | ((request: ProxyRequest) => ProxyResponse | Promise<ProxyResponse>)

/** Headers of one connection, and those that the proxy sets itself. */
const hopHeaders = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "date"]

/** The headers that pass on. */
export const forwardedHeaders = (
  headers: ProxyResponse["headers"]
): Record<string, string | ReadonlyArray<string>> => {
  const forwarded: Record<string, string | ReadonlyArray<string>> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopHeaders.includes(name)) forwarded[name] = value
  }
  return forwarded
}

/** The beginning of a body, up to a share of it. Never the whole: at least the last byte is gone. */
export const beginning = (body: Uint8Array, share: number): Uint8Array =>
  body.subarray(0, Math.max(0, Math.min(body.length - 1, Math.floor(body.length * share))))

/** Asks the service. Rejects where it cannot be reached or breaks off. */
export const forward = async (upstream: Upstream, request: ProxyRequest): Promise<ProxyResponse> => {
  if (typeof upstream === "function") return upstream(request)
  const url = new URL(upstream)
  url.pathname = url.pathname.replace(/\/+$/, "")
  const target = `${url.origin}${url.pathname === "/" ? "" : url.pathname}${request.url}`
  return new Promise((resolve, reject) => {
    const headers = {
      ...forwardedHeaders(request.headers),
      // What is packed could not be cut into records.
      "accept-encoding": "identity",
      "content-length": request.body.length
    }
    const outgoing = (url.protocol === "https:" ? sendSecurely : send)(
      target,
      { method: request.method, headers },
      (incoming) => {
        const parts: Array<Buffer> = []
        incoming.on("data", (part: Buffer) => parts.push(part))
        incoming.on("error", reject)
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 502,
            headers: incoming.headers,
            body: Buffer.concat(parts)
          })
        )
      }
    )
    outgoing.on("error", reject)
    outgoing.end(request.body)
  })
}
