/** Programs without types: whichever argument is wrong, each error has a `_tag`. */

import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { Availability, Batch, type InvalidOption } from "@chemstream/batch"
import { createClient, PromiseClient } from "@chemstream/client"
import * as Ndjson from "@chemstream/ndjson"
import * as NodeNdjson from "@chemstream/ndjson/node"
import * as Lookups from "@chemstream/stream"
import { Bioactivity, createChemstream, Details, Lookup, MsReady, Progress } from "@chemstream/stream"
import { createChemstream as createNodeChemstream } from "@chemstream/stream/node"
import { Effect, Result, Stream } from "effect"
import { expect, it, onTestFinished, vi } from "vitest"

type Call = (...args: ReadonlyArray<unknown>) => unknown

const wrongValues: ReadonlyArray<unknown> = [
  ...[undefined, null, 42, -1, Number.NaN, "wrong", true, 10n, Symbol("wrong")],
  ...[{}, [], { wrong: 1 }, [null], [42], { signal: 5 }, { projection: 7 }, { page: "one" }, () => Number.NaN]
]

/** Arguments of calls with one right value or none. */
const wrongArguments: ReadonlyArray<ReadonlyArray<unknown>> = [
  [],
  ...wrongValues.flatMap((value) => [
    [value],
    [value, value],
    ["DTXSID7020182", value],
    [["DTXSID7020182"], value],
    ["details.byDtxsid", { params: { dtxsid: "DTXSID7020182" } }, value]
  ])
]

const textOf = (value: unknown): string => inspect(value, { breakLength: Number.POSITIVE_INFINITY })

/** Starts a service that knows nothing. */
const nothingKnown = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(request.method === "GET" ? 404 : 200, { "content-type": "application/json" }).end("[]")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Waits for the value of a promise, and takes the first value of an iterable. */
const settle = async (value: unknown): Promise<unknown> => {
  const settled: unknown = await value
  if (typeof settled !== "object" || settled === null || !(Symbol.asyncIterator in settled)) return settled
  for await (const one of settled as AsyncIterable<unknown>) return one
  return undefined
}

/** Returns the error of a call if it has no tag. */
const untagged = async (name: string, call: () => unknown): Promise<ReadonlyArray<string>> => {
  try {
    await settle(call())
    return []
  } catch (error) {
    if (typeof (error as { readonly _tag?: unknown } | undefined)?._tag === "string") return []
    return [`${name}: ${String(error)}`]
  }
}

/** Members that are not calls of the service. */
const isOther = (name: string): boolean => name === "close" || name === "availability"

/** The calls of a client by their names. */
const callsOf = (value: unknown, path: string): ReadonlyArray<readonly [name: string, call: Call]> => {
  if (typeof value === "function") return [[path, value as Call]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value)
    .filter(([name]) => !isOther(name))
    .flatMap(([name, member]) => callsOf(member, path === "" ? name : `${path}.${name}`))
}

it("the calls of a client", async () => {
  const client = await createClient({ baseUrl: await nothingKnown(), apiKey: "key", retry: 1 })
  onTestFinished(client.close)
  const found: Array<string> = []
  const calls = callsOf(client, "")
  expect(calls.length).toBeGreaterThan(160)
  for (const [name, call] of calls) {
    for (const args of wrongArguments)
      found.push(...(await untagged(`${name}(${args.map(textOf).join(", ")})`, () => call(...args))))
  }
  expect(found).toEqual([])
})

interface Declared {
  readonly fields?: Readonly<Record<string, Declared>>
}

/** Returns objects with each declared option set to wrong values, also within other options. */
const wrongOptions = (fields: Readonly<Record<string, Declared>> = {}): ReadonlyArray<object> =>
  Object.entries(fields).flatMap(([name, field]) =>
    [...wrongValues, ...wrongOptions(field.fields)].map((value) => ({ [name]: value }))
  )

it("the settings of clients", async () => {
  const baseUrl = await nothingKnown()
  const found: Array<string> = []
  const settings = [...wrongValues, ...wrongOptions(PromiseClient.optionSet.fields)]
  expect(settings.length).toBeGreaterThan(500)
  for (const wrong of settings) {
    const complete =
      typeof wrong === "object" && wrong !== null ? { baseUrl, apiKey: "key", ...wrong } : wrong
    const call = async () => {
      const client = await createClient(complete as PromiseClient.Settings)
      onTestFinished(client.close)
      return client.details.byDtxsid("DTXSID7020182")
    }
    found.push(...(await untagged(`createClient(${textOf(wrong)})`, call)))
  }
  expect(found).toEqual([])
})

