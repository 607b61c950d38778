/**
 * One record a chemical out of several lookups: its details, its synonyms, its summaries.
 *
 * `lookup` makes one lookup out of named parts; it is run like any other (`Lookup.outcomes`, `Lookup.batches` for a
 * checkpoint). Every part asks in batches of its own size, isolates its own failures and remembers when its batches
 * were too large. Records stay the text they came in. All parts take the same kind of identifier: where one lookup
 * names the identifiers of the next, see `Crawl`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Data, Effect, Result, Semaphore, Stream } from "effect"
import type { Answer } from "./BatchCalls.ts"
import * as Identifiers from "./Identifiers.ts"
import { askedAs } from "./internal/lookups.ts"
import * as Ledger from "./Ledger.ts"
import * as Lookup from "./Lookup.ts"
import type { Failed, Found, Missing, Outcome } from "./Outcome.ts"
import type { Keyed } from "./Reconcile.ts"

type Raw = RawRecord.RawRecord

/**
 * Some parts of an identifier could not be had: `errors` says why, by the name of the part. What came all the same is the
 * record of the failed outcome: it has no field for a part of which nothing came, and holds one that was refused, e.g.
 * under `validate: "strict"`, as it came.
 */
export class Incomplete extends Data.TaggedError("Incomplete")<{
  readonly errors: Readonly<Record<string, ChemError.ChemError>>
  readonly message: string
}> {
  /** Whether asking once more can help. */
  get retryable(): boolean {
    return Object.values(this.errors).every((error) => error.retryable)
  }
}

/** What is asked for, by the name it has in the record. `query` is taken: it is the identifier. */
export type Parts = Readonly<Record<string, Lookup.Lookup<Raw>>> & { readonly query?: never }

/** What of the options of a run the parts heed. */
export type Options = Pick<Lookup.Options, "concurrency" | "onFailure">

/**
 * One lookup out of several, for one run. Its records are `{"query":"DTXSID…","details":{…},"synonyms":{…}}`: the
 * identifier as it was given, then the parts in the order given, each as its lookup gives it. A part of at most one record is that record, a part
 * of any number is the array of them, and a part that the service does not know is null.
 *
 * An identifier is found when one of its parts is, missing when all of them are, and failed with `Incomplete` when one
 * of them failed. The failures of each part are isolated as in a run of its own; a refused key ends the run, and so does
 * a service of which no part can be reached.
 *
 * A batch is as large as the largest part takes, unless `Lookup.Options` say less; it is settled when its slowest part
 * is. `concurrency` holds for each part: it is the most calls of one part in flight (4 when not given). Give the run
 * the same options. In its ledger a batch is one of all parts, and requests are those of all of them; records of a part
 * that nobody asked for are surplus.
 *
 * @example
 * ```ts
 * import { Bioactivity, Details, Enrich, Synonyms } from "@chemstream/stream"
 *
 * const lookup = Enrich.lookup({
 *   details: Details.byDtxsid(),
 *   synonyms: Synonyms.byDtxsid(),
 *   summary: Bioactivity.summaryByDtxsid()
 * })
 * lookup.size // => 1000
 * lookup.endpoint // => "details.byDtxsidBatch+synonyms.byDtxsidBatch+bioactivity.summaryByDtxsid"
 * ```
 */
export const lookup = (parts: Parts, options: Options = {}): Lookup.Lookup<Raw, Incomplete> => {
  const concurrency = Math.max(1, options.concurrency ?? Lookup.defaultConcurrency)
  const running = Object.entries(parts).map(([name, part]) => run(name, part, concurrency))
  if (running.length === 0) throw new Error("an enrichment needs at least one part")
  const lookups = Object.values(parts)
  return {
    endpoint: lookups.map(({ endpoint }) => endpoint).join("+"),
    parse: (text) => everyOne(lookups, "parse", text),
    verify: (id) => everyOne(lookups, "verify", id),
    size: Math.max(...lookups.map(({ size }) => size)),
    multiplicity: "one",
    asGiven: askedAs,
    ask: (ids, inspection) =>
      Effect.gen(function* () {
        const asking = running.map((part) =>
          ask(part, ids, inspection, { concurrency, onFailure: options.onFailure })
        )
        const answers = yield* Effect.all(asking, { concurrency: "unbounded" })
        const [unreachable, ...others] = answers.map(({ ended }) => ended)
        // Whether that ends the run is for the run to say: it knows if the service ever answered.
        if (unreachable !== undefined && !others.includes(undefined)) return yield* Effect.fail(unreachable)
        return join(ids, answers)
      })
  }
}

