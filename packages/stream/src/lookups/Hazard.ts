// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `hazard` (docs/families/hazard.md). */
import { Hazard, type HazardRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import { type PageOf, type PagesOptions, pagesOf, type RowPages } from "./internal/rowPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { Lookup } from "./Lookup.ts"

/** The record of a lookup, in each projection. */
export interface Forms {
  readonly "all": HazardRecords.KineticParameter
  readonly "ccd-adme-data": HazardRecords.DashboardKineticParameter
}

/** The options of a lookup. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * The projection of the records: ccd-adme-data for the fields of the dashboard, with a label. Default:
   * `all`.
   */
  readonly projection?: P | undefined
}

/** A value. */
export type Value = ScalarRecord<"toxvalTypeSuperCategory", string>

/**
 * Looks up the ADME parameters of substances, any number for each, one a call.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 *
 * Hazard.admeIvive().size // => 1
 * ```
 */
export const admeIvive: <P extends keyof Forms = "all">(options?: Options<P>) => Lookup<RawRecord.RawRecord<Forms[P]>> = rowLookup(Hazard.admeIvive)

/** Looks up the cancer calls of substances, any number for each, up to 200 a call. */
export const cancer: () => Lookup<RawRecord.RawRecord<HazardRecords.CancerCall>> = rowLookup(Hazard.cancer)

/** Looks up the genotoxicity summaries of substances, any number for each, up to 200 a call. */
export const genetox: () => Lookup<RawRecord.RawRecord<HazardRecords.GenotoxicitySummary>> = rowLookup(Hazard.genetox)

/**
 * Looks up the genotoxicity tests of substances, any number for each, up to 200 a call.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 *
 * Hazard.genetoxDetails().size // => 200
 * ```
 */
export const genetoxDetails: <P extends keyof Forms = "all">(options?: Options<P>) => Lookup<RawRecord.RawRecord<Forms[P]>> = rowLookup(Hazard.genetoxDetails)

/** Looks up the HAWC assessments of substances, any number for each, one a call. */
export const hawc: () => Lookup<RawRecord.RawRecord<HazardRecords.HawcAssessment>> = rowLookup(Hazard.hawc)

/** Looks up the IRIS assessments of substances, any number for each, one a call. */
export const iris: () => Lookup<RawRecord.RawRecord<HazardRecords.IrisAssessment>> = rowLookup(Hazard.iris)

/** Looks up the PPRTV assessments of substances, any number for each, one a call. */
export const pprtv: () => Lookup<RawRecord.RawRecord<HazardRecords.PprtvAssessment>> = rowLookup(Hazard.pprtv)

/** Looks up the results on skin and eyes of substances, any number for each, up to 200 a call. */
export const skinEye: () => Lookup<RawRecord.RawRecord<HazardRecords.SkinEyeResult>> = rowLookup(Hazard.skinEye)

/**
 * Looks up the examinations in animal studies (ToxRefDB) of substances, any number for each, up to 200 a call.
 */
export const toxrefData: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefData>> = rowLookup(Hazard.toxrefData)

/** Looks up the examinations in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefDataByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefData>> = rowLookup(Hazard.toxrefDataByStudyId)

/** The projections of `toxrefDataByStudyType`. */
export type ToxrefDataByStudyTypeProjection = 

/** The options of `toxrefDataByStudyType`. */
export type ToxrefDataByStudyTypeOptions<P extends ToxrefDataByStudyTypeProjection = ToxrefDataByStudyTypeProjection> = PagesOptions<P>

/**
 * A page of `toxrefDataByStudyType`. To resume a run, begin with the page after the last one that you
 * processed.
 */
export type Page<P extends ToxrefDataByStudyTypeProjection = ToxrefDataByStudyTypeProjection> = PageOf<typeof Hazard.toxrefDataByStudyType, P>

const pagesOfToxrefDataByStudyType: RowPages<typeof Hazard.toxrefDataByStudyType> = pagesOf(Hazard.toxrefDataByStudyType)

/**
 * Streams examinations in animal studies (ToxRefDB), record by record, from the page `page` until an empty
 * page. One page is in memory at a time; the next is requested when it is consumed.
 *
 * A `page` that is not a whole number from 1 fails with `InvalidIdentifier` before the first request. A page
 * that starts like the page before it fails with `MalformedResponse`, because the service ignores the page
 * number and would send the same page forever.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 * import { Stream } from "effect"
 *
 * const some = Hazard.toxrefDataByStudyType({ projection: undefined }).pipe(Stream.take(1000))
 * ```
 */
export const toxrefDataByStudyType: RowPages<typeof Hazard.toxrefDataByStudyType>["all"] = pagesOfToxrefDataByStudyType.all

/**
 * Requests one page of examinations in animal studies (ToxRefDB). Default: the first page. `next` is the
 * number or cursor of the page after it.
 */
export const page: RowPages<typeof Hazard.toxrefDataByStudyType>["page"] = pagesOfToxrefDataByStudyType.page

/**
 * Streams the pages of examinations in animal studies (ToxRefDB), as `toxrefDataByStudyType` streams their
 * records. To resume a run, begin with the page after the last one that you processed.
 */
export const pages: RowPages<typeof Hazard.toxrefDataByStudyType>["pages"] = pagesOfToxrefDataByStudyType.pages

/** Looks up the effects in animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefEffects: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefEffect>> = rowLookup(Hazard.toxrefEffects)

/** Looks up the effects in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefEffectsByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefEffect>> = rowLookup(Hazard.toxrefEffectsByStudyId)

/** The projections of `toxrefEffectsByStudyType`. */
export type ToxrefEffectsByStudyTypeProjection = 

