/**
 * A service on loopback with scripted responses. It records its requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Answer = (response: ServerResponse, asked: Asked) => void

export interface ScriptedService {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
}

/** Starts a service that gives each request the next response, and repeats the last one. */
export const make = (...answers: ReadonlyArray<Answer>): Effect.Effect<ScriptedService, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<Asked> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one = {
            method: request.method ?? "",
            url: request.url ?? "",
            headers: request.headers,
            body: Buffer.concat(chunks).toString()
          }
          const answer = answers[Math.min(asked.length, answers.length - 1)]
          asked.push(one)
          answer?.(response, one)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
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
  ): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)

export const problem = (status: number, detail: string, more: object = {}): Answer =>
  reply(
    status,
    JSON.stringify({ type: "about:blank", title: "Title", status, detail, instance: "/x", ...more }),
    {
      "content-type": "application/problem+json"
    }
  )

/** Sends a part of a response, then closes the connection. */
export const breakOff =
  (part: string, cut: "closed" | "reset" = "closed"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" })
    response.write(part, () => (cut === "closed" ? response.destroy() : response.socket?.resetAndDestroy()))
  }

/** Accepts the request and never responds. */
export const silence: Answer = () => {}
