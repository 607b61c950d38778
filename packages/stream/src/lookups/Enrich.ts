/**
 * One record a chemical out of several lookups: its details, its synonyms, its summaries.
 *
 * `lookup` makes one lookup out of named parts; it is run like any other (`Lookup.outcomes`, `Lookup.batches` for a
 * checkpoint). Every part asks in batches of its own size, isolates its own failures and remembers when its batches
 * were too large. Records stay the text they came in. All parts take the same kind of identifier: where one lookup
 * names the identifiers of the next, see `Crawl`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { type Batch, type Outcome as Core, InvalidOption, type Reconcile } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Data, Effect, Result, type Stream } from "effect"
import { dual } from "effect/Function"
import type { Identifier } from "../identifiers/Identifiers.ts"
import type { Outcome } from "../runs/Outcome.ts"
import { isDataFirst } from "./internal/dataFirst.ts"
import { askedAs } from "./internal/lookups.ts"
import * as Part from "./internal/part.ts"
import * as Lookup from "./Lookup.ts"

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

/** The record of parts: each a record, a list of records, or null. */
export type Joined<P extends Parts> = { readonly query: string } & {
  readonly [Name in keyof P as P[Name] extends Lookup.Lookup<Raw>
    ? Name
    : never]: P[Name] extends Lookup.Lookup<RawRecord.RawRecord<infer A>>
    ? A | ReadonlyArray<A> | null
    : never
}

/** What of the options of a run the parts heed. */
export type Options = Pick<Lookup.Options, "concurrency" | "onFailure">

/**
 * One lookup out of several. Its records are `{"query":"DTXSID…","details":{…},"synonyms":{…}}`: the
 * identifier as it was given, then the parts in the order given, each as its lookup gives it. A part of at most one record is that record, a part
 * of any number is the array of them, and a part that the service does not know is null.
 *
 * An identifier is found when one of its parts is, missing when all of them are, and failed with `Incomplete` when one
 * of them failed. The failures of each part are isolated as in a run of its own; a refused key ends the run, and so does
 * a service of which no part can be reached.
 *
 * A batch is as large as the largest part takes, unless `Lookup.Options` say less; it is settled when its slowest part
 * is. `concurrency` holds for each part: it is the most calls of one part in flight (4 when not given). Give the run
 * the same options; one that cannot be used is thrown. In its ledger a batch is one of all parts, and requests are those of
 * all of them. Surplus records of a part are surplus of the run.
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
export const lookup = <P extends Parts>(
  parts: P,
  options: Options = {}
): Lookup.Lookup<RawRecord.RawRecord<Joined<P>>, Incomplete> => {
  const problem = InvalidOption.count("concurrency", options.concurrency)
  if (problem !== undefined) throw problem
  const start = (): ReadonlyArray<Part.Part> =>
    Object.entries(parts).map(([name, part]) => Part.start(name, part, options))
  if (Object.keys(parts).length === 0) throw new Error("an enrichment needs at least one part")
  const lookups: ReadonlyArray<Lookup.Lookup<Raw>> = Object.values(parts)
  const joined: Lookup.Lookup<Raw, Incomplete> = {
    endpoint: lookups.map(({ endpoint }) => endpoint).join("+"),
    parse: (text) => everyOne(lookups, "parse", text),
    verify: (id) => everyOne(lookups, "verify", id),
    size: Math.max(...lookups.map(({ size }) => size)),
    multiplicity: "one",
    asGiven: askedAs,
    ask: (ids, inspection) =>
      Effect.gen(function* () {
        const running = inspection.memory?.(start) ?? start()
        const asking = running.map((part) => Part.ask(part, ids, inspection, options.onFailure))
        const answers = yield* Effect.all(asking, { concurrency: "unbounded" })
        const [unreachable, ...others] = answers.map(({ ended }) => ended)
        // Whether that ends the run is for the run to say: it knows if the service ever answered.
        if (unreachable !== undefined && !others.includes(undefined)) return yield* Effect.fail(unreachable)
        return join(ids, answers)
      })
  }
  return joined as Lookup.Lookup<RawRecord.RawRecord<Joined<P>>, Incomplete>
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
 *   return yield* Identifiers.fromIterable(["DTXSID7020182", "DTXSID2099900001"]).pipe(
 *     Enrich.outcomes({
 *       details: Details.byDtxsid({ projection: "compact" }),
 *       summary: Bioactivity.summaryByDtxsid()
 *     }),
 *     Stream.runCollect,
 *     Effect.provideService(ChemClient.ChemClient, client)
 *   )
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
export const outcomes: {
  <P extends Parts>(
    parts: P,
    options?: Lookup.Options
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => Stream.Stream<
    Outcome<RawRecord.RawRecord<Joined<P>>, ChemError.ChemError | Incomplete, I["carried"]>,
    E | ChemError.ChemError | Incomplete | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
  <I extends Identifier, E, Services, P extends Parts>(
    identifiers: Stream.Stream<I, E, Services>,
    parts: P,
    options?: Lookup.Options
  ): Stream.Stream<
    Outcome<RawRecord.RawRecord<Joined<P>>, ChemError.ChemError | Incomplete, I["carried"]>,
    E | ChemError.ChemError | Incomplete | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
} = dual(
  isDataFirst,
  <I extends Identifier, E, Services, P extends Parts>(
    identifiers: Stream.Stream<I, E, Services>,
    parts: P,
    options: Lookup.Options = {}
  ) =>
    InvalidOption.start([InvalidOption.count("concurrency", options.concurrency)], () =>
      Lookup.outcomes(identifiers, lookup(parts, options), options)
    )
)

/** The answers of all parts as one answer. */
const join = (
  ids: ReadonlyArray<string>,
  answers: ReadonlyArray<Part.PartAnswer>
): Batch.CallResult<Raw, ChemError.ChemError | Incomplete> => {
  const records: Array<Reconcile.Keyed<Raw>> = []
  const errors = new Map<string, Incomplete>()
  const truncated = new Map<string, Core.Truncation>()
  for (const id of ids) {
    const failures: Record<string, ChemError.ChemError> = {}
    const fields: Array<readonly [name: string, value: Uint8Array]> = [["query", encode(id)]]
    let isFound = false
    for (const { keyOf, part, settled } of answers) {
      const key = keyOf(id)
      const own = settled.records.get(key)
      const error = settled.errors.get(key)
      const why = settled.truncated.get(key)
      if (why !== undefined) truncated.set(id, why)
      if (error !== undefined) failures[part.name] = error
      if (error === undefined || own !== undefined) {
        fields.push([part.name, partText(own, part.lookup.multiplicity === "many")])
      }
      isFound ||= error === undefined && own !== undefined
    }
    const isIncomplete = Object.keys(failures).length > 0
    if (isIncomplete) errors.set(id, incomplete(id, failures))
    if (isIncomplete ? fields.length > 1 : isFound) records.push({ key: id, record: object(fields) })
  }
  return { records, errors, truncated, surplus: answers.flatMap(({ settled }) => settled.surplus) }
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
