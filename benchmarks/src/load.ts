/**
 * Sends a bounded list of requests over keep-alive connections, and drops the responses.
 */
import { once } from "node:events"
import { Agent, type IncomingMessage, request as send } from "node:http"
import * as child from "./child.ts"
import type { Done, Order } from "./loadProcess.ts"

/** One request. The status of its response must be one of `statuses`. Default: 200. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly body?: string | Uint8Array
  readonly statuses?: ReadonlyArray<number>
}

/** The durations of a run of requests. */
export interface Run {
  readonly seconds: number
  readonly bytes: number
  /** Milliseconds of each request, in their order. */
  readonly latencies: ReadonlyArray<number>
}

/** A client of a server. */
export interface Client {
  /** Sends the requests with this many clients. Each sends its next request after its last response. */
  readonly run: (requests: ReadonlyArray<Request>, clients: number) => Promise<Run>
  /** Sends one request, and returns its response. */
  readonly text: (request: Request) => Promise<string>
  readonly close: () => void
}

/** Makes a client of the server at a base URL, with a key. */
export const client = (url: string, key: string): Client => {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const one = (
    { body, method, path, statuses = [200] }: Request,
    onData: (part: Uint8Array) => void
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = {
        accept: "application/json",
        "x-api-key": key,
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      }
      const outgoing = send({ agent, hostname, port, method, path, headers }, (incoming: IncomingMessage) => {
        incoming.on("data", onData)
        incoming.on("error", reject)
        incoming.on("end", () => {
          if (statuses.includes(incoming.statusCode ?? 0)) resolve()
          else reject(new Error(`${method} ${path} got the status ${incoming.statusCode}`))
        })
      })
      outgoing.on("error", reject)
      outgoing.end(body)
    })
  return {
    run: async (requests, clients) => {
      const pending = requests.entries()
      const latencies: Array<number> = []
      let bytes = 0
      const started = performance.now()
      const work = async (): Promise<void> => {
        for (const [n, request] of pending) {
          const sent = performance.now()
          await one(request, (part) => {
            bytes += part.length
          })
          latencies[n] = performance.now() - sent
        }
      }
      await Promise.all(Array.from({ length: clients }, work))
      return { seconds: (performance.now() - started) / 1000, bytes, latencies }
    },
    text: async (request) => {
      const parts: Array<Uint8Array> = []
      await one(request, (part) => parts.push(part))
      return Buffer.concat(parts).toString()
    },
    close: () => agent.destroy()
  }
}

/** Makes a client that sends the requests from a separate process. */
export const start = async (url: string, key: string): Promise<Client> => {
  const { child: sender } = await child.start<string>("./loadProcess.ts", { url, key })
  const local = client(url, key)
  const exit = once(sender, "exit").then(() => Promise.reject(new Error("the process of the clients exited")))
  // Without a run in progress, nothing handles this rejection.
  exit.catch(() => undefined)
  let last = 0
  return {
    run: (requests, clients) => {
      const order: Order = { id: ++last, requests, clients }
      const done = new Promise<Run>((resolve) => {
        const listen = ({ id, run }: Done): void => {
          if (id !== order.id) return
          sender.off("message", listen)
          resolve(run)
        }
        sender.on("message", listen)
      })
      sender.send(order)
      return Promise.race([done, exit])
    },
    text: local.text,
    close: () => {
      local.close()
      sender.kill()
    }
  }
}
