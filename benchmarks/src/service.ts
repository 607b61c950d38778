/**
 * Measures the service at one size. Ratios are medians of alternating pairs in one run. Every loop is bounded. Servers and clients are
 * separate processes on loopback.
 */
import { execFile } from "node:child_process"
import { mkdir, rm } from "node:fs/promises"
import { loadavg } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as child from "./child.ts"
import * as hostile from "./hostile.ts"
import type { Imported } from "./importProcess.ts"
import { command } from "./job.ts"
import * as load from "./load.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import type { Ready } from "./serviceProcess.ts"
import { median, percentile, short } from "./statistics.ts"
import { draw, identifiers, type Words, words } from "./words.ts"

/** The size, and the folder of its files. `reuse` keeps the database of an earlier run. */
export interface Options {
  readonly count: number
  readonly folder: string
  readonly reuse: boolean
}

const seed = 1
const key = "benchmark"
const batch = 1000
const pairs = 5
const searchClients = 16
const searchRounds = 5

/** Runs the benchmark, and reports its progress on standard error. */
export const measure = async ({ count, folder, reuse }: Options): Promise<Figures> => {
  const database = join(folder, `service-${count}.sqlite`)
  const figures: Record<string, number | string> = {
    substances: count,
    // Other work on the machine makes every figure worse. It is 0 on a quiet machine.
    "load average of the machine before": short(loadavg()[0] ?? 0)
  }
  if (!reuse) Object.assign(figures, await make(count, folder, database))
  log("starting the service")
  const spawned = performance.now()
  const service = await child.start<Ready>("./serviceProcess.ts", { database, key })
  figures["start to ready, process included (ms)"] = Math.round(performance.now() - spawned)
  figures["start to ready, Service.make (ms)"] = Math.round(service.first.milliseconds)
  const constant = await child.start<string>("./constantProcess.ts", {})
  const clients = {
    service: await load.start(service.first.url, key),
    constant: await load.start(constant.first, key)
  }
  try {
    figures["RSS after start (MiB)"] = (await child.memory(service.child)).now
    Object.assign(figures, await batches(clients, count))
    Object.assign(figures, await gets(clients, count))
    Object.assign(figures, await searches(clients, count))
    Object.assign(figures, await hostile.longestResponses(clients.service, count))
    Object.assign(figures, await hostile.slowReaders(clients.service, { count, key, url: service.first.url }))
    const memory = await child.memory(service.child)
    figures["RSS at the end (MiB)"] = memory.now
    figures["peak RSS (MiB)"] = memory.peak
    return figures
  } finally {
    clients.service.close()
    clients.constant.close()
    await child.stop(service.child)
    await child.stop(constant.child)
  }
}

interface Clients {
  readonly service: load.Client
  readonly constant: load.Client
}

const make = async (count: number, folder: string, database: string): Promise<Figures> => {
  log("generating and importing")
  await mkdir(folder, { recursive: true })
  for (const suffix of ["", "-wal", "-shm"]) await rm(database + suffix, { force: true })
  const files = join(folder, `files-${count}`)
  const started = performance.now()
  const options = ["--count", String(count), "--seed", String(seed), "--output", files, "--quiet"]
  await promisify(execFile)(process.execPath, [command, "generate", ...options])
  const generated = { records: count, seconds: (performance.now() - started) / 1000 }
  const { child: maker, first } = await child.start<Imported>("./importProcess.ts", {
    folder: files,
    database
  })
  await child.stop(maker)
  const rate = ({ records, seconds }: { readonly records: number; readonly seconds: number }) =>
    Math.round(records / seconds)
  const seconds = Object.values(first.imports).reduce((sum, step) => sum + step.seconds, 0)
  const records = Object.values(first.imports).reduce((sum, step) => sum + step.records, 0)
  return {
    "generate --output (substances/s)": rate(generated),
    ...Object.fromEntries(
      Object.entries(first.imports).map(([kind, step]) => [`import ${kind} (records/s)`, rate(step)])
    ),
    "import of all kinds (records/s)": rate({ records, seconds }),
    "import of all kinds (substances/s)": rate({ records: count, seconds }),
    "import, peak memory (MiB)": first.memory.peak,
    "database (MiB)": Math.round(first.databaseBytes / 2 ** 20)
  }
}

const batchPath = "/chemical/detail/search/by-dtxsid/"

const batches = async ({ constant, service }: Clients, count: number): Promise<Figures> => {
  log("batches of 1,000")
  const requests = Array.from(
    { length: 60 },
    (_, n): load.Request => ({
      method: "POST",
      path: batchPath,
      body: JSON.stringify(identifiers(batch, count, n + 1))
    })
  )
  const [first] = requests as [load.Request]
  await constant.text({ method: "PUT", path: "/", body: await service.text(first), statuses: [204] })
  await service.run(requests, 4)
  await constant.run(requests, 4)
  const rates = { service: [] as Array<number>, ratio: [] as Array<number> }
  for (let pair = 0; pair < pairs; pair++) {
    const own = await service.run(requests, 4)
    const bare = await constant.run(requests, 4)
    rates.service.push((requests.length * batch) / own.seconds)
    rates.ratio.push(own.bytes / own.seconds / (bare.bytes / bare.seconds))
  }
  return {
    "batches of 1,000 (records/s)": Math.round(median(rates.service)),
    "batches of 1,000 / the same bytes from memory": short(median(rates.ratio))
  }
}

