/**
 * A service on loopback whose answers a test holds back and lets go, with the settings of a client for it.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type PromiseClient, RetryPolicy } from "@chemstream/client"

/** A request under way. */
export interface Held {
  readonly ids: ReadonlyArray<string>
  /** Answers with a record for each identifier. */
  readonly answer: () => void
  /** Settles when the request is answered, or its sender has gone away. */
  readonly closed: Promise<"answered" | "gone">
}

export interface HoldingService extends AsyncDisposable {
  readonly client: PromiseClient.Settings
  /** All requests so far, in the order they came. */
  readonly requests: ReadonlyArray<Held>
  /** Settles once so many requests have come. */
  readonly came: (count: number) => Promise<void>
  /** Settles once no further request comes: none came while the test itself made ten round trips to the service. */
  readonly quiet: () => Promise<void>
}

/** All that an iterable gives. */
export const collect = async <A>(values: AsyncIterable<A>): Promise<Array<A>> => {
  const collected: Array<A> = []
  for await (const value of values) collected.push(value)
  return collected
}

export const record = (id: string): string => `{"dtxsid":"${id}","mass":1.10}`

const idlePath = "/idle"

/** Holds every answer back; with `answering`, answers at once with what it makes of a batch. On a free port unless given one. */
export const start = async (
  answering?: (ids: ReadonlyArray<string>) => { readonly status: number; readonly body: string },
  port = 0
): Promise<HoldingService> => {
  const requests: Array<Held> = []
  const waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []
  const server = createServer(async (request, response) => {
    if (request.url === idlePath) return void response.end()
    const ids = JSON.parse(Buffer.concat(await collect<Buffer>(request)).toString()) as Array<string>
    const answer = (): void => {
      const { body, status } = answering?.(ids) ?? { status: 200, body: `[${ids.map(record).join(",")}]` }
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    }
    requests.push({ ids, answer, closed: closing(response) })
    if (answering !== undefined) answer()
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    client: {
      baseUrl: url,
      apiKey: "key",
      retry: RetryPolicy.make({ attempts: 1 })
    },
    requests,
    came: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    quiet: async () => {
      let before: number
      do {
        before = requests.length
        for (let i = 0; i < 10; i++) await (await fetch(`${url}${idlePath}`)).arrayBuffer()
      } while (requests.length > before)
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A service that has all records. */
export const startAnswering = (port?: number): Promise<HoldingService> =>
  start((ids) => ({ status: 200, body: `[${ids.map(record).join(",")}]` }), port)

const closing = (response: ServerResponse): Promise<"answered" | "gone"> =>
  new Promise((resolve) =>
    response.once("close", () => resolve(response.writableFinished ? "answered" : "gone"))
  )
