/**
 * A service on loopback with scripted responses. It records its requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** A received request. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Responds to a request. */
export type Responder = (response: ServerResponse, request: Request) => void

export interface ScriptedService {
  readonly url: string
  readonly requests: ReadonlyArray<Request>
}

/** Starts a service that gives each request the next response, and repeats the last one. */
export const make = (
  ...responders: ReadonlyArray<Responder>
): Effect.Effect<ScriptedService, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const requests: Array<Request> = []
      const server = createServer((incoming, response) => {
        const chunks: Array<Buffer> = []
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
        incoming.on("end", () => {
          const request = {
            method: incoming.method ?? "",
            url: incoming.url ?? "",
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString()
          }
          const respond = responders[Math.min(requests.length, responders.length - 1)]
          requests.push(request)
          respond?.(response, request)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  )

export const reply =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { "content-type": "application/json" }
  ): Responder =>
  (response) =>
    response.writeHead(status, headers).end(body)

export const problem = (status: number, detail: string, more: object = {}): Responder =>
  reply(
    status,
    JSON.stringify({ type: "about:blank", title: "Title", status, detail, instance: "/x", ...more }),
    {
      "content-type": "application/problem+json"
    }
  )

/** Sends a part of a response, then closes the connection. */
export const cutOff =
  (part: string, cut: "closed" | "reset" = "closed"): Responder =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" })
    response.write(part, () => (cut === "closed" ? response.destroy() : response.socket?.resetAndDestroy()))
  }

/** Accepts the request and never responds. */
export const silence: Responder = () => {}