it("the options of runs", async () => {
  const chemstream = await createChemstream({ baseUrl: await nothingKnown(), apiKey: "key", retry: 1 })
  onTestFinished(chemstream.close)
  const found: Array<string> = []
  const sets = { ...Lookup.optionSet.fields, progress: Progress.optionSet }
  for (const wrong of wrongOptions(sets)) {
    const run = () =>
      chemstream.lookup(["DTXSID7020182"], { endpoint: "details.byDtxsid", ...wrong } as never)
    found.push(...(await untagged(`lookup(${textOf(wrong)})`, run)))
  }
  const batches = { ...Batch.settingsSet.fields, availability: Availability.optionSet }
  for (const wrong of [...wrongValues.map((call) => ({ call })), ...wrongOptions(batches)]) {
    const outcomes = Batch.outcomes(Stream.make("a"), {
      call: async () => ({ records: [] }),
      ...wrong
    } as never)
    const run = () => Effect.runPromise(Stream.runDrain(outcomes as Stream.Stream<unknown, unknown>))
    found.push(...(await untagged(`Batch.outcomes(${textOf(wrong)})`, run)))
  }
  expect(found).toEqual([])
})

it("the options of saved runs", async () => {
  const chemstream = await createNodeChemstream({
    baseUrl: await nothingKnown(),
    apiKey: "key",
    retry: 1
  })
  onTestFinished(chemstream.close)
  const folder = await mkdtemp(join(tmpdir(), "chemstream-untyped-"))
  // A wrong value may be the name of a file.
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  const found: Array<string> = []
  const saving = Object.fromEntries(["checkpoint", "errors", "every", "resume"].map((name) => [name, {}]))
  const wrong = wrongOptions({ ...Lookup.optionSet.fields, progress: Progress.optionSet, ...saving })
  for (const [at, options] of wrong.entries()) {
    const output = join(folder, `${at}.ndjson`)
    const run = () =>
      chemstream.save(["DTXSID7020182"], output, { endpoint: "details.byDtxsid", ...options } as never)
    found.push(...(await untagged(`save(${textOf(options)})`, run)))
  }
  expect(found).toEqual([])
})

it("the results of functions of the caller", async () => {
  const parts = ["records", "errors", "suggestions", "truncated", "surplus", "bytes", "doubt"]
  const settings = wrongValues.flatMap((value) => [
    ...parts.map((name) => ({ call: async () => ({ records: [], [name]: value }) })),
    { key: () => value },
    { key: () => Result.succeed(value) }
  ])
  const found: Array<string> = []
  for (const [at, wrong] of settings.entries()) {
    const call = async () => ({ records: [] })
    const outcomes = Batch.outcomes(Stream.make("a"), { call, ...wrong } as never)
    const run = () => Effect.runPromise(Stream.runDrain(outcomes as Stream.Stream<unknown, unknown>))
    found.push(...(await untagged(`${at}: ${textOf(wrong)}`, run)))
  }
  expect(found).toEqual([])
})

/** Returns the message of an error about an option, or what happened instead. */
const refusalOf = async (call: () => unknown): Promise<string> => {
  try {
    await settle(call())
    return "no error"
  } catch (error) {
    return (error as InvalidOption.InvalidOption)._tag === "InvalidOption"
      ? (error as Error).message
      : String(error)
  }
}

it("an unknown option of a lookup is refused, with the nearest name", async () => {
  const groups = Lookups as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>
  const makers = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members)
      .filter(([member]) => Lookup.names.some((name) => name === `${group.toLowerCase()}.${member}`))
      .map(([member, make]) => [`${group}.${member}`, make] as const)
  )
  expect(makers.length).toBeGreaterThan(80)
  // Their lookups take no argument.
  const bare = /^(Search.(equal|equalBatch|startWith|contain)|MsReady.(byDtxcid|byMassRange))$/
  for (const [name, make] of makers.filter(([name]) => !bare.test(name)))
    expect(await refusalOf(() => make({ wrong: 1 })), name).toContain("The option wrong is unknown. Give ")
  const misspelt: Readonly<Record<string, () => unknown>> = {
    projektion: () => Details.byDtxsid({ projektion: "compact" } as never),
    projction: () => Bioactivity.byDtxsid({ projction: "data" } as never),
    ppn: () => MsReady.byMass({ ppn: 5 } as never),
    tisue: () => Bioactivity.summaryByTissue({ tisue: "liver" } as never)
  }
  for (const [option, make] of Object.entries(misspelt))
    expect(await refusalOf(make)).toMatch(new RegExp(`^The option ${option} is unknown. Give (?!one of)`))
  expect(await refusalOf(() => Details.byDtxsid({ projection: "compakt" as never }))).toBe(
    'The option projection is "compakt". Give "compact".'
  )
  expect(await refusalOf(() => (Bioactivity.byM4id as Call)({ projection: "data" }))).toBe(
    "The option projection is unknown. Give no option."
  )
})

