/**
 * Measures the cost of the client: typed calls against bare `undici` requests of the same bytes. The server responds from memory. Ratios and differences are medians of alternating rounds in one run.
 */
import { loadavg } from "node:os"
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Bundled, Service } from "@chemstream/service"
import * as Undici from "@effect/platform-node/Undici"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as child from "./child.ts"
import * as load from "./load.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import { median, quotients, short } from "./statistics.ts"

const key = "benchmark"
const batch = 1000
const rounds = 31
const batchesInRound = 10
const getsInRound = 500

/** Runs the benchmark, and reports its progress on standard error. */
export const measureClient = async (): Promise<Figures> => {
  const { child: server, first: url } = await child.start<string>("./constantProcess.ts", {})
  const constant = load.client(url, key)
  const runtime = ManagedRuntime.make(
    ChemClient.layer({ baseUrl: url, apiKey: Redacted.make(key) }).pipe(Layer.provide(Transport.layer()))
  )
  const agent = new Undici.Agent()
  try {
    const records = await makeRecords()
    const ids = records.map(({ dtxsid }) => dtxsid)
    const [first = ""] = ids
    const client = await runtime.runPromise(ChemClient.ChemClient)
    const path = "/chemical/detail/search/by-dtxsid/"
    const bare = bareRequests(agent, url)

    log("batches of 1,000")
    const body = JSON.stringify(records)
    await constant.text({ method: "PUT", path: "/", body, statuses: [204] })
    const batches = await compare(batchesInRound, {
      client: () => runtime.runPromise(client.details.byDtxsidBatch(ids)),
      parsed: async () => JSON.parse(await bare.text("POST", path, ids)),
      unparsed: () => bare.bytes("POST", path, ids)
    })

    log("small GETs")
    await constant.text({ method: "PUT", path: "/", body: JSON.stringify(records[0]), statuses: [204] })
    const gets = await compare(getsInRound, {
      client: () => runtime.runPromise(client.details.byDtxsid(first)),
      parsed: async () => JSON.parse(await bare.text("GET", path + first)),
      unparsed: () => bare.bytes("GET", path + first)
    })
    return figuresOf(body.length, batches, gets)
  } finally {
    await runtime.dispose()
    await agent.close()
    constant.close()
    await child.stop(server)
  }
}

/** Returns the figures of all rounds. */
const figuresOf = (batchBytes: number, batches: Rounds, gets: Rounds): Figures => ({
  // Other work on the machine makes every figure worse. It is 0 on a quiet machine.
  "load average of the machine": short(loadavg()[0] ?? 0),
  "batch of 1,000 full records (MB)": short(batchBytes / 1e6),
  "batch, client (ms)": short(median(batches.client)),
  "batch, bare undici and JSON.parse (ms)": short(median(batches.parsed)),
  "batch, bare undici without parsing (ms)": short(median(batches.unparsed)),
  "batch, client / bare undici and JSON.parse": short(median(quotients(batches.client, batches.parsed))),
  "batch, client / bare undici and JSON.parse, fastest rounds": short(
    fastest(batches.client) / fastest(batches.parsed)
  ),
  "batch, client / bare undici without parsing": short(median(quotients(batches.client, batches.unparsed))),
  "GET, client (µs)": short(1000 * median(gets.client)),
  "GET, bare undici and JSON.parse (µs)": short(1000 * median(gets.parsed)),
  "GET, added to bare undici and JSON.parse (µs)": short(
    1000 * median(differences(gets.client, gets.parsed))
  ),
  "GET, added to bare undici and JSON.parse, fastest rounds (µs)": short(
    1000 * (fastest(gets.client) - fastest(gets.parsed))
  ),
  "GET, added to bare undici without parsing (µs)": short(
    1000 * median(differences(gets.client, gets.unparsed))
  )
})

interface Identified {
  readonly dtxsid: string
}

/** Makes a thousand full records, by repeating those of the bundled database. */
const makeRecords = (): Promise<ReadonlyArray<Identified>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        const service = load.client(url, key)
        const request = <A>(sent: load.Request) =>
          Effect.map(
            Effect.promise(() => service.text(sent)),
            (text): A => JSON.parse(text)
          )
        const all = yield* request<ReadonlyArray<Identified>>({
          method: "GET",
          path: "/chemical/all?projection=all-ids"
        })
        const records = yield* request<ReadonlyArray<Identified>>({
          method: "POST",
          path: "/chemical/detail/search/by-dtxsid/?projection=chemicaldetailall",
          body: JSON.stringify(all.slice(0, batch).map(({ dtxsid }) => dtxsid))
        })
        service.close()
        return Array.from({ length: batch }, (_, n) => records[n % records.length] as Identified)
      })
    )
  )

const bareRequests = (agent: Undici.Agent, url: string) => {
  const send = async (method: "GET" | "POST", path: string, ids?: ReadonlyArray<string>) => {
    const { body } = await Undici.request(url + path, {
      dispatcher: agent,
      method,
      headers: {
        accept: "application/json",
        "x-api-key": key,
        ...(ids && { "content-type": "application/json" })
      },
      ...(ids && { body: JSON.stringify(ids) })
    })
    return body
  }
  return {
    text: async (...request: Parameters<typeof send>) => (await send(...request)).text(),
    bytes: async (...request: Parameters<typeof send>) => (await send(...request)).arrayBuffer()
  }
}

type Subject = "client" | "parsed" | "unparsed"

/** The duration of one call of each subject in each round, in milliseconds. */
type Rounds = Readonly<Record<Subject, ReadonlyArray<number>>>

/** Measures the subjects in alternating rounds. */
const compare = (
  calls: number,
  { client, parsed, unparsed }: Readonly<Record<Subject, () => Promise<unknown>>>
): Promise<Rounds> => {
  const measure = (subject: () => Promise<unknown>) => async (): Promise<number> => {
    const seconds = await timed(async () => {
      for (let call = 0; call < calls; call++) await subject()
    })
    return (1000 * seconds) / calls
  }
  const subjects = { client: measure(client), parsed: measure(parsed), unparsed: measure(unparsed) }
  return alternate(subjects, rounds, 10)
}

/** Returns the fastest round. Other work on the machine only adds time. */
const fastest = (values: ReadonlyArray<number>): number => Math.min(...values)

const differences = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): ReadonlyArray<number> =>
  a.map((value, n) => value - (b[n] ?? Number.NaN))
