// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/** The lookups of the group `assays` (docs/families/assays.md). */
import { type AssayRecords, Assays } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of a lookup of assay annotations, in each projection. */
export type AnnotationForms = FormsOf<typeof Assays.annotation>

/** The options of a lookup of assay annotations. */
export interface AnnotationOptions<P extends keyof AnnotationForms = keyof AnnotationForms> {
  /**
   * The projection of the records: ccd-assay-annotation for the fields of the dashboard, others for the genes,
   * publications, processing steps, reagents or adverse outcome pathways. Default: `assay-all`.
   */
  readonly projection?: P | undefined
}

/** The record of a lookup of tested substances, in each projection. */
export type ChemicalsForms = FormsOf<typeof Assays.chemicals>

/** The options of a lookup of tested substances. */
export interface ChemicalsOptions<P extends keyof ChemicalsForms = keyof ChemicalsForms> {
  /**
   * The projection of the records: ccdassaydetails for the detail record and the result of each substance.
   * Default: `dtxsidsonly`.
   */
  readonly projection?: P | undefined
}

/** The record of a lookup of single-concentration results, in each projection. */
export type SingleConcForms = FormsOf<typeof Assays.singleConc>

/** The options of a lookup of single-concentration results. */
export interface SingleConcOptions<P extends keyof SingleConcForms = keyof SingleConcForms> {
  /** The projection of the records: ccd-single-conc for the fields of the dashboard. Default: `single-conc`. */
  readonly projection?: P | undefined
}

/** A requested value with `aeid`. */
export type Aeid = ScalarRecord<"aeid", number>

/** A substance that matches a requested value. */
export type Substance = ScalarRecord<"dtxsid", string>

/** The number of substances that match a requested value. */
export type Count = ScalarRecord<"count", number>

/** Streams assay endpoints, in one request. */
export const all: PagesOf<typeof Assays.all>["all"] = pagesOf(Assays.all).all

/** Looks up the analytical quality records of substances, any number for each, one a call. */
export const analyticalQc: () => LookupOfMany<AssayRecords.AnalyticalQc> = lookupOf(Assays.analyticalQc)

/**
 * Looks up the assay annotations of assay endpoints, up to 200 a call.
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

/** Looks up the adverse outcome pathways of assay endpoints, any number for each, one a call. */
export const aopByAeid: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByAeid)

/** Looks up the adverse outcome pathways of key events, any number for each, one a call. */
export const aopByEvent: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByEvent)

/** Looks up the adverse outcome pathways of genes of NCBI, any number for each, one a call. */
export const aopByGene: () => LookupOfMany<AssayRecords.Aop> = lookupOf(Assays.aopByGene)

/** Finds the number of the assay endpoint with exactly this name: one record `{"query","aeid"}`. */
export const byEndpointName: () => LookupOfOne<Aeid> = lookupOf(Assays.byEndpointName)

/** Looks up the assay endpoints of genes, any number for each, one a call. */
export const byGene: () => LookupOfMany<AssayRecords.EndpointOfGene> = lookupOf(Assays.byGene)

/**
 * Looks up the tested substances of assay endpoints, any number for each, one a call.
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

/** Streams number of assay endpoints, in one request. */
export const count: PagesOf<typeof Assays.count>["all"] = pagesOf(Assays.count).all

/** Looks up the receptor activity predictions of substances, any number for each, one a call. */
export const models: () => LookupOfMany<AssayRecords.Model> = lookupOf(Assays.models)

/** Looks up the receptor activity predictions of a model of substances, any number for each, one a call. */
export const modelsByName: (model: string) => LookupOfMany<AssayRecords.Model> = lookupOf(Assays.modelsByName)

/**
 * Looks up the assays with a name that contains this text of names of assays, any number for each, one a call.
 */
export const searchContain: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchContain)

/** Looks up the assays with exactly this name of names of assays, any number for each, one a call. */
export const searchEqual: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchEqual)

/**
 * Looks up the assays with a name that starts with this text of names of assays, any number for each, one a
 * call.
 */
export const searchStartWith: () => LookupOfMany<AssayRecords.AssayHit> = lookupOf(Assays.searchStartWith)

/**
 * Looks up the single-concentration results of assay endpoints, any number for each, one a call.
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