/** The options of `toxrefEffectsByStudyType`. */
export type ToxrefEffectsByStudyTypeOptions<P extends ToxrefEffectsByStudyTypeProjection = ToxrefEffectsByStudyTypeProjection> = PagesOptions<P>

/**
 * A page of `toxrefEffectsByStudyType`. To resume a run, begin with the page after the last one that you
 * processed.
 */
export type Page<P extends ToxrefEffectsByStudyTypeProjection = ToxrefEffectsByStudyTypeProjection> = PageOf<typeof Hazard.toxrefEffectsByStudyType, P>

const pagesOfToxrefEffectsByStudyType: RowPages<typeof Hazard.toxrefEffectsByStudyType> = pagesOf(Hazard.toxrefEffectsByStudyType)

/**
 * Streams effects in animal studies (ToxRefDB), record by record, from the page `page` until an empty page.
 * One page is in memory at a time; the next is requested when it is consumed.
 *
 * A `page` that is not a whole number from 1 fails with `InvalidIdentifier` before the first request. A page
 * that starts like the page before it fails with `MalformedResponse`, because the service ignores the page
 * number and would send the same page forever.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 * import { Stream } from "effect"
 *
 * const some = Hazard.toxrefEffectsByStudyType({ projection: undefined }).pipe(Stream.take(1000))
 * ```
 */
export const toxrefEffectsByStudyType: RowPages<typeof Hazard.toxrefEffectsByStudyType>["all"] = pagesOfToxrefEffectsByStudyType.all

/**
 * Requests one page of effects in animal studies (ToxRefDB). Default: the first page. `next` is the number or
 * cursor of the page after it.
 */
export const page: RowPages<typeof Hazard.toxrefEffectsByStudyType>["page"] = pagesOfToxrefEffectsByStudyType.page

/**
 * Streams the pages of effects in animal studies (ToxRefDB), as `toxrefEffectsByStudyType` streams their
 * records. To resume a run, begin with the page after the last one that you processed.
 */
export const pages: RowPages<typeof Hazard.toxrefEffectsByStudyType>["pages"] = pagesOfToxrefEffectsByStudyType.pages

/** Looks up the observations in animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefObservations: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefObservation>> = rowLookup(Hazard.toxrefObservations)

/** Looks up the observations in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefObservationsByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefObservation>> = rowLookup(Hazard.toxrefObservationsByStudyId)

/** The projections of `toxrefObservationsByStudyType`. */
export type ToxrefObservationsByStudyTypeProjection = 

/** The options of `toxrefObservationsByStudyType`. */
export type ToxrefObservationsByStudyTypeOptions<P extends ToxrefObservationsByStudyTypeProjection = ToxrefObservationsByStudyTypeProjection> = PagesOptions<P>

/**
 * A page of `toxrefObservationsByStudyType`. To resume a run, begin with the page after the last one that you
 * processed.
 */
export type Page<P extends ToxrefObservationsByStudyTypeProjection = ToxrefObservationsByStudyTypeProjection> = PageOf<typeof Hazard.toxrefObservationsByStudyType, P>

const pagesOfToxrefObservationsByStudyType: RowPages<typeof Hazard.toxrefObservationsByStudyType> = pagesOf(Hazard.toxrefObservationsByStudyType)

/**
 * Streams observations in animal studies (ToxRefDB), record by record, from the page `page` until an empty
 * page. One page is in memory at a time; the next is requested when it is consumed.
 *
 * A `page` that is not a whole number from 1 fails with `InvalidIdentifier` before the first request. A page
 * that starts like the page before it fails with `MalformedResponse`, because the service ignores the page
 * number and would send the same page forever.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 * import { Stream } from "effect"
 *
 * const some = Hazard.toxrefObservationsByStudyType({ projection: undefined }).pipe(Stream.take(1000))
 * ```
 */
export const toxrefObservationsByStudyType: RowPages<typeof Hazard.toxrefObservationsByStudyType>["all"] = pagesOfToxrefObservationsByStudyType.all

/**
 * Requests one page of observations in animal studies (ToxRefDB). Default: the first page. `next` is the
 * number or cursor of the page after it.
 */
export const page: RowPages<typeof Hazard.toxrefObservationsByStudyType>["page"] = pagesOfToxrefObservationsByStudyType.page

/**
 * Streams the pages of observations in animal studies (ToxRefDB), as `toxrefObservationsByStudyType` streams
 * their records. To resume a run, begin with the page after the last one that you processed.
 */
export const pages: RowPages<typeof Hazard.toxrefObservationsByStudyType>["pages"] = pagesOfToxrefObservationsByStudyType.pages

/** Looks up the animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefSummary: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> = rowLookup(Hazard.toxrefSummary)

/** Looks up the animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefSummaryByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> = rowLookup(Hazard.toxrefSummaryByStudyId)

/** Looks up the animal studies (ToxRefDB) of study types, any number for each, one a call. */
export const toxrefSummaryByStudyType: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> = rowLookup(Hazard.toxrefSummaryByStudyType)

/** Looks up the toxicity values of substances, any number for each, up to 200 a call. */
export const toxval: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxicityValue>> = rowLookup(Hazard.toxval)

/** Looks up the toxicity values of a category of substances, any number for each, one a call. */
export const toxvalByCategory: (category: string) => Lookup<RawRecord.RawRecord<HazardRecords.ToxicityValue>> = rowLookup(Hazard.toxvalByCategory)

/** Finds the categories of toxicity values: one record `{"query","toxvalTypeSuperCategory"}` for each. */
export const toxvalSupercategories: () => Lookup<RawRecord.RawRecord<Value>> = rowLookup(Hazard.toxvalSupercategories)