it("an unknown option of a call of a client is refused, with the nearest name", async () => {
  const client = await createClient({ baseUrl: await nothingKnown(), apiKey: "key", retry: 1 })
  onTestFinished(client.close)
  const id = "DTXSID7020182"
  const calls: ReadonlyArray<readonly [string, () => unknown]> = [
    ["projektion", () => client.details.byDtxsid(id, { projektion: "compact" } as never)],
    ["projektion", () => client.details.byDtxsidBatch([id], { projektion: "compact" } as never)],
    ["projektion", () => client.details.get(id, { projektion: "compact" } as never)],
    ["projektion", () => client.details.all({ projektion: "all-ids" } as never)],
    ["projektion", () => client.details.page(1, { projektion: "all-ids" } as never)],
    ["pag", () => client.details.pages({ pag: 2 } as never)],
    ["largst", () => client.search.equalBatch(["a"], { largst: 2 } as never)],
    ["concurency", () => client.search.equalMany(["a"], { concurency: 2 } as never)],
    ["eror", () => client.msready.byMassBatch([100], { eror: 0.1 } as never)]
  ]
  for (const [option, call] of calls)
    expect(await refusalOf(call)).toMatch(new RegExp(`^The option ${option} is unknown. Give (?!one of)`))
  expect(await refusalOf(() => client.details.byDtxsid(id, { projection: "compakt" as never }))).toBe(
    'The option projection is "compakt". Give "compact".'
  )
})

it("the options of codecs, tables and transforms", async () => {
  const found: Array<string> = []
  const modules = { ...Ndjson, ...NodeNdjson }
  for (const name of [
    "Ndjson",
    "JsonArray",
    "RawArray",
    "Csv",
    "Drift",
    "Transform",
    "Parquet",
    "Arrow"
  ] as const) {
    for (const [member, value] of Object.entries(modules[name])) {
      // Classes of errors, and functions of the bytes of an array.
      if (typeof value !== "function" || /^[A-Z]|^cut/.test(member)) continue
      for (const wrong of [{ wrong: 1 }, { maxBytes: 0, wrong: 1 }, "wrong"])
        found.push(...(await untagged(`${name}.${member}(${textOf(wrong)})`, () => (value as Call)(wrong))))
    }
  }
  expect(found).toEqual([])
})

it("the logs of a client go to standard error, beside the records", async () => {
  const [printed, said] = (["log", "error"] as const).map((method) =>
    vi.spyOn(console, method).mockReturnValue()
  )
  onTestFinished(() => void vi.restoreAllMocks())
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(requests++ < 6 ? 503 : 200, { "content-type": "application/json" }).end("[]")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const chemstream = await createChemstream({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key", retry: 1 })
  onTestFinished(chemstream.close)
  const availability = { firstProbe: 1, longestProbe: 5 }
  const run = chemstream.lookup(["DTXSID7020182"], { endpoint: "details.byDtxsid", availability })
  for await (const _ of run) void _
  expect(said?.mock.calls.flat().join(" ")).toContain("the service is unavailable")
  expect(printed).not.toHaveBeenCalled()
})

it("usual mistakes are answered with what to give instead", async () => {
  const chemstream = await createChemstream({ baseUrl: await nothingKnown(), apiKey: "key", retry: 1 })
  onTestFinished(chemstream.close)
  const messageOf = async (call: () => unknown): Promise<string> => {
    try {
      await settle(call())
      return "no error"
    } catch (error) {
      return String((error as Error).message)
    }
  }
  const lookup = chemstream.lookup as Call
  const endpoint = "details.byDtxsid"
  expect(await messageOf(() => lookup(["DTXSID7020182"], { endpoint: `${endpoint}Batch` }))).toBe(
    'The option endpoint is "details.byDtxsidBatch". Give "details.byDtxsid".'
  )
  expect(await messageOf(() => lookup(Promise.resolve([]), { endpoint }))).toContain(
    "not as one value or a promise"
  )
  const batch = (call: unknown) => () =>
    Effect.runPromise(Stream.runDrain(Batch.outcomes(Stream.make("a"), { call } as never)))
  for (const call of [async (keys: unknown) => keys, async () => ({}), () => undefined])
    expect(await messageOf(batch(call))).toMatch(
      /^The option call is .+ Give a function that returns \{ records \}/
    )
})
