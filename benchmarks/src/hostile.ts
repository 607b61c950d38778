/**
 * Measures how much hostile clients slow down others. They send searches without a result, request the longest responses, or read slowly.
 * Every loop is bounded.
 */
import { request as send } from "node:http"
import type * as load from "./load.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import { median, percentile, short } from "./statistics.ts"
import { identifiers } from "./words.ts"

const clients = 16
const slowClients = 8
const slowBytesPerSecond = 2 ** 20
const byDtxsid = "/chemical/detail/search/by-dtxsid/"
const byMass = "/chemical/msready/search/by-mass/"

/** Returns whether a request is for an unknown name: every fifth is. */
const isMiss = (n: number): boolean => n % 5 === 4

/** Measures exact searches of 16 clients. A fifth is for unknown names. Each round has its list of names. */
export const misses = async (
  service: load.Client,
  rounds: ReadonlyArray<ReadonlyArray<string>>
): Promise<Figures> => {
  log("exact searches, a fifth of them for unknown names")
  const p95s = { hits: [] as Array<number>, misses: [] as Array<number> }
  const rates: Array<number> = []
  for (const names of rounds) {
    const requests = names.map(
      (name, n): load.Request => ({
        method: "GET",
        path: `/chemical/search/equal/${encodeURIComponent(isMiss(n) ? misspelled(name, n) : name)}`,
        statuses: isMiss(n) ? [400] : [200]
      })
    )
    const { latencies, seconds } = await service.run(requests, clients)
    p95s.hits.push(
      percentile(
        latencies.filter((_, n) => !isMiss(n)),
        0.95
      )
    )
    p95s.misses.push(
      percentile(
        latencies.filter((_, n) => isMiss(n)),
        0.95
      )
    )
    rates.push(requests.filter((_, n) => isMiss(n)).length / seconds)
  }
  return {
    "exact search, a fifth unknown: hits p95, 16 clients (ms)": short(median(p95s.hits)),
    "exact search, a fifth unknown: misses p95, 16 clients (ms)": short(median(p95s.misses)),
    "exact search, a fifth unknown: misses (1/s)": Math.round(median(rates))
  }
}

// Inserts two characters that are adjacent in no name.
const misspelled = (name: string, n: number): string => {
  const index = 1 + (n % Math.max(1, name.length - 1))
  return `${name.slice(0, index)}qx${name.slice(index)}`
}

/**
 * Measures single records of one client, alone and beside two clients with the longest batches by mass. One batch has 1000 masses
 * with the largest tolerance, and is refused. The other is as large as the service accepts.
 */
export const longestResponses = async (service: load.Client, count: number): Promise<Figures> => {
  log("single records beside the longest responses")
  const worst = await worstBatches(service)
  const gets = getsOf(count, 55)
  const alone = await service.run(gets, 1)
  let isDone = false
  let sent = 0
  const sending = (async () => {
    while (!isDone) {
      await service.run(worst, 2)
      sent += worst.length
    }
  })()
  const beside = await service.run(gets, 1)
  isDone = true
  await sending
  return {
    "GET p99, added by 2 of the worst batches by mass (ms)": short(
      percentile(beside.latencies, 0.99) - percentile(alone.latencies, 0.99)
    ),
    "worst batches by mass meanwhile": sent
  }
}

const worstBatches = async (service: load.Client): Promise<ReadonlyArray<load.Request>> => {
  const masses = Array.from({ length: 1000 }, (_, n) => 150 + n * 0.4)
  const request = (of: ReadonlyArray<number>, statuses: ReadonlyArray<number>): load.Request => ({
    method: "POST",
    path: byMass,
    body: JSON.stringify({ masses: of, error: 1 }),
    statuses
  })
  // The limit depends on the data, so the batch is halved until the service accepts it.
  let accepted = masses
  const statuses = [200, 413]
  while (accepted.length > 1) {
    const found: unknown = JSON.parse(await service.text(request(accepted, statuses)))
    if (!("status" in (found as object))) break
    accepted = accepted.slice(0, accepted.length / 2)
  }
  return [request(masses, statuses), request(accepted, statuses)]
}

/** Measures single records of 8 clients, alone and beside 8 others that read batches of 1000 records at 1 MiB/s. */
export const slowReaders = async (
  service: load.Client,
  { count, key, url }: { readonly count: number; readonly key: string; readonly url: string }
): Promise<Figures> => {
  log("single records beside slow readers")
  // Long enough for the readers to be in the middle of their responses.
  const gets = [66, 67, 68, 69].flatMap((seed) => getsOf(count, seed))
  const alone = await service.run(gets, 8)
  const readers = Array.from({ length: slowClients }, (_, n) =>
    readSlowly(url, key, JSON.stringify(identifiers(1000, count, 500 + n)))
  )
  const beside = await service.run(gets, 8)
  for (const stop of readers) stop()
  return {
    "GET p99, 8 clients beside 8 slow readers (ms)": short(percentile(beside.latencies, 0.99)),
    "GET, 8 clients beside 8 slow readers / alone": short(alone.seconds / beside.seconds)
  }
}

const getsOf = (count: number, seed: number): ReadonlyArray<load.Request> =>
  identifiers(2000, count, seed).map((dtxsid) => ({ method: "GET", path: byDtxsid + dtxsid }))

// Requests the same batch repeatedly, and reads this many bytes per second. Returns a function that stops it.
const readSlowly = (url: string, key: string, body: string): (() => void) => {
  let isStopped = false
  const sendNext = (): void => {
    if (isStopped) return
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const request = send(new URL(byDtxsid, url), { method: "POST", headers }, (response) => {
      response.on("data", (part) => {
        response.pause()
        setTimeout(() => response.resume(), (part.length / slowBytesPerSecond) * 1000)
      })
      response.on("end", sendNext)
      response.on("error", () => undefined)
      stop = () => response.destroy()
    })
    request.on("error", () => undefined)
    request.end(body)
    stop = () => request.destroy()
  }
  let stop = (): void => undefined
  sendNext()
  return () => {
    isStopped = true
    stop()
  }
}