/**
 * Runs such a lookup over a stream of identifiers: `Lookup.outcomes` of `lookup`, with the same options for both.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { RawRecord } from "@chemstream/ndjson"
 * import { Bundled, Service } from "@chemstream/service"
 * import { Bioactivity, Details, Enrich, Identifiers } from "@chemstream/stream"
 * import { Effect, Redacted, Stream } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const apiKey = Redacted.make("a-key")
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
 *   const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
 *   return yield* Enrich.outcomes(Identifiers.fromIterable(["DTXSID7020182", "DTXSID2099900001"]), {
 *     details: Details.byDtxsid({ projection: "compact" }),
 *     summary: Bioactivity.summaryByDtxsid()
 *   }).pipe(Stream.runCollect, Effect.provideService(ChemClient.ChemClient, client))
 * })
 *
 * const [known, unknown] = await Effect.runPromise(
 *   program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped)
 * )
 * unknown?._tag // => "Missing"
 * if (known?._tag === "Found") {
 *   for (const record of known.records) console.log(Object.keys(JSON.parse(RawRecord.toText(record))).join(" "))
 * }
 * // query details summary
 * ```
 */
export const outcomes = <E, Services>(
  identifiers: Stream.Stream<Identifiers.Identifier, E, Services>,
  parts: Parts,
  options: Lookup.Options = {}
): Stream.Stream<
  Outcome<Raw, ChemError.ChemError | Incomplete>,
  E | ChemError.ChemError | Incomplete,
  Services | ChemClient.ChemClient
> => Stream.suspend(() => Lookup.outcomes(identifiers, lookup(parts, options), options))

/** A part in the course of a run. */
interface Running {
  readonly name: string
  readonly lookup: Lookup.Lookup<Raw>
  /** The most identifiers in one call: smaller than the lookup has it when the service refused that. */
  batchSize: number
}

/** The answer of one part to a batch: what became of each identifier. */
interface PartAnswer {
  readonly part: Running
  readonly outcomes: ReadonlyMap<string, Found<Raw> | Missing | Failed<ChemError.ChemError>>
  /** Why the part could not be reached at all; its identifiers have failed. */
  readonly ended: ChemError.ChemError | undefined
  readonly surplus: number
}

/** Batches in flight share what calls of a part may be in flight. */
const run = (name: string, lookup: Lookup.Lookup<Raw>, concurrency: number): Running => {
  const permits = Semaphore.makeUnsafe(concurrency)
  return {
    name,
    lookup: {
      ...lookup,
      // The whole has done it.
      verify: Result.succeed,
      ask: (ids, inspection) => permits.withPermits(1)(lookup.ask(ids, inspection))
    },
    batchSize: lookup.size
  }
}

