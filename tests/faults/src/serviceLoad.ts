/**
 * Tests the service under many clients, some of them hostile: `npm run faults -- load --minutes 10`.
 *
 * Every client gets a response, none is a 500, and the service does not grow. Benchmarks measure its speed.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Bundled } from "@chemstream/service"
import * as Growth from "./ProcessGrowth.ts"

const key = "the-key-of-the-load"

/** The number of concurrent clients. */
const clients = 64

/** The share of hostile requests. */
const hostileShare = 0.1

/** The pause of a client between its requests, in milliseconds. The load is long, not as large as possible. */
const pause = 20

/** The longest time of a response, in milliseconds. */
const responseTimeout = 30_000

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
    const count = (request: Request, status: number | "cut"): void => {
      tally.requests++
      if (request.isHostile) tally.hostile++
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      const isExpected = request.isHostile ? status === "cut" || status < 500 : status === 200
      if (!isExpected && tally.breaches.length < 100) tally.breaches.push(`${request.title} got ${status}`)
    }
    const client = async (number: number): Promise<void> => {
      for (let n = number; performance.now() < end; n += clients) {
        const request = requestOf(n)
        count(request, await request.send(url))
        await setTimeout(pause)
      }
    }
    const growth = Growth.makeRecorder()
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
  const reply = once(child, "message")
  child.send("sample")
  const [sample] = await reply
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

/** Returns the request of a number. Every tenth is hostile, and the kinds alternate. */
const requestOf = (number: number): Request => {
  const every = Math.round(1 / hostileShare)
  const kinds = number % every === 0 ? hostile : friendly
  const kind = kinds[Math.floor(number / (number % every === 0 ? every : 1)) % kinds.length]
  return (kind ?? friendly[0] ?? (() => nameSearch))(number)
}

const request =
  (path: string, init: RequestInit = {}) =>
  async (url: string): Promise<number | "cut"> => {
    const headers = { "x-api-key": key, ...init.headers }
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers,
      signal: AbortSignal.timeout(responseTimeout)
    })
    await response.arrayBuffer()
    return response.status
  }

const batch = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  request(details, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

const nameSearch: Request = {
  title: "a search for a part of a name",
  isHostile: false,
  send: request("/chemical/search/contain/phen")
}

const friendly: ReadonlyArray<(number: number) => Request> = [
  (number) => ({
    title: "a batch of a hundred",
    isHostile: false,
    send: batch(JSON.stringify(ids.slice(number % 50, (number % 50) + 100)))
  }),
  () => ({ title: "one record", isHostile: false, send: request(`${details}DTXSID7020182`) }),
  () => nameSearch,
  () => ({
    title: "an exact search",
    isHostile: false,
    send: request("/chemical/search/equal/Bisphenol%20A")
  })
]

const hostileRequest = (title: string, send: Request["send"]) => (): Request => ({
  title,
  isHostile: true,
  send
})

/** Sends bytes that are not a complete request, and closes the connection or waits for a response. */
const sendBytes =
  (text: string, isHangingUp = false) =>
  (url: string): Promise<number | "cut"> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let response = ""
      socket.setTimeout(responseTimeout, () => socket.destroy())
      socket.on("data", (part) => {
        response += part.toString("latin1")
      })
      socket.on("error", () => {})
      socket.on("close", () => {
        const status = /^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]
        resolve(status === undefined ? "cut" : Number(status))
      })
      socket.write(text, () => {
        if (isHangingUp) socket.resetAndDestroy()
      })
    })

const head = `POST ${details} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nconnection: close\r\n`

const hostile: ReadonlyArray<(number: number) => Request> = [
  hostileRequest("no key", (url) =>
    request(`${details}DTXSID7020182`, { headers: { "x-api-key": "wrong" } })(url)
  ),
  hostileRequest("an unknown path", request("/../../etc/passwd")),
  hostileRequest("a wrong method", request(`${details}DTXSID7020182`, { method: "PUT", body: "{}" })),
  hostileRequest("malformed JSON", batch("[")),
  hostileRequest("JSON a hundred thousand deep", batch("[".repeat(100_000))),
  hostileRequest("JSON of another shape", batch('{"a":[1,null]}')),
  hostileRequest("no identifiers", batch("[]")),
  hostileRequest("malformed identifiers", batch(JSON.stringify(["' OR 1=1 --", "\u0000", "😀", ""]))),
  hostileRequest("too many identifiers", batch(JSON.stringify(Array(5_000).fill("DTXSID7020182")))),
  hostileRequest("nine megabytes", batch(`["${"x".repeat(9 * 1024 * 1024)}"]`)),
  hostileRequest("another content type", batch("<a/>", { "content-type": "text/xml" })),
  hostileRequest("a long path", request(`${details}${"9".repeat(12_000)}`)),
  hostileRequest("malformed percent-encoding", request("/chemical/search/equal/%zz%ff")),
  hostileRequest(
    "operators of the search index",
    request(`/chemical/search/contain/${encodeURIComponent('"a" OR NEAR(b) *')}`)
  ),
  hostileRequest("a malformed mass", request("/chemical/msready/search/by-mass/NaN/1e999")),
  hostileRequest("bytes that are not HTTP", sendBytes("\u0016\u0003\u0001\u0002\u0000\r\n\r\n")),
  hostileRequest("huge headers", sendBytes(`GET / HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(100_000)}\r\n\r\n`)),
  hostileRequest("a malformed length", sendBytes(`${head}content-length: -5\r\n\r\n[]`)),
  hostileRequest(
    "two lengths",
    sendBytes(`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`)
  ),
  hostileRequest("half of a body, then silence", sendBytes(`${head}content-length: 1000\r\n\r\n["DTX`, true)),
  hostileRequest(
    "a request without a waiting sender",
    sendBytes(`${head}content-length: 17\r\n\r\n["DTXSID7020182"]`, true)
  )
]
