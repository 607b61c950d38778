// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `assays` (docs/families/assays.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { type AssayRecords, Assays } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of `annotation`, by projection. */
export type AnnotationForms = FormsOf<typeof Assays.annotation>

/** The options of `annotation`. */
export interface AnnotationOptions<P extends keyof AnnotationForms = keyof AnnotationForms> {
  /**
   * The projection of the records: ccd-assay-annotation for the fields of the dashboard, others for the genes,
   * publications, processing steps, reagents or adverse outcome pathways. Default: `assay-all`.
   */
  readonly projection?: P | undefined
}

/** The record of `chemicals`, by projection. */
export type ChemicalsForms = FormsOf<typeof Assays.chemicals>

/** The options of `chemicals`. */
export interface ChemicalsOptions<P extends keyof ChemicalsForms = keyof ChemicalsForms> {
  /**
   * The projection of the records: ccdassaydetails for the detail record and the result of each substance.
   * Default: `dtxsidsonly`.
   */
  readonly projection?: P | undefined
}

/** The record of `singleConc`, by projection. */
export type SingleConcForms = FormsOf<typeof Assays.singleConc>

/** The options of `singleConc`. */
export interface SingleConcOptions<P extends keyof SingleConcForms = keyof SingleConcForms> {
  /** The projection of the records: ccd-single-conc for the fields of the dashboard. Default: `single-conc`. */
  readonly projection?: P | undefined
}

/** A requested value, and its `aeid`. */
export type Aeid = ScalarRecord<"aeid", number>

/** A requested value, and a substance that matches it. */
export type Substance = ScalarRecord<"dtxsid", string>

/** A requested value, and the number of substances that match it. */
export type Count = ScalarRecord<"count", number>

/** Streams the assay endpoints, from one response. */
export const all: PagesOf<typeof Assays.all>["all"] = pagesOf(Assays.all).all

/** Looks up the analytical quality records of substances, any number for each: one request for each. */
export const analyticalQc: () => LookupOfMany<AssayRecords.AnalyticalQc> = lookupOf(Assays.analyticalQc)

/**
 * Looks up the assay annotations of assay endpoints: up to 200 assay endpoints in a request.
 *
 * @example
 * ```ts
 * import { Assays } from "@chemstream/stream"
 *
 * Assays.annotation().size // => 200
 * ```
 */
export const annotation: <P extends keyof AnnotationForms = "assay-all">(
  options?: AnnotationOptions<P>
) => P extends
  | "ccd-assay-gene"
  | "ccd-assay-citations"
  | "ccd-tcpl-processing"
  | "ccd-assay-reagents"
  | "ccd-assay-aop"
  ? LookupOfMany<AnnotationForms[P]>
  : LookupOfOne<AnnotationForms[P]> = lookupOf(Assays.annotation)

/** Looks up the adverse outcome pathways of assay endpoints, any number for each: one request for each. */
export const aopByAeid: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByAeid)

/** Looks up the adverse outcome pathways of key events, any number for each: one request for each. */
export const aopByEvent: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByEvent)

/** Looks up the adverse outcome pathways of genes of NCBI, any number for each: one request for each. */
export const aopByGene: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByGene)

/** Finds the number of the assay endpoint with exactly this name: one record `{"query","aeid"}`. */
export const byEndpointName: () => LookupOfOne<Aeid> = lookupOf(Assays.byEndpointName)

/** Looks up the assay endpoints of genes, any number for each: one request for each. */
export const byGene: () => LookupOfMany<AssayRecords.EndpointOfGene> = lookupOf(Assays.byGene)

/**
 * Looks up the tested substances of assay endpoints, any number for each: one request for each.
 *
 * @example
 * ```ts
 * import { Assays } from "@chemstream/stream"
 *
 * Assays.chemicals().size // => 1
 * ```
 */
export const chemicals: <P extends keyof ChemicalsForms = "dtxsidsonly">(
  options?: ChemicalsOptions<P>
) => LookupOfMany<ChemicalsForms[P]> = lookupOf(Assays.chemicals)

/** Streams the number of assay endpoints, from one response. */
export const count: PagesOf<typeof Assays.count>["all"] = pagesOf(Assays.count).all

/** Looks up the receptor activity predictions of substances, any number for each: one request for each. */
export const models: () => LookupOfMany<AssayRecords.Model> = lookupOf(Assays.models)

/**
 * Looks up the receptor activity predictions of a model of substances, any number for each: one request for
 * each.
 */
export const modelsByName: (model: string) => LookupOfMany<AssayRecords.Model> = lookupOf(Assays.modelsByName)

/** Finds the assays with a name that contains this text, any number for each: one request for each. */
export const searchContain: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchContain)

/** Finds the assays with exactly this name, any number for each: one request for each. */
export const searchEqual: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchEqual)

/** Finds the assays with a name that starts with this text, any number for each: one request for each. */
export const searchStartWith: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchStartWith)

/**
 * Looks up the single-concentration results of assay endpoints, any number for each: one request for each.
 *
 * @example
 * ```ts
 * import { Assays } from "@chemstream/stream"
 *
 * Assays.singleConc().size // => 1
 * ```
 */
export const singleConc: <P extends keyof SingleConcForms = "single-conc">(
  options?: SingleConcOptions<P>
) => LookupOfMany<SingleConcForms[P]> = lookupOf(Assays.singleConc)