const ask = (
  part: Running,
  ids: ReadonlyArray<string>,
  { drift, validate }: Lookup.Inspection,
  options: Options
): Effect.Effect<PartAnswer, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const ledger: Ledger.Ledger = { ...Ledger.make(), drift }
    const settled = new Map<string, Found<Raw> | Missing | Failed<ChemError.ChemError>>()
    const ended = yield* Lookup.outcomes(Identifiers.fromIterable(ids), part.lookup, {
      ...options,
      batchSize: part.batchSize,
      validate,
      ordered: false,
      // They are distinct.
      dedupe: false,
      ledger
    }).pipe(
      Stream.runForEach((outcome) =>
        outcome._tag === "Invalid"
          ? Effect.die(new Error(`${part.lookup.endpoint} takes no ${outcome.id}, which it parsed itself`))
          : // By its place: parts may spell an identifier differently.
            Effect.sync(() => settled.set(ids[outcome.line - 1] as string, outcome))
      ),
      Effect.as(undefined),
      Effect.catchIf(
        (error) =>
          options.onFailure !== "abort" && error._tag !== "Unauthorized" && error._tag !== "CircuitOpen",
        // It could not be reached. That is this part's failure, unless it is that of all.
        (error) => Effect.succeed(error)
      )
    )
    if (ended !== undefined) {
      for (const [at, id] of ids.entries()) {
        if (!settled.has(id)) settled.set(id, { _tag: "Failed", id, line: at + 1, error: ended })
      }
    }
    part.batchSize = Math.min(part.batchSize, ledger.batchSize)
    return { part, outcomes: settled, ended, surplus: ledger.surplus }
  })

/** The answers of all parts as one answer. */
const join = (
  ids: ReadonlyArray<string>,
  answers: ReadonlyArray<PartAnswer>
): Answer<Raw, ChemError.ChemError | Incomplete> => {
  const records: Array<Keyed<Raw>> = []
  const errors = new Map<string, Incomplete>()
  for (const id of ids) {
    const failures: Record<string, ChemError.ChemError> = {}
    const fields: Array<readonly [name: string, value: Uint8Array]> = [["query", encode(id)]]
    let isFound = false
    for (const { outcomes, part } of answers) {
      const outcome = outcomes.get(id)
      const own = outcome === undefined || outcome._tag === "Missing" ? undefined : outcome.records
      if (outcome?._tag === "Failed") failures[part.name] = outcome.error
      if (outcome?._tag !== "Failed" || own !== undefined) {
        fields.push([part.name, partText(own, part.lookup.multiplicity === "many")])
      }
      isFound ||= outcome?._tag === "Found"
    }
    const isIncomplete = Object.keys(failures).length > 0
    if (isIncomplete) errors.set(id, incomplete(id, failures))
    if (isIncomplete ? fields.length > 1 : isFound) records.push({ key: id, record: object(fields) })
  }
  return { records, errors, unidentified: answers.reduce((sum, { surplus }) => sum + surplus, 0) }
}

const incomplete = (id: string, errors: Readonly<Record<string, ChemError.ChemError>>): Incomplete => {
  const reasons = Object.entries(errors).map(([name, error]) => `${name}: ${error.message}`)
  return new Incomplete({ errors, message: `parts of ${id} could not be had: ${reasons.join("; ")}` })
}

/** The spelling of the first lookup, or why one of them does not take it. */
const everyOne = (
  lookups: ReadonlyArray<Lookup.Lookup<Raw>>,
  check: "parse" | "verify",
  text: string
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(Result.all(lookups.map((lookup) => lookup[check](text))), ([first = text]) => first)

const encoder = new TextEncoder()
const encode = (value: string): Uint8Array => encoder.encode(JSON.stringify(value))
const nothing = encoder.encode("null")
const [openArray, closeArray, openObject, closeObject, comma, colon] = ["[", "]", "{", "}", ",", ":"].map(
  (mark) => encoder.encode(mark)
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]

const partText = (records: ReadonlyArray<unknown> | undefined, isMany: boolean): Uint8Array => {
  if (records === undefined) return nothing
  const values = records.filter(RawRecord.isRawRecord).map(RawRecord.toBytes)
  return isMany ? concat([openArray, ...separated(values), closeArray]) : (values[0] ?? nothing)
}

const object = (fields: ReadonlyArray<readonly [name: string, value: Uint8Array]>): Raw => {
  const members = fields.flatMap(([name, value], at) => [
    at === 0 ? openObject : comma,
    encode(name),
    colon,
    value
  ])
  return RawRecord.fromBytes(concat([...members, closeObject]))
}

const separated = (parts: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]))

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
