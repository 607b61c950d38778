/**
 * The lookups by name, with the types of their options and records.
 */
import { BioactivityData, DetailProjection, type DetailRecord } from "@chemstream/api"
import { InvalidOption } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import * as Bioactivity from "../Bioactivity.ts"
import * as Details from "../Details.ts"
import type { Lookup } from "../Lookup.ts"
import * as MsReady from "../MsReady.ts"
import * as Search from "../Search.ts"
import * as Synonyms from "../Synonyms.ts"

/** Each lookup is named after the function that makes it. */
export const lookups = {
  "details.byDtxsid": Details.byDtxsid,
  "details.byDtxcid": Details.byDtxcid,
  "search.equal": Search.equal,
  "search.equalBatch": Search.equalBatch,
  "search.startWith": Search.startWith,
  "search.contain": Search.contain,
  "search.byExactFormula": Search.byExactFormula,
  "search.byMsreadyFormula": Search.byMsreadyFormula,
  "search.countByExactFormula": Search.countByExactFormula,
  "search.countByMsreadyFormula": Search.countByMsreadyFormula,
  "msready.byDtxcid": MsReady.byDtxcid,
  "msready.byFormula": MsReady.byFormula,
  "msready.byMass": MsReady.byMass,
  "msready.byMassRange": MsReady.byMassRange,
  "synonyms.byDtxsid": Synonyms.byDtxsid,
  "bioactivity.byDtxsid": Bioactivity.byDtxsid,
  "bioactivity.byAeid": Bioactivity.byAeid,
  "bioactivity.bySpid": Bioactivity.bySpid,
  "bioactivity.byM4id": Bioactivity.byM4id,
  "bioactivity.aed": Bioactivity.aed,
  "bioactivity.summaryByDtxsid": Bioactivity.summaryByDtxsid,
  "bioactivity.summaryByAeid": Bioactivity.summaryByAeid,
  "bioactivity.summaryByTissue": ({ tissue }: { readonly tissue: string }) =>
    Bioactivity.summaryByTissue(tissue)
} as const

type Lookups = typeof lookups

/** The names that an option accepts, or `true` for other values. */
type Accepted = ReadonlyArray<string> | true

/** The options of the lookups that have any. */
const lookupOptions: { readonly [N in Name]?: Readonly<Record<string, Accepted>> } = {
  "details.byDtxsid": { projection: DetailProjection.names },
  "details.byDtxcid": { projection: DetailProjection.names },
  "synonyms.byDtxsid": { projection: Synonyms.projections },
  "bioactivity.byDtxsid": { projection: [BioactivityData.Projection.literal] },
  "bioactivity.summaryByTissue": { tissue: true },
  "msready.byMass": { tolerance: true }
}

/** The name of a lookup, e.g. `details.byDtxsid` for `Details.byDtxsid`. */
export type Name = keyof Lookups

/** A lookup by its name, or a lookup itself, e.g. of `Enrich`. */
export type Endpoint = Name | Lookup<RawRecord.RawRecord, unknown>

/** The options of an endpoint. */
type OptionsOf<N> = N extends Name
  ? Parameters<Lookups[N]> extends readonly [(infer O)?]
    ? unknown extends O
      ? { readonly [none: string]: never }
      : NonNullable<O>
    : unknown
  : unknown

/** The names of the projections of an endpoint. */
export type ProjectionOf<N> =
  OptionsOf<N> extends { readonly projection?: infer P } ? NonNullable<P> & string : never

/** The options of an endpoint other than its projection. */
export type OtherOptionsOf<N> = N extends Name
  ? Parameters<Lookups[N]>["length"] extends 0
    ? unknown
    : Omit<OptionsOf<N>, "projection">
  : unknown

/** The record of an endpoint in a projection. `P` is `never` for the default. */
export type RecordOf<N, P = never> =
  N extends Lookup<RawRecord.RawRecord<infer A>, unknown>
    ? A
    : N extends "details.byDtxsid" | "details.byDtxcid"
      ? DetailRecord.DetailRecord<
          [P] extends [never]
            ? typeof DetailProjection.defaultProjection
            : P & DetailProjection.DetailProjection
        >
      : N extends "synonyms.byDtxsid"
        ? Synonyms.Forms[[P] extends [never] ? "chemical-synonym-all" : P & keyof Synonyms.Forms]
        : N extends "bioactivity.byDtxsid"
          ? [P] extends [never]
            ? BioactivityData.BioactivityData
            : Bioactivity.Data<Bioactivity.Projection>
          : N extends Name
            ? ReturnType<Lookups[N]> extends Lookup<RawRecord.RawRecord<infer A>>
              ? A
              : never
            : never

/** The failures of one identifier in a lookup, besides the failures of its calls. */
export type FailureOf<N> = N extends Lookup<RawRecord.RawRecord, infer F> ? F : never

/** Checks the endpoint and its options. `names` are the other options of the run. */
export const checks = (
  options: { readonly endpoint: Endpoint },
  names: Readonly<Record<string, true>>
): ReadonlyArray<InvalidOption.Check> => {
  const { endpoint } = options
  const own = typeof endpoint === "string" && Object.hasOwn(lookups, endpoint) ? lookupOptions[endpoint] : {}
  const accepted = Object.entries(own ?? {})
  const values: Readonly<Record<string, unknown>> = { ...options }
  return [
    InvalidOption.known(values, { ...names, ...Object.fromEntries(accepted.map(([name]) => [name, true])) }),
    typeof endpoint === "object" && endpoint !== null
      ? undefined
      : InvalidOption.oneOf("endpoint", endpoint, Object.keys(lookups)),
    ...accepted.map(([name, allowed]) =>
      allowed === true || values[name] === undefined
        ? undefined
        : InvalidOption.oneOf(name, values[name], allowed)
    )
  ]
}

/** Returns the lookup of an endpoint. */
export const lookupOf = (endpoint: Endpoint, options: object): Lookup<RawRecord.RawRecord, unknown> =>
  typeof endpoint === "string"
    ? (lookups[endpoint] as (options: object) => Lookup<RawRecord.RawRecord>)(options)
    : endpoint
