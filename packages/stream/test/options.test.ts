import { Readable } from "node:stream"
import { Batch, InvalidOption, type Options } from "@chemstream/batch"
import { ChemClient, createClient, PromiseClient, ResponseCache, RetryPolicy } from "@chemstream/client"
import {
  createClient as createNodeClient,
  DiskCache,
  NodePromiseClient,
  Transport
} from "@chemstream/client/node"
import {
  BatchCalls,
  Crawl,
  createChemstream,
  Details,
  Enrich,
  Identifiers,
  Ledger,
  Lookup,
  Plan,
  Progress,
  Resolve,
  Search,
  Suspects
} from "@chemstream/stream"
import { Checkpoint, NodeStream } from "@chemstream/stream/node"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Redacted, Result, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

type Fields = Readonly<Record<string, Options.AnyKind>>

/** A public function with declared options. */
interface Function {
  readonly name: string
  readonly declared: Options.AnyKind & { readonly fields: Fields }
  /** Options that it accepts. */
  readonly valid: object
  /** Calls it, and throws or fails with its error. */
  readonly call: (options: never) => Promise<unknown>
  /** The path of the option that contains its options. */
  readonly parent?: string
  /** The options that its other valid options exclude. */
  readonly excluded?: ReadonlyArray<string>
}

/** Runs an effect whose services are never used. */
const run = (effect: Effect.Effect<unknown, unknown, unknown>): Promise<unknown> =>
  Effect.runPromise(
    Effect.scoped(effect).pipe(
      Effect.provideService(ChemClient.ChemClient, { dialect: "specification" } as never),
      Effect.provide(Layer.mergeAll(FetchHttpClient.layer, NodeFileSystem.layer, NodePath.layer))
    ) as Effect.Effect<unknown, unknown>
  )

const drain = (stream: Stream.Stream<unknown, unknown, unknown>): Promise<unknown> =>
  run(Stream.runDrain(stream))

const address = { baseUrl: "http://127.0.0.1:9", apiKey: Redacted.make("a-key") }
const store = ResponseCache.memory()
const client = { ...address, retry: RetryPolicy.defaultPolicy, cache: { store } }
const fileClient = { ...client, cache: { file: "never-made/cache" } }
const ids = Identifiers.fromIterable(["DTXSID7020182"])
const details = Details.byDtxsid()
const callNothing = () => Effect.die("never")

const chemstream = async (options: never): Promise<void> => {
  await using made = await createChemstream({ baseUrl: address.baseUrl, apiKey: "a-key" })
  for await (const _ of made.lookup(["DTXSID7020182"], options)) void _
}

const { ledger: _, ...runFields } = Lookup.optionSet.fields

