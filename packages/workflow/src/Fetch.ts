/**
 * Describes the requests of a harvest as data: one lookup with its options, several lookups for one record, or a
 * lookup of the program.
 *
 * The data is stored with the harvest and read by workers on other machines. `@chemstream/stream` and the program
 * define the lookups.
 */
import { DetailProjection, type InvalidIdentifier, Quote, SynonymRecord } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import {
  type BatchCalls,
  Bioactivity,
  Details,
  Enrich,
  type Lookup,
  MsReady,
  Search,
  Synonyms
} from "@chemstream/stream"
import { Context, Data, Layer, Result, Schema } from "effect"

type Raw = RawRecord.RawRecord

/** One lookup: a function of `@chemstream/stream`, and its options. */
export const LookupSpec = Schema.Union([
  Schema.Struct({
    lookup: Schema.Literals(["Details.byDtxsid", "Details.byDtxcid"]),
    /** The projection of the records. Default: the service's default. */
    projection: Schema.optional(DetailProjection.DetailProjection)
  }),
  Schema.Struct({
    lookup: Schema.Literal("Synonyms.byDtxsid"),
    /** The form of the records. Default: the service's default. */
    projection: Schema.optional(Schema.Literals(SynonymRecord.projections))
  }),
  Schema.Struct({
    lookup: Schema.Literal("Bioactivity.byDtxsid"),
    /** The form of the records. Default: the service's default. */
    projection: Schema.optional(Schema.Literal("assay-summary-plot"))
  }),
  Schema.Struct({
    lookup: Schema.Literals([
      "Bioactivity.byAeid",
      "Bioactivity.bySpid",
      "Bioactivity.byM4id",
      "Bioactivity.aed",
      "Bioactivity.summaryByDtxsid",
      "Bioactivity.summaryByAeid",
      "Search.equal",
      "Search.equalBatch",
      "Search.startWith",
      "Search.contain",
      "Search.byExactFormula",
      "Search.byMsreadyFormula",
      "Search.countByExactFormula",
      "Search.countByMsreadyFormula",
      "MsReady.byDtxcid",
      "MsReady.byFormula"
    ])
  }),
  Schema.Struct({ lookup: Schema.Literal("Bioactivity.summaryByTissue"), tissue: Schema.String }),
  Schema.Struct({
    lookup: Schema.Literal("MsReady.byMass"),
    /** The largest difference of a mass, in dalton. */
    tolerance: Schema.optional(Schema.Finite)
  })
])

/** One lookup. */
export type LookupSpec = typeof LookupSpec.Type

/**
 * One lookup, or several lookups whose records are joined into one per identifier, as by `Enrich` of
 * `@chemstream/stream`.
 */
export const Spec = Schema.Union([
  LookupSpec,
  Schema.Struct({ enrich: Schema.Record(Schema.String, LookupSpec).check(Schema.isMinProperties(1)) }),
  /** A lookup that the program has registered under this name (`layerLookups`). */
  Schema.Struct({ own: Schema.String })
])

/** The requests of a harvest. */
export type Spec = typeof Spec.Type

/** A specification that needs no lookup of the program. */
export type BuiltIn = Exclude<Spec, { readonly own: string }>

/** The error of a lookup of the program. */
export interface OwnLookupFailure {
  readonly _tag: string
  readonly message: string
}

/** A lookup of the program: a batch call and a parser of its identifiers. Default of `parse`: accepts any text. */
export interface OwnLookup
  extends Omit<
    BatchCalls.Settings<Raw, OwnLookupFailure, never>,
    "ledger" | "parse" | "resumePoint" | "ordered"
  > {
  readonly parse?: BatchCalls.Settings<Raw, OwnLookupFailure, never>["parse"] | undefined
}

/** The lookups of the program by name. Default: none. */
export const Lookups: Context.Reference<Readonly<Record<string, OwnLookup>>> = Context.Reference(
  "@chemstream/workflow/Fetch/Lookups",
  { defaultValue: (): Readonly<Record<string, OwnLookup>> => ({}) }
)

