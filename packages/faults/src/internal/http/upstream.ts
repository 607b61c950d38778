/**
 * A request and its answer, whole, and how the service behind the proxy is asked.
 */
import { request as send } from "node:http"
import { request as sendSecurely } from "node:https"

/** A request as it came. */
export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** An answer; header names are in lower case. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

/** The service behind: the address of one that runs, or a function that answers. */
export type Upstream = string | ((asked: Asked) => Answer | Promise<Answer>)

/** Headers of one connection, and those that the proxy sets itself. */
const ownHeaders = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "date"]

/** The headers that pass on. */
export const passing = (headers: Answer["headers"]): Record<string, string | ReadonlyArray<string>> => {
  const passed: Record<string, string | ReadonlyArray<string>> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ownHeaders.includes(name)) passed[name] = value
  }
  return passed
}

/** The beginning of a body, up to a share of it. Never the whole: at least the last byte is gone. */
export const beginning = (body: Uint8Array, share: number): Uint8Array =>
  body.subarray(0, Math.max(0, Math.min(body.length - 1, Math.floor(body.length * share))))

/** Asks the service. Rejects where it cannot be reached or breaks off. */
export const ask = async (upstream: Upstream, asked: Asked): Promise<Answer> => {
  if (typeof upstream === "function") return upstream(asked)
  const url = new URL(upstream)
  url.pathname = url.pathname.replace(/\/+$/, "")
  const target = `${url.origin}${url.pathname === "/" ? "" : url.pathname}${asked.url}`
  return new Promise((resolve, reject) => {
    const headers = {
      ...passing(asked.headers),
      // What is packed could not be cut into records.
      "accept-encoding": "identity",
      "content-length": asked.body.length
    }
    const outgoing = (url.protocol === "https:" ? sendSecurely : send)(
      target,
      { method: asked.method, headers },
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
    outgoing.end(asked.body)
  })
}
