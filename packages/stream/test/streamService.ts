/**
 * A service on loopback that responds when a test says so, with the settings of a client for it.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type PromiseClient, RetryPolicy } from "@chemstream/client"

/** A request in flight. */
export interface PendingRequest {
  readonly ids: ReadonlyArray<string>
  /** Responds with a record for each identifier. */
  readonly respond: () => void
  /** Settles when the response has been sent, or the sender has disconnected. */
  readonly closed: Promise<"sent" | "disconnected">
}

export interface ManualService extends AsyncDisposable {
  readonly client: PromiseClient.Settings & { readonly baseUrl: string | URL }
  /** All requests so far, in the order of their arrival. */
  readonly requests: ReadonlyArray<PendingRequest>
  /** Settles when this many requests have arrived. */
  readonly waitForRequests: (count: number) => Promise<void>
  /** Settles when no further request arrives: none did during ten round trips of the test to the service. */
  readonly waitForQuiet: () => Promise<void>
}

/** Returns all values of an iterable. */
export const collect = async <A>(values: AsyncIterable<A>): Promise<Array<A>> => {
  const collected: Array<A> = []
  for await (const value of values) collected.push(value)
  return collected
}

export const record = (id: string): string => `{"dtxsid":"${id}","mass":1.10}`

const idlePath = "/idle"

/** Starts a service that responds on demand, or at once with `responseOf`. Default: on a free port. */
export const start = async (
  responseOf?: (ids: ReadonlyArray<string>) => { readonly status: number; readonly body: string },
  port = 0
): Promise<ManualService> => {
  const requests: Array<PendingRequest> = []
  const waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []
  const server = createServer(async (request, response) => {
    if (request.url === idlePath) return void response.end()
    const ids = JSON.parse(Buffer.concat(await collect<Buffer>(request)).toString()) as Array<string>
    const respond = (): void => {
      const { body, status } = responseOf?.(ids) ?? { status: 200, body: `[${ids.map(record).join(",")}]` }
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    }
    requests.push({ ids, respond, closed: closeReason(response) })
    if (responseOf !== undefined) respond()
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
    waitForRequests: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    waitForQuiet: async () => {
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

/** Starts a service that has all records, and responds at once. */
export const startWithRecords = (port?: number): Promise<ManualService> =>
  start((ids) => ({ status: 200, body: `[${ids.map(record).join(",")}]` }), port)

const closeReason = (response: ServerResponse): Promise<"sent" | "disconnected"> =>
  new Promise((resolve) =>
    response.once("close", () => resolve(response.writableFinished ? "sent" : "disconnected"))
  )
