/**
 * Measures how hostile clients slow down others: with searches that find nothing, the longest responses, and slow reading. Every loop is
 * bounded.
 */
import { request as send } from "node:http"
import type * as load from "./load.ts"
import type { Figures } from "./report.ts"
import { say } from "./say.ts"
import { median, percentile, short } from "./statistics.ts"
import { identifiers } from "./words.ts"

const clients = 16
const slowClients = 8
const slowBytesPerSecond = 2 ** 20
const byDtxsid = "/chemical/detail/search/by-dtxsid/"
const byMass = "/chemical/msready/search/by-mass/"

/** Every fifth request is for a name that no substance has. */
const isMiss = (n: number): boolean => n % 5 === 4

/** Exact searches of 16 clients, a fifth of them for names with two letters exchanged; a list of names a round. */
export const misses = async (
  service: load.Client,
  rounds: ReadonlyArray<ReadonlyArray<string>>
): Promise<Figures> => {
  say("exact searches of which a fifth misses")
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
    "exact search of which a fifth misses, hits p95, 16 clients (ms)": short(median(p95s.hits)),
    "exact search of which a fifth misses, misses p95, 16 clients (ms)": short(median(p95s.misses)),
    "exact search of which a fifth misses, misses (1/s)": Math.round(median(rates))
  }
}

// A name with two inserted characters that are adjacent in no name.
const misspelled = (name: string, n: number): string => {
  const place = 1 + (n % Math.max(1, name.length - 1))
  return `${name.slice(0, place)}qx${name.slice(place)}`
}

/**
 * Single records of one client, alone and beside two that ask for the worst batches by mass: 1000 masses with the largest
 * tolerance, which is refused, and as many masses as are answered.
 */
export const worstAnswers = async (service: load.Client, count: number): Promise<Figures> => {
  say("single records beside the longest responses")
  const worst = await worstBatches(service)
  const gets = getsOf(count, 55)
  const alone = await service.run(gets, 1)
  let isOver = false
  let sent = 0
  const asking = (async () => {
    while (!isOver) {
      await service.run(worst, 2)
      sent += worst.length
    }
  })()
  const beside = await service.run(gets, 1)
  isOver = true
  await asking
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
  // Halved until the service accepts it: the limit depends on the data.
  let answered = masses
  const statuses = [200, 413]
  while (answered.length > 1) {
    const found: unknown = JSON.parse(await service.text(request(answered, statuses)))
    if (!("status" in (found as object))) break
    answered = answered.slice(0, answered.length / 2)
  }
  return [request(masses, statuses), request(answered, statuses)]
}

/** Single records of 8 clients, alone and beside 8 others that read batches of 1000 records at 1 MiB/s. */
export const slowReaders = async (
  service: load.Client,
  { count, key, url }: { readonly count: number; readonly key: string; readonly url: string }
): Promise<Figures> => {
  say("single records beside slow readers")
  // Enough to last until the readers are in the middle of their responses.
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
  const ask = (): void => {
    if (isStopped) return
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const request = send(new URL(byDtxsid, url), { method: "POST", headers }, (response) => {
      response.on("data", (part) => {
        response.pause()
        setTimeout(() => response.resume(), (part.length / slowBytesPerSecond) * 1000)
      })
      response.on("end", ask)
      response.on("error", () => undefined)
      stop = () => response.destroy()
    })
    request.on("error", () => undefined)
    request.end(body)
    stop = () => request.destroy()
  }
  let stop = (): void => undefined
  ask()
  return () => {
    isStopped = true
    stop()
  }
}
