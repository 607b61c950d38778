/**
 * Joins several lookups into one record for each chemical: its details, its synonyms, its summaries.
 *
 * `lookup` makes one lookup of named parts, which runs like any other lookup. Each part has its own batch size
 * and isolates its own failures. Records stay the text of the responses. All parts take the same kind of
 * identifier. If one lookup finds the identifiers of the next, use `Crawl`. `internal/lookupPart.ts` requests the
 * parts; `internal/partChunks.ts` bounds what they remember.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { type Batch, type Outcome as Core, Options as Declared, type Reconcile } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Data, Effect, Result, type Stream } from "effect"
import type { Identifier } from "../identifiers/Identifiers.ts"
import type { Outcome } from "../runs/Outcome.ts"
import * as Part from "./internal/lookupPart.ts"
import { lookupKind } from "./internal/lookupType.ts"
import * as Cost from "./internal/requestCost.ts"
import { restoreQuery } from "./internal/scalarRecord.ts"
import * as Lookup from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/**
 * Some parts of an identifier failed: `errors` has the reason by the name of the part.
 *
 * The failed outcome has a record with the other parts. A failed part without records has no field. A part that
 * `validate: "strict"` refused has its refused record.
 */
export class Incomplete extends Data.TaggedError("Incomplete")<{
  readonly errors: Readonly<Record<string, ChemError.ChemError>>
  readonly message: string
}> {
  /** Whether a retry can help. */
  get retryable(): boolean {
    return Object.values(this.errors).every((error) => error.retryable)
  }
}

/** The lookups by the name of their field in the record. `query` is reserved for the identifier. */
export type Parts = Readonly<Record<string, Lookup.Lookup<Raw>>> & { readonly query?: never }

/** The joined record. A part is a record, or a list if its lookup may have many records, or null. */
export type Joined<P extends Parts> = { readonly query: string } & {
  readonly [Name in keyof P as P[Name] extends Lookup.Lookup<Raw>
    ? Name
    : never]: P[Name] extends Lookup.Lookup<RawRecord.RawRecord<infer A>, never, infer M>
    ? { readonly one: A; readonly many: ReadonlyArray<A> }[M] | null
    : never
}

/** The options of a run that affect its parts. */
export type Options = Lookup.CallOptions

const partsKind = /* @__PURE__ */ Declared.record(
  lookupKind,
  "an object with a lookup for each field of the record, e.g. { details: Details.byDtxsid() }"
)

/** A run has the same options for its lookup. */
const runArguments = { parts: Declared.required(partsKind), options: Lookup.optionSet }