/**
 * Registers lookups of the program.
 *
 * `Harvest.start` needs the lookup of its harvest, and so does each worker. A worker without the lookup leaves the
 * harvest to other workers.
 *
 * @example
 *
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 * import { Fetch } from "@chemstream/workflow"
 *
 * const lengths = Fetch.layerLookups({
 *   lengths: {
 *     call: async (texts) => ({
 *       records: texts.map((text) => ({ key: text, record: RawRecord.fromText(`{"length":${text.length}}`) }))
 *     }),
 *     size: 10
 *   }
 * })
 * ```
 */
export const layerLookups = (lookups: Readonly<Record<string, OwnLookup>>): Layer.Layer<never> =>
  Layer.succeed(Lookups, lookups)

/** The program has no lookup of this name. */
export class UnknownLookup extends Data.TaggedError("UnknownLookup")<{
  readonly name: string
  readonly message: string
}> {}

/** Returns an error if the program has not registered the lookup of a specification. */
export const missingLookup = (
  spec: Spec,
  own: Readonly<Record<string, OwnLookup>>
): UnknownLookup | undefined =>
  !("own" in spec) || Object.hasOwn(own, spec.own)
    ? undefined
    : new UnknownLookup({
        name: spec.own,
        message: `this program has no lookup ${Quote.value(spec.own)}: register it with Fetch.layerLookups`
      })

/**
 * Returns the lookup of a specification.
 *
 * @example
 *
 * ```ts
 * import { Fetch } from "@chemstream/workflow"
 *
 * Fetch.lookup({ lookup: "Details.byDtxsid", projection: "compact" }).size // => 1000
 * Fetch.lookup({
 *   enrich: { details: { lookup: "Details.byDtxsid" }, synonyms: { lookup: "Synonyms.byDtxsid" } }
 * }).endpoint // => "details.byDtxsidBatch+synonyms.byDtxsidBatch"
 * ```
 */
export const lookup = (spec: BuiltIn): Lookup.Lookup<Raw, Enrich.Incomplete> => {
  if (!("enrich" in spec)) return lookupOf(spec)
  const parts = Object.entries(spec.enrich).map(([name, part]) => [name, lookupOf(part)] as const)
  return Enrich.lookup(Object.fromEntries(parts) as Enrich.Parts)
}

/** Returns the parser for the identifiers of a specification. `own` are the lookups of the program. */
export const parse = (
  spec: Spec,
  own: Readonly<Record<string, OwnLookup>> = {}
): ((text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>) =>
  "own" in spec ? (own[spec.own]?.parse ?? Result.succeed) : lookup(spec).parse

const lookupOf = (spec: LookupSpec): Lookup.Lookup<Raw> => {
  switch (spec.lookup) {
    case "Details.byDtxsid":
      return Details.byDtxsid(spec)
    case "Details.byDtxcid":
      return Details.byDtxcid(spec)
    case "Synonyms.byDtxsid":
      return Synonyms.byDtxsid(spec)
    case "Bioactivity.byDtxsid":
      return Bioactivity.byDtxsid(spec)
    case "Bioactivity.summaryByTissue":
      return Bioactivity.summaryByTissue(spec.tissue)
    case "MsReady.byMass":
      return MsReady.byMass(spec)
    default:
      return withoutOptions[spec.lookup]()
  }
}

const withoutOptions = {
  "Bioactivity.byAeid": Bioactivity.byAeid,
  "Bioactivity.bySpid": Bioactivity.bySpid,
  "Bioactivity.byM4id": Bioactivity.byM4id,
  "Bioactivity.aed": Bioactivity.aed,
  "Bioactivity.summaryByDtxsid": Bioactivity.summaryByDtxsid,
  "Bioactivity.summaryByAeid": Bioactivity.summaryByAeid,
  "Search.equal": Search.equal,
  "Search.equalBatch": Search.equalBatch,
  "Search.startWith": Search.startWith,
  "Search.contain": Search.contain,
  "Search.byExactFormula": Search.byExactFormula,
  "Search.byMsreadyFormula": Search.byMsreadyFormula,
  "Search.countByExactFormula": Search.countByExactFormula,
  "Search.countByMsreadyFormula": Search.countByMsreadyFormula,
  "MsReady.byDtxcid": MsReady.byDtxcid,
  "MsReady.byFormula": MsReady.byFormula
} as const
