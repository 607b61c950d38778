/** Every function that the packages export, called with wrong arguments: its errors have a `_tag`. */
import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { ChemClient } from "@chemstream/client"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Stream } from "effect"
import { expect, it } from "vitest"

type Call = (...args: ReadonlyArray<unknown>) => unknown

/** The names of the entries of a package, as its manifest exports them. */
const entriesOf = (name: string): ReadonlyArray<string> => {
  const manifest = new URL(`../../${name}/package.json`, import.meta.url)
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports: object }
  return Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => `@chemstream/${name}${path.slice(1)}`)
}

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))

/** The functions of a module and of its namespaces, by their names. */
const functionsOf = (module: object): ReadonlyArray<readonly [name: string, call: Call]> =>
  Object.entries(module).flatMap(([name, value]) => {
    if (typeof value === "function") return isClass(value) ? [] : [[name, value as Call] as const]
    if (typeof value !== "object" || value === null) return []
    return Object.entries(value).flatMap(([member, call]) =>
      typeof call === "function" && !isClass(call) ? [[`${name}.${member}`, call as Call] as const] : []
    )
  })

const wrongArguments: ReadonlyArray<ReadonlyArray<unknown>> = [
  ...[[], [undefined], [null], [5], ["wrong"], [{}], [[]], [{ wrong: 1 }], [[undefined]], [() => undefined]],
  ...[
    [undefined, undefined],
    [5, 5],
    ["wrong", "wrong"],
    [{}, {}],
    [Stream.make("wrong"), undefined]
  ]
]

const services = Layer.mergeAll(ChemClient.layerTest({}, { retry: 1 }), NodeFileSystem.layer, NodePath.layer)

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** Runs what a function returned: an effect, a stream, a promise, the first value of an iterable, or a function on streams. */
const settle = async (value: unknown): Promise<void> => {
  const settled = await value
  const effect = Stream.isStream(settled)
    ? Stream.runDrain(Stream.take(settled as Stream.Stream<unknown, unknown>, 3))
    : settled
  if (Effect.isEffect(effect)) {
    const run = Effect.timeoutOption(effect as Effect.Effect<unknown, unknown>, "300 millis")
    await Effect.runPromise(Effect.scoped(Effect.provide(run, services)))
  } else if (isIterable(settled)) for await (const _ of settled) return
}

/** Returns the error of a call without a tag. */
const untagged = async (call: () => unknown): Promise<unknown> => {
  try {
    const value = call()
    await settle(value)
    if (typeof value === "function" && value.length < 2) await settle((value as Call)(Stream.make("wrong")))
  } catch (error) {
    if (typeof (error as { readonly _tag?: unknown } | undefined)?._tag !== "string")
      return error ?? "nothing"
  }
  return undefined
}

/**
 * Functions on values that the packages make: records, outcomes, ledgers, rows, schemas, layouts of tables. They return at once, so
 * JavaScript's own error names the line of a mistake, and many are called for each record. Nothing starts here: each function that runs
 * something, reads an input or takes options is checked.
 */
const onValues: ReadonlySet<string> = new Set([
  // The contract: rows, keys and schemas, for generators of clients and services.
  ...[
    "BatchLimit",
    "ChemicalApi",
    "DetailProjection",
    "Dialect",
    "JsonSchema",
    "Key",
    "Operation",
    "RecordSchema",
    "Row"
  ],
  // Parsed identifiers, adducts and records of responses.
  ...[
    "BioactivityData",
    "IdentifierKind.withArticle",
    "InvalidIdentifier.malformed",
    "NameForm",
    "Placeholder",
    "Quote"
  ],
  ...[
    "Dtxcid.fromNumber",
    "Dtxcid.neighbours",
    "Dtxcid.verify",
    "Dtxsid.fromNumber",
    "Dtxsid.neighbours",
    "Dtxsid.verify"
  ],
  ...[
    "Adduct.fits",
    "Adduct.massError",
    "Adduct.massRange",
    "Adduct.massTolerance",
    "Adduct.mz",
    "Adduct.neutralMass"
  ],
  ...["Adduct.polarity", "Repair", "fold", "hyphens"],
  // The core for authors of clients: declarations, counts, clocks, spans.
  ...[
    "Availability.patience",
    "Availability.unlessStopped",
    "Batch.union",
    "InvalidOption.nearest",
    "Ledger",
    "Metrics"
  ],
  ...["MonotonicClock", "Options", "Outcome", "Pace", "Reconcile", "ResumePoint"],
  // Responses and their errors.
  ...[
    "BodyReader",
    "CallObserver",
    "ChemError",
    "Endpoint",
    "MsReadyResponse",
    "Pages",
    "RetryPolicy.complete"
  ],
  ...["RetryPolicy.nextDelay", "SearchResponse"],
  // Raw records, and the layouts of tables.
  ...[
    "Drift.watch",
    "Format",
    "FileFormat",
    "Ndjson.lines",
    "RawArray.cut",
    "RawArray.cutLines",
    "RawArray.cutWith",
    "RawArray.decodeWith"
  ],
  ...[
    "RawProjection",
    "RawRecord",
    "RawShape",
    "Table",
    "TableLayout",
    "TableRow",
    "TextNumbers",
    "TypedTable",
    "WholeFile",
    "Workbook"
  ],
  // Outcomes of runs, and their rows.
  ...[
    "ActivityRows",
    "AssayNames.plain",
    "Blank",
    "ExposureRatio",
    "OutcomeRow",
    "Plan.sum",
    "Problem",
    "ResolvedRows"
  ],
  ...[
    "Identifiers.fromLine",
    "Identifiers.ofLine",
    "Identifiers.ofValue",
    "Progress.observer",
    "Resolve.displayText"
  ],
  ...["RowCells", "SuspectRows", "Suspects.displayText", "TableRows", "TopActivity"]
])

it.each(["api", "batch", "client", "ndjson", "stream"])("the functions of %s", async (name) => {
  const found = new Map<string, string>()
  let count = 0
  for (const entry of entriesOf(name)) {
    for (const [path, call] of functionsOf(await import(entry))) {
      count++
      if (onValues.has(path.split(".")[0] ?? "") || onValues.has(path)) continue
      for (const args of wrongArguments) {
        const error = await untagged(() => call(...args))
        if (error !== undefined)
          found.set(path, `${path}(${args.map((one) => inspect(one)).join(", ")}): ${error}`)
      }
    }
  }
  expect(count).toBeGreaterThan(40)
  expect([...found.values()]).toEqual([])
})