/**
 * Makes one lookup of several. Its records are `{"query":"DTXSID…","details":{…},"synonyms":{…}}`: the
 * identifier as given, then the parts in this order. A part is a record, or an array if its lookup may have
 * many records, or null if the service does not know it.
 *
 * An identifier is found when one of its parts is found, missing when all are missing, and failed with
 * `Incomplete` when one failed. Failures are isolated in each part. A refused key stops the run, and so does a
 * service that no part can reach.
 *
 * A batch is as large as the largest batch of a part, unless `Lookup.Options` set less. Smaller requests of other parts are
 * filled from several batches of the run. A batch is settled when its slowest part is settled. `concurrency` limits the calls
 * in flight of each part. Default: 4. Pass the same options to the run. Throws `InvalidOption` for an option out of range.
 *
 * The ledger counts a batch of all parts as one batch. It counts the requests and surplus records of every part.
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
): Lookup.Lookup<RawRecord.RawRecord<Joined<P>>, Incomplete, "one"> => {
  Declared.refuseArguments(runArguments, [parts, options])
  const start = () => {
    const group = Part.makeGroup()
    for (const [name, part] of Object.entries(parts)) Part.start(group, name, part, options)
    return { group }
  }
  const lookups: ReadonlyArray<Lookup.Lookup<Raw>> = Object.values(parts)
  const joined: Lookup.Lookup<Raw, Incomplete, "one"> = {
    endpoint: lookups.map(({ endpoint }) => endpoint).join("+"),
    parse: (text) => checkWithAll(lookups, "parse", text),
    kinds: lookups[0]?.kinds,
    verify: (id) => checkWithAll(lookups, "verify", id),
    size: Math.max(...lookups.map(({ size }) => size)),
    multiplicity: "one",
    restoreSpelling: restoreQuery,
    cost: (dialect) => {
      const costOf = lookups.map((part) => Cost.gathered(part, dialect))
      return (ids) => {
        const costs = costOf.map((cost) => cost(ids))
        return { ...Cost.sum(costs), kinds: costs[0]?.kinds ?? {} }
      }
    },
    requestBatch: (ids, inspection) =>
      Part.inRun(inspection, start, ({ group }) => {
        const requests = group.parts.map((part) => ({ part, ids }))
        return Effect.flatMap(Part.request(group, requests, inspection, options.onFailure), (results) => {
          const failure = Part.failureOfAll(results)
          return failure === undefined ? Effect.succeed(join(ids, results)) : Effect.fail(failure)
        })
      })
  }
  return joined as Lookup.Lookup<RawRecord.RawRecord<Joined<P>>, Incomplete, "one">
}

/**
 * Runs a joined lookup over a stream of identifiers: `Lookup.outcomes` of `lookup`, with the same options for
 * both.
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
  <I extends Identifier, E, Services, P extends Parts>(
    identifiers: Stream.Stream<I, E, Services>,
    parts: P,
    options?: Lookup.Options
  ): Lookup.RunStream<
    Outcome<RawRecord.RawRecord<Joined<P>>, ChemError.ChemError | Incomplete, I["carried"]>,
    E | Incomplete,
    Services
  >
  <P extends Parts>(
    parts: P,
    options?: Lookup.Options
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => Lookup.RunStream<
    Outcome<RawRecord.RawRecord<Joined<P>>, ChemError.ChemError | Incomplete, I["carried"]>,
    E | Incomplete,
    Services
  >
} = Declared.streamFrom(
  "identifiers",
  runArguments
)(
  <I extends Identifier, E, Services, P extends Parts>(
    identifiers: Stream.Stream<I, E, Services>,
    parts: P,
    options: Lookup.Options = {}
  ) => Lookup.outcomes(identifiers, lookup(parts, options), options)
)

/** Joins the results of all parts. */
const join = (
  ids: ReadonlyArray<string>,
  results: ReadonlyArray<Part.PartResult>
): Batch.CallResult<Raw, ChemError.ChemError | Incomplete> => {
  const records: Array<Reconcile.Keyed<Raw>> = []
  const errors = new Map<string, Incomplete>()
  const truncated = new Map<string, Core.Truncation>()
  for (const id of ids) {
    const failures: Record<string, ChemError.ChemError> = {}
    const fields: Array<readonly [name: string, value: Raw]> = [
      ["query", RawRecord.fromText(JSON.stringify(id))]
    ]
    let isFound = false
    for (const { keyOf, part, settled } of results) {
      const key = keyOf(id)
      const own = settled.records.get(key)
      const error = settled.errors.get(key)
      const why = settled.truncated.get(key)
      if (why !== undefined) truncated.set(id, why)
      if (error !== undefined) failures[part.name] = error
      if (error === undefined || own !== undefined) {
        fields.push([part.name, fieldOf(own, part.lookup.multiplicity === "many")])
      }
      isFound ||= error === undefined && own !== undefined
    }
    const isIncomplete = Object.keys(failures).length > 0
    if (isIncomplete) errors.set(id, incomplete(id, failures))
    if (isIncomplete ? fields.length > 1 : isFound)
      records.push({ key: id, record: RawRecord.fromFields(fields) })
  }
  return { records, errors, truncated, surplus: results.flatMap(({ settled }) => settled.surplus) }
}

const incomplete = (id: string, errors: Readonly<Record<string, ChemError.ChemError>>): Incomplete => {
  const reasons = Object.entries(errors).map(([name, error]) => `${name}: ${error.message}`)
  return new Incomplete({ errors, message: `parts of ${id} failed: ${reasons.join("; ")}` })
}

/** Returns the spelling of the first lookup, or why a lookup refuses the text. */
const checkWithAll = (
  lookups: ReadonlyArray<Lookup.Lookup<Raw>>,
  check: "parse" | "verify",
  text: string
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(Result.all(lookups.map((part) => part[check](text))), ([first = text]) => first)

const nothing = /* @__PURE__ */ RawRecord.fromText("null")

/** Returns the field of a part: its record, its list of records, or null. */
const fieldOf = (records: ReadonlyArray<unknown> | undefined, isMany: boolean): Raw => {
  if (records === undefined) return nothing
  const values = records.filter(RawRecord.isRawRecord)
  return isMany ? RawRecord.fromElements(values) : (values[0] ?? nothing)
}