const functions: ReadonlyArray<Function> = [
  {
    name: "Batch.outcomes",
    declared: Batch.outcomeSet,
    valid: { call: callNothing },
    call: (options) => drain(Batch.outcomes(Stream.make("a"), options))
  },
  {
    name: "Batch.make",
    declared: Batch.batcherSet,
    valid: {},
    call: async (options) => Batch.make(options)
  },
  {
    name: "ChemClient.make",
    declared: ChemClient.optionSet,
    valid: client,
    call: (o) => run(ChemClient.make(o))
  },
  {
    name: "ChemClient.layerConfig",
    declared: ChemClient.optionSet,
    valid: client,
    call: (options) => run(Layer.build(ChemClient.layerConfig(options)))
  },
  { name: "createClient", declared: PromiseClient.optionSet, valid: client, call: createClient },
  {
    name: "createClient on Node",
    declared: NodePromiseClient.optionSet,
    valid: client,
    call: createNodeClient,
    excluded: ["cache.file", "cache.maxBytes"]
  },
  {
    name: "createClient on Node with a cache in a file",
    declared: NodePromiseClient.optionSet,
    valid: fileClient,
    call: createNodeClient,
    excluded: ["cache.store"]
  },
  {
    name: "Transport.layer",
    declared: Transport.optionSet,
    valid: {},
    parent: "transport",
    call: (options) => run(Layer.build(Transport.layer(options)))
  },
  {
    name: "ResponseCache.memory",
    declared: ResponseCache.memorySet,
    valid: {},
    call: async (options) => ResponseCache.memory(options)
  },
  {
    name: "DiskCache.make",
    declared: DiskCache.optionSet,
    valid: { file: "never-made/cache" },
    call: (options) => run(DiskCache.make(options))
  },
  {
    name: "Lookup.outcomes",
    declared: Lookup.optionSet,
    valid: {},
    call: (options) => drain(Lookup.outcomes(ids, details, options))
  },
  {
    name: "Lookup.batches",
    declared: Lookup.optionSet,
    valid: {},
    call: (options) => drain(Lookup.batches(ids, details, options))
  },
  {
    name: "Plan.of",
    declared: { ...Lookup.optionSet, fields: runFields },
    valid: {},
    call: (options) => run(Plan.of(ids, details, options))
  },
  {
    name: "Enrich.lookup",
    declared: Lookup.optionSet,
    valid: {},
    call: async (options) => Enrich.lookup({ details }, options)
  },
  {
    name: "Enrich.outcomes",
    declared: Lookup.optionSet,
    valid: {},
    call: (options) => drain(Enrich.outcomes(ids, { details }, options))
  },
  {
    name: "Crawl.outcomes",
    declared: Crawl.optionSet,
    valid: { search: Search.equal(), lookup: details },
    call: (options) => drain(Crawl.outcomes(ids, options))
  },
  {
    name: "Resolve.outcomes",
    declared: Resolve.optionSet,
    valid: {},
    call: (options) => drain(Resolve.outcomes(ids, options))
  },
  {
    name: "Suspects.outcomes",
    declared: Suspects.optionSet,
    valid: {},
    call: (options) => drain(Suspects.outcomes(ids, options))
  },
  {
    name: "Progress.snapshots",
    declared: Progress.optionSet,
    valid: {},
    call: (options) => drain(Progress.snapshots(Ledger.make(), options))
  },
  {
    name: "Checkpoint.run",
    declared: Checkpoint.optionSet,
    valid: {},
    call: (options) => run(Checkpoint.run(ids, details, "never-made/records.ndjson", options))
  },
  {
    name: "NodeStream.toTransform",
    declared: NodeStream.optionSet,
    valid: { client: address },
    call: async (options) => {
      for await (const _ of Readable.from(["DTXSID7020182"]).compose(
        NodeStream.toTransform(details, options)
      ))
        void _
    }
  },
  {
    name: "Chemstream.lookup",
    declared: { ...Lookup.optionSet, fields: runFields },
    valid: { endpoint: "details.byDtxsid" },
    call: chemstream
  }
]

/** Returns the options of a declaration by their paths, with those that they contain. */
const pathsOf = (fields: Fields, parent = ""): ReadonlyArray<[string, Options.AnyKind]> =>
  Object.entries(fields).flatMap(([name, kind]) => [
    [`${parent}${name}`, kind] as [string, Options.AnyKind],
    ...pathsOf(kind.fields ?? {}, `${parent}${name}.`)
  ])

const withValue = (
  options: object | undefined,
  [name = "", ...rest]: ReadonlyArray<string>,
  value: unknown
): object => ({
  ...options,
  [name]:
    rest.length === 0
      ? value
      : withValue((options as Record<string, object> | undefined)?.[name], rest, value)
})

const errorOf = (call: () => Promise<unknown>): Promise<InvalidOption.InvalidOption> =>
  Promise.resolve()
    .then(call)
    .then(
      () => Promise.reject(new Error("the options were accepted")),
      (error) => error
    )

/** Values of every type. A prefix keeps a text from being a time, an address or a file. */
const anything = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>(null, Number.NaN, -1, 0, "", "4", {}, [], () => undefined, Symbol("a"), 5n)
)

const wrong = (kind: Options.AnyKind) =>
  anything.filter((value) => value !== undefined && kind.problem(value, "") !== undefined)

const cases = functions.flatMap(({ declared, excluded = [], ...rest }) =>
  pathsOf(declared.fields)
    .filter(([path]) => !excluded.includes(path))
    .map(([path, kind]) => ({ ...rest, path, kind }))
)

