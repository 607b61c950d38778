/**
 * Clients that attack a service from a thread of their own, and a client with a key of its own that is measured
 * meanwhile. Not a test itself.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { isMainThread, Worker, workerData } from "node:worker_threads"

/** The place of an attack: the port of the service, the key of the attacker, and the number of its clients. */
export interface Target {
  readonly port: number
  readonly key: string
  readonly clients: number
}

type Attack = (target: Target) => void

/** Opens connections of an attacker. `act` uses each one once it is open. A closed connection is opened again. */
const connections = (
  { clients, port }: Target,
  act: (socket: Socket) => void,
  { isReading = true }: { readonly isReading?: boolean } = {}
): void => {
  const open = (): void => {
    // Half open: the attacker never closes its side.
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => act(socket))
    if (isReading) socket.resume()
    else socket.pause()
    socket.on("error", () => {})
    socket.once("close", () => setTimeout(open, 20))
  }
  for (let n = 0; n < clients; n++) open()
}

/** Sends the same request over and over, one after the other on each connection. */
const requests = (target: Target, text: (count: number) => string): void => {
  let count = 0
  connections(target, (socket) => {
    const next = (): void => void socket.write(text(count++))
    socket.on("data", (part) => {
      // Each response of these requests is small, and has one status line.
      if (part.includes("HTTP/1.1 ")) next()
    })
    next()
  })
}

const get = (path: string, key?: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\n${key === undefined ? "" : `x-api-key: ${key}\r\n`}\r\n`

const post = (path: string, key: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const masses = JSON.stringify({ masses: Array.from({ length: 1000 }, (_, n) => 100 + n / 4), error: 1 })

/** The attacks, by name. */
const attacks: Readonly<Record<string, Attack>> = {
  "silent sockets": (target) => connections({ ...target, clients: target.clients * 20 }, () => {}),
  "pipelining without reading, without a key": (target) =>
    connections(
      target,
      (socket) => socket.write(get("/chemical/detail/search/by-dtxsid/DTXSID7020182").repeat(20_000)),
      { isReading: false }
    ),
  "slow bodies without a key": (target) =>
    connections(target, (socket) => {
      socket.write("POST /explorer/key HTTP/1.1\r\nhost: a\r\ncontent-length: 40\r\n\r\n")
    }),
  "slow bodies with a key": (target) =>
    connections(target, (socket) => {
      socket.write(post("/chemical/detail/search/by-dtxsid/", target.key, `["DTXSID7020182"]`).slice(0, -2))
    }),
  "slow readers": (target) =>
    connections(
      target,
      (socket) => socket.write(`${get("/docs")}${get("/chemical/all", target.key).repeat(10)}`),
      { isReading: false }
    ),
  structures: (target) =>
    requests(target, (count) =>
      get(
        `/explorer/structure?as=inchikey&of=${"C(F)(F)".repeat(70)}${"CO".repeat((count % 20) + 1)}${"C".repeat((count % 47) + 1)}`,
        target.key
      )
    ),
  "mass batches": (target) =>
    requests(target, () => post("/chemical/msready/search/by-mass/", target.key, masses)),
  "big bodies": (target) =>
    connections(target, (socket) => {
      socket.write(
        `POST /chemical/detail/search/by-dtxsid/ HTTP/1.1\r\nhost: a\r\nx-api-key: ${target.key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
      )
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`
      const more = (): void => {
        while (socket.writable && socket.write(chunk)) {}
      }
      socket.on("drain", more)
      more()
    })
}

/** The names of the attacks. */
export const names: ReadonlyArray<string> = Object.keys(attacks)

/** Begins an attack on another thread, so that it does not delay the client that is measured. */
export const begin = (name: string, target: Target): { readonly stop: () => Promise<unknown> } => {
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, target } })
  return { stop: () => worker.terminate() }
}

if (!isMainThread && workerData?.target !== undefined) {
  attacks[workerData.name]?.(workerData.target)
}

/** The requests of another client while an attack runs. */
export interface Victim {
  /** The statuses with their numbers, e.g. `200: 1234`. */
  readonly statuses: ReadonlyMap<string, number>
  readonly p50: number
  readonly p95: number
  readonly longest: number
}

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Sends requests one after the other for a time, from another address, and measures each one in milliseconds. */
export const victim = async (
  { key, port }: { readonly key: string; readonly port: number },
  path: string,
  milliseconds: number
): Promise<Victim> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Array<number> = []
  const statuses = new Map<string, number>()
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const begin = performance.now()
    const status = await new Promise<string>((resolve) => {
      const options = { agent, port, path, host: "127.0.0.1", localAddress: "127.0.0.2" }
      request({ ...options, headers: { "x-api-key": key }, timeout: 40_000 }, (response) => {
        response.resume()
        response.on("end", () => resolve(String(response.statusCode)))
        response.on("error", (error) => resolve(error.message))
      })
        .on("timeout", function (this: { destroy: () => void }) {
          this.destroy()
        })
        .on("error", (error) => resolve(error.message))
        .end()
    })
    times.push(performance.now() - begin)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  agent.destroy()
  times.sort((a, b) => a - b)
  return { statuses, p50: percentile(times, 0.5), p95: percentile(times, 0.95), longest: times.at(-1) ?? 0 }
}

/** The memory of a process in MiB: the largest so far, and now. */
export const memoryOf = (pid: number): { readonly peak: number; readonly current: number } => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const value = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024
  return { peak: value("VmHWM"), current: value("VmRSS") }
}

/** The number of open sockets of a process. */
export const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith("socket:")
    } catch {
      return false
    }
  }).length