const gets = async ({ constant, service }: Clients, count: number): Promise<Figures> => {
  log("single records")
  const requests = identifiers(4000, count, 99).map(
    (dtxsid): load.Request => ({ method: "GET", path: batchPath + dtxsid })
  )
  const [first] = requests as [load.Request]
  await constant.text({ method: "PUT", path: "/", body: await service.text(first), statuses: [204] })
  await service.run(requests, 8)
  await constant.run(requests, 8)
  const rates: Array<number> = []
  const ratios: Array<number> = []
  const latencies: Array<number> = []
  for (let pair = 0; pair < pairs; pair++) {
    const own = await service.run(requests, 8)
    const bare = await constant.run(requests, 8)
    rates.push(requests.length / own.seconds)
    ratios.push(bare.seconds / own.seconds)
    latencies.push(...own.latencies)
  }
  return {
    "GET by dtxsid (requests/s)": Math.round(median(rates)),
    "GET by dtxsid / a bare node:http constant": short(median(ratios)),
    "GET p99, 8 clients (ms)": short(percentile(latencies, 0.99))
  }
}

const searches = async ({ constant, service }: Clients, count: number): Promise<Figures> => {
  log("searches")
  // Every round has other words, so that no cache of an earlier round helps.
  const wordsOfRounds: Array<Words> = []
  for (let round = 0; round <= searchRounds; round++)
    wordsOfRounds.push(words(await namesOf(service, count, round)))
  const figures: Record<string, number | string> = {}
  for (const [kind, path, title] of [
    ["equal", "equal", "exact search"],
    ["startWith", "start-with", "starts-with search"],
    ["contain", "contain", "contains search"]
  ] as const) {
    const [first = [], ...rounds] = wordsOfRounds.map((one) => searchRequests(one[kind], path))
    const { bytes } = await service.run(first, searchClients)
    // The same bytes from memory show the part of the clients themselves.
    const body = new Uint8Array(Math.round(bytes / first.length))
    await constant.text({ method: "PUT", path: "/", body, statuses: [204] })
    const p50s: Array<number> = []
    const p95s = { many: [] as Array<number>, constant: [] as Array<number>, alone: [] as Array<number> }
    for (const requests of rounds) {
      const many = await service.run(requests, searchClients)
      const sent = await constant.run(requests, searchClients)
      const alone = await service.run(requests.slice(0, 200), 1)
      p50s.push(median(many.latencies))
      p95s.many.push(percentile(many.latencies, 0.95))
      p95s.constant.push(percentile(sent.latencies, 0.95))
      p95s.alone.push(percentile(alone.latencies, 0.95))
    }
    figures[`${title} p50, 16 clients (ms)`] = short(median(p50s))
    figures[`${title} p95, 16 clients (ms)`] = short(median(p95s.many))
    figures[`the same bytes from memory, ${title} p95, 16 clients (ms)`] = short(median(p95s.constant))
    figures[`${title} p95, 1 client (ms)`] = short(median(p95s.alone))
  }
  Object.assign(
    figures,
    await hostile.misses(
      service,
      wordsOfRounds.slice(1).map(({ equal }) => equal)
    )
  )
  return { ...figures, ...(await getsBesideSearches(service, wordsOfRounds[0] as Words, count)) }
}

// One client requests records, alone and beside sixteen that search.
const getsBesideSearches = async (service: load.Client, words: Words, count: number): Promise<Figures> => {
  log("single records beside searches")
  const requests = identifiers(2000, count, 77).map(
    (dtxsid): load.Request => ({ method: "GET", path: batchPath + dtxsid })
  )
  const alone = await service.run(requests, 1)
  const contain = searchRequests(words.contain, "contain")
  let isDone = false
  const searching = (async () => {
    while (!isDone) await service.run(contain, searchClients)
  })()
  const beside = await service.run(requests, 1)
  isDone = true
  await searching
  return {
    "GET p99, 1 client alone (ms)": short(percentile(alone.latencies, 0.99)),
    "GET p99, 1 client beside 16 contains searches (ms)": short(percentile(beside.latencies, 0.99))
  }
}

const searchRequests = (values: ReadonlyArray<string>, path: string): ReadonlyArray<load.Request> =>
  values.map((word) => ({
    method: "GET",
    path: `/chemical/search/${path}/${encodeURIComponent(word)}`
  }))

const namesOf = async (service: load.Client, count: number, seed: number): Promise<ReadonlyArray<string>> => {
  const body = JSON.stringify(identifiers(batch, count, 5 + seed))
  const text = await service.text({ method: "POST", path: `${batchPath}?projection=compact`, body })
  const records = JSON.parse(text) as ReadonlyArray<{ readonly preferredName: string }>
  return draw(800, records.length, 6).map((n) => records[n]?.preferredName ?? "")
}