describe("an option that contains options", () => {
  it.each<[string, unknown, string]>([
    [
      "retry",
      0,
      "The option retry is 0. Give a function, a schedule, a whole number of at least 1 or an object with attempts, baseDelay, maxDelay, maxElapsed."
    ],
    ["retry", { attempts: 0 }, "The option retry.attempts is 0. Give a whole number of at least 1."],
    ["retry", { attempt: 3 }, "The option retry.attempt is unknown. Give retry.attempts."],
    ["limits", null, "The option limits is null. Give an object with requestsPerSecond, inFlight, adaptive."],
    ["timeouts", "1 minute", 'The option timeouts is "1 minute". Give an object with headers, body.'],
    [
      "baseUrl",
      5,
      "The option baseUrl cannot be used. Give an http:// or https:// address with a valid host and port."
    ]
  ])("%s: %j is refused with its path by each client", async (name, value, message) => {
    const settings = { ...address, [name]: value } as never
    for (const call of [createClient, createNodeClient, (o: never) => run(ChemClient.make(o))])
      expect(await errorOf(() => call(settings))).toMatchObject({ _tag: "InvalidOption", message })
  })

  it("is refused if a cache has neither a store nor a file", async () => {
    const settings = { ...address, cache: {} } as never
    expect(await errorOf(() => createClient(settings))).toMatchObject({ option: "cache.store" })
    expect(await errorOf(() => createNodeClient(settings))).toMatchObject({ option: "cache.file" })
  })

  it("names the settings if they are not an object", async () => {
    for (const settings of [null, 5, []] as unknown as ReadonlyArray<never>)
      for (const call of [createClient, createNodeClient])
        expect(await errorOf(() => call(settings))).toMatchObject({
          _tag: "InvalidOption",
          option: "options"
        })
  })

  it("suggests a setting of Node for its misspelt name", async () => {
    const error = await errorOf(() => createNodeClient({ ...address, transprt: {} } as never))
    expect(error.message).toBe("The option transprt is unknown. Give transport.")
  })
})

describe("an option with a wrong value", () => {
  it.each(cases)("is refused by $name: $path", async ({ call, kind, parent, path, valid }) => {
    await fc.assert(
      fc.asyncProperty(wrong(kind), async (value) => {
        const error = await errorOf(() => call(withValue(valid, path.split("."), value) as never))
        const expected = `${parent === undefined ? "" : `${parent}.`}${path}`
        expect(error, String(error?.stack)).toBeInstanceOf(InvalidOption.InvalidOption)
        expect(error.option.startsWith(expected), `${error.message} (${expected})`).toBe(true)
        expect(error.message).toMatch(/^The option .+ (is .*|cannot be used)\. Give .+\.$/s)
      }),
      { numRuns: 10 }
    )
  })
})

describe("an option that no function has", () => {
  it.each(functions)(
    "is refused by $name with the names there are",
    async ({ call, declared, valid, parent }) => {
      const error = await errorOf(() => call({ ...valid, zzzqqqxxx: 1 } as never))
      const option = parent === undefined ? "zzzqqqxxx" : `${parent}.zzzqqqxxx`
      expect(error).toMatchObject({ _tag: "InvalidOption", option, isUnknown: true })
      for (const name of Object.keys(declared.fields)) expect(error.wanted).toContain(name)
    }
  )

  it("is refused by the functions that make lookups and batches", async () => {
    const unknown = { zzzqqqxxx: 1 } as never
    const settings = { parse: Result.succeed, call: callNothing, zzzqqqxxx: 1 } as never
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      "Batch.batches": () =>
        drain(Batch.batches(Stream.make("a"), { call: callNothing, zzzqqqxxx: 1 } as never)),
      "BatchCalls.outcomes": () => drain(BatchCalls.outcomes(ids, settings)),
      "BatchCalls.batches": () => drain(BatchCalls.batches(ids, settings)),
      "Details.byDtxsid": async () => Details.byDtxsid(unknown),
      "Lookup.of": async () => Lookup.of("details.byDtxsid", unknown),
      "Resolve.make": async () => Resolve.make(unknown),
      "Suspects.make": async () => Suspects.make(unknown),
      "Identifiers.fromItems": () =>
        drain(Identifiers.fromItems(Stream.make("a"), { id: String, zzzqqqxxx: 1 } as never))
    }
    for (const [name, call] of Object.entries(calls))
      expect(await errorOf(call), name).toMatchObject({ option: "zzzqqqxxx", isUnknown: true })
  })

  it("points to the client if it is a setting of the client", async () => {
    const messageOf = async (call: () => Promise<unknown>) => (await errorOf(call)).message
    const message =
      "The option retry is unknown. Give it to the client, e.g. createClient({ retry }): it is no option of a run."
    const retry = { retry: 3 } as never
    expect(await messageOf(() => drain(Lookup.outcomes(ids, details, retry)))).toBe(message)
    expect(await messageOf(() => chemstream({ endpoint: "details.byDtxsid", retry: 3 } as never))).toBe(
      message
    )
    expect(await messageOf(() => run(Checkpoint.run(ids, details, "never-made/x.ndjson", retry)))).toBe(
      message
    )
  })

  it("of a cache says how the store is given", async () => {
    const error = await errorOf(() => createClient({ ...address, cache: store } as never))
    expect(error.message).toContain("{ store: ResponseCache.memory() }")
  })
})
