/**
 * What a harvest asks for, as data: the name of a lookup with its options, or several by the name they have in one
 * record. Stored with the harvest and read by workers on other machines; the lookups themselves are
 * `@chemstream/stream`'s.
 */
import { DetailProjection, type InvalidIdentifier, SynonymRecord } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, Enrich, type Lookup, MsReady, Search, Synonyms } from "@chemstream/stream"
import { type Result, Schema } from "effect"

type Raw = RawRecord.RawRecord

/** One lookup: the function of `@chemstream/stream` it names, and its options. */
export const Question = Schema.Union([
  Schema.Struct({
    lookup: Schema.Literals(["Details.byDtxsid", "Details.byDtxcid"]),
    /** The fields of the records; the service's default when not given. */
    projection: Schema.optional(DetailProjection.DetailProjection)
  }),
  Schema.Struct({
    lookup: Schema.Literal("Synonyms.byDtxsid"),
    /** The form of the records; the service's default when not given. */
    projection: Schema.optional(Schema.Literals(SynonymRecord.projections))
  }),
  Schema.Struct({
    lookup: Schema.Literal("Bioactivity.byDtxsid"),
    /** The form of the records; the service's default when not given. */
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
export type Question = typeof Question.Type

/** One lookup; or several, whose answers become one record an identifier, as `Enrich` of `@chemstream/stream` has it. */
export const Spec = Schema.Union([
  Question,
  Schema.Struct({ enrich: Schema.Record(Schema.String, Question).check(Schema.isMinProperties(1)) })
])

/** What a harvest asks for. */
export type Spec = typeof Spec.Type

/**
 * The lookup of a specification, for one run.
 *
 * @example
 * ```ts
 * import { Fetch } from "@chemstream/workflow"
 *
 * Fetch.lookup({ lookup: "Details.byDtxsid", projection: "compact" }).size // => 1000
 * Fetch.lookup({
 *   enrich: { details: { lookup: "Details.byDtxsid" }, synonyms: { lookup: "Synonyms.byDtxsid" } }
 * }).endpoint // => "details.byDtxsidBatch+synonyms.byDtxsidBatch"
 * ```
 */
export const lookup = (spec: Spec): Lookup.Lookup<Raw, Enrich.Incomplete> => lookups(spec)()

/**
 * As `lookup`, for many runs: each call gives the lookup of one of them. What records look like is found out once for all of
 * them.
 *
 * @example
 * ```ts
 * import { Fetch } from "@chemstream/workflow"
 *
 * const next = Fetch.lookups({ lookup: "Details.byDtxsid" })
 * next().endpoint // => "details.byDtxsidBatch"
 * ```
 */
export const lookups = (spec: Spec): (() => Lookup.Lookup<Raw, Enrich.Incomplete>) => {
  if (!("enrich" in spec)) {
    const only = one(spec)
    return () => only
  }
  const parts = Object.entries(spec.enrich).map(([name, question]) => [name, one(question)] as const)
  return () => Enrich.lookup(Object.fromEntries(parts) as Enrich.Parts)
}

/** How identifiers of a specification are spelt canonically, or why a text is none. */
export const parse = (
  spec: Spec
): ((text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>) => lookup(spec).parse

const one = (question: Question): Lookup.Lookup<Raw> => {
  switch (question.lookup) {
    case "Details.byDtxsid":
      return Details.byDtxsid(question)
    case "Details.byDtxcid":
      return Details.byDtxcid(question)
    case "Synonyms.byDtxsid":
      return Synonyms.byDtxsid(question)
    case "Bioactivity.byDtxsid":
      return Bioactivity.byDtxsid(question)
    case "Bioactivity.summaryByTissue":
      return Bioactivity.summaryByTissue(question.tissue)
    case "MsReady.byMass":
      return MsReady.byMass(question)
    default:
      return plain[question.lookup]()
  }
}

const plain = {
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
