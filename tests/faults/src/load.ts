/**
 * Tests the service under many clients, some of them hostile: `npm run faults -- load --minutes 10`.
 *
 * No response may be a 500, no client may be left without one, and the service may not grow. Benchmarks measure its
 * speed.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Bundled } from "@chemstream/service"
import * as Growth from "./Growth.ts"

const key = "the-key-of-the-load"

/** The number of concurrent clients. */
const clients = 64

/** The share of hostile requests. */
const hostileShare = 0.1

/** The pause of a client between its requests, in milliseconds: the load is long, not the largest possible. */
const thinking = 20

/** The longest time of a response, in milliseconds. */
const patience = 30_000

/** The number of samples of the service. */
const samples = 40

/** The result of a load test. */
export interface Summary {
  readonly minutes: number
  readonly requests: number
  readonly hostile: number
  /** Responses by status. "cut": a hostile request without a response. */
  readonly statuses: Readonly<Record<string, number>>
  readonly growth: Growth.Growth
  /** Problems, one sentence each; the first hundred. */
  readonly breaches: ReadonlyArray<string>
}

/** Runs for this many minutes. */
export const load = async (
  minutes: number,
  onSample?: (sample: Growth.Sample, requests: number) => void
): Promise<Summary> => {
  const child = fork(fileURLToPath(new URL("serviceProcess.ts", import.meta.url)), [key])
  try {
    const url = await Promise.race([
      once(child, "message").then(([message]) => message as string),
      once(child, "exit").then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)))
    ])
    const end = performance.now() + minutes * 60_000
    const tally = {
      requests: 0,
      hostile: 0,
      statuses: {} as Record<string, number>,
      breaches: [] as Array<string>
    }
    const enter = (request: Request, status: number | "cut"): void => {
      tally.requests++
      if (request.isHostile) tally.hostile++
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      const isRight = request.isHostile ? status === "cut" || status < 500 : status === 200
      if (!isRight && tally.breaches.length < 100) tally.breaches.push(`${request.title} got ${status}`)
    }
    const client = async (number: number): Promise<void> => {
      for (let n = number; performance.now() < end; n += clients) {
        const request = requestOf(n)
        enter(request, await request.send(url))
        await setTimeout(thinking)
      }
    }
    const growth = Growth.follow()
    const observe = async (): Promise<void> => {
      while (performance.now() < end) {
        const sample = growth.add(await sampleOf(child))
        onSample?.(sample, tally.requests)
        await setTimeout((minutes * 60_000) / samples)
      }
    }
    await Promise.all([observe(), ...Array.from({ length: clients }, (_, number) => client(number))])
    if (child.exitCode !== null) tally.breaches.push(`the service ended with ${child.exitCode}`)
    return { minutes, ...tally, growth: growth.result() }
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
}

const sampleOf = async (child: ChildProcess): Promise<Growth.Sample> => {
  const answer = once(child, "message")
  child.send("sample")
  const [sample] = await answer
  return sample as Growth.Sample
}

interface Request {
  readonly title: string
  readonly isHostile: boolean
  readonly send: (url: string) => Promise<number | "cut">
}

const ids = readFileSync(Bundled.identifiers, "utf8")
  .split("\n")
  .filter((line) => /^DTXSID\d+$/.test(line))

const details = "/chemical/detail/search/by-dtxsid/"

/** Returns the request with this number. Each tenth is hostile, and all kinds take turns. */
const requestOf = (number: number): Request => {
  const every = Math.round(1 / hostileShare)
  const kinds = number % every === 0 ? hostile : friendly
  const kind = kinds[Math.floor(number / (number % every === 0 ? every : 1)) % kinds.length]
  return (kind ?? friendly[0] ?? (() => searching))(number)
}

const ask =
  (path: string, init: RequestInit = {}) =>
  async (url: string): Promise<number | "cut"> => {
    const headers = { "x-api-key": key, ...init.headers }
    const response = await fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(patience) })
    await response.arrayBuffer()
    return response.status
  }

const batch = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(details, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

const searching: Request = {
  title: "a search for a part of a name",
  isHostile: false,
  send: ask("/chemical/search/contain/phen")
}

const friendly: ReadonlyArray<(number: number) => Request> = [
  (number) => ({
    title: "a batch of a hundred",
    isHostile: false,
    send: batch(JSON.stringify(ids.slice(number % 50, (number % 50) + 100)))
  }),
  () => ({ title: "one record", isHostile: false, send: ask(`${details}DTXSID7020182`) }),
  () => searching,
  () => ({ title: "an exact search", isHostile: false, send: ask("/chemical/search/equal/Bisphenol%20A") })
]

const evil = (title: string, send: Request["send"]) => (): Request => ({ title, isHostile: true, send })

/** Sends bytes that are not a complete request, and closes the connection or waits for a response. */
const raw =
  (text: string, isHangingUp = false) =>
  (url: string): Promise<number | "cut"> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let answer = ""
      socket.setTimeout(patience, () => socket.destroy())
      socket.on("data", (part) => {
        answer += part.toString("latin1")
      })
      socket.on("error", () => {})
      socket.on("close", () => {
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
        resolve(status === undefined ? "cut" : Number(status))
      })
      socket.write(text, () => {
        if (isHangingUp) socket.resetAndDestroy()
      })
    })

const head = `POST ${details} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nconnection: close\r\n`

const hostile: ReadonlyArray<(number: number) => Request> = [
  evil("no key", (url) => ask(`${details}DTXSID7020182`, { headers: { "x-api-key": "wrong" } })(url)),
  evil("an unknown path", ask("/../../etc/passwd")),
  evil("a wrong method", ask(`${details}DTXSID7020182`, { method: "PUT", body: "{}" })),
  evil("no JSON", batch("[")),
  evil("JSON a hundred thousand deep", batch("[".repeat(100_000))),
  evil("JSON of another shape", batch('{"a":[1,null]}')),
  evil("no identifiers", batch("[]")),
  evil("malformed identifiers", batch(JSON.stringify(["' OR 1=1 --", "\u0000", "😀", ""]))),
  evil("too many identifiers", batch(JSON.stringify(Array(5_000).fill("DTXSID7020182")))),
  evil("nine megabytes", batch(`["${"x".repeat(9 * 1024 * 1024)}"]`)),
  evil("another content type", batch("<a/>", { "content-type": "text/xml" })),
  evil("a long path", ask(`${details}${"9".repeat(12_000)}`)),
  evil("malformed percent-encoding", ask("/chemical/search/equal/%zz%ff")),
  evil(
    "operators of the search index",
    ask(`/chemical/search/contain/${encodeURIComponent('"a" OR NEAR(b) *')}`)
  ),
  evil("a malformed mass", ask("/chemical/msready/search/by-mass/NaN/1e999")),
  evil("no HTTP", raw("\u0016\u0003\u0001\u0002\u0000\r\n\r\n")),
  evil("huge headers", raw(`GET / HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(100_000)}\r\n\r\n`)),
  evil("a malformed length", raw(`${head}content-length: -5\r\n\r\n[]`)),
  evil("two lengths", raw(`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`)),
  evil("half of a body, then silence", raw(`${head}content-length: 1000\r\n\r\n["DTX`, true)),
  evil("a request whose sender is gone", raw(`${head}content-length: 17\r\n\r\n["DTXSID7020182"]`, true))
]
