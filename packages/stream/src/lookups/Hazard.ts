// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `hazard` (docs/families/hazard.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Hazard, type HazardRecords } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany } from "./Lookup.ts"

/** The record of `admeIvive`, by projection. */
export type AdmeIviveForms = FormsOf<typeof Hazard.admeIvive>

/** The options of `admeIvive`. */
export interface AdmeIviveOptions<P extends keyof AdmeIviveForms = keyof AdmeIviveForms> {
  /**
   * The projection of the records: ccd-adme-data for parameters with labels and explanations, as in the
   * dashboard. Default: `all`.
   */
  readonly projection?: P | undefined
}

/** The record of `genetoxDetails`, by projection. */
export type GenetoxDetailsForms = FormsOf<typeof Hazard.genetoxDetails>

/** The options of `genetoxDetails`. */
export interface GenetoxDetailsOptions<P extends keyof GenetoxDetailsForms = keyof GenetoxDetailsForms> {
  /**
   * The projection of the records: ccd-genetox-details for tests with their standardized names, as in the
   * dashboard. Default: `all`.
   */
  readonly projection?: P | undefined
}

/** A requested value, and its `toxvalTypeSuperCategory`. */
export type ToxvalTypeSuperCategory = ScalarRecord<"toxvalTypeSuperCategory", string>

/**
 * Looks up the ADME parameters of substances, any number for each: one request for each.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 *
 * Hazard.admeIvive().size // => 1
 * ```
 */
export const admeIvive: <P extends keyof AdmeIviveForms = "all">(
  options?: AdmeIviveOptions<P>
) => LookupOfMany<AdmeIviveForms[P]> = lookupOf(Hazard.admeIvive)

/** Looks up the cancer calls of substances, any number for each: up to 200 substances in a request. */
export const cancer: () => LookupOfMany<HazardRecords.CancerCall> = lookupOf(Hazard.cancer)

/** Looks up the genotoxicity summaries of substances, any number for each: up to 200 substances in a request. */
export const genetox: () => LookupOfMany<HazardRecords.GenotoxicitySummary> = lookupOf(Hazard.genetox)

/**
 * Looks up the genotoxicity tests of substances, any number for each: up to 200 substances in a request.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/stream"
 *
 * Hazard.genetoxDetails().size // => 200
 * ```
 */
export const genetoxDetails: <P extends keyof GenetoxDetailsForms = "all">(
  options?: GenetoxDetailsOptions<P>
) => LookupOfMany<GenetoxDetailsForms[P]> = lookupOf(Hazard.genetoxDetails)

/** Looks up the HAWC assessments of substances, any number for each: one request for each. */
export const hawc: () => LookupOfMany<HazardRecords.HawcAssessment> = lookupOf(Hazard.hawc)

/** Looks up the IRIS assessments of substances, any number for each: one request for each. */
export const iris: () => LookupOfMany<HazardRecords.IrisAssessment> = lookupOf(Hazard.iris)

/** Looks up the PPRTV assessments of substances, any number for each: one request for each. */
export const pprtv: () => LookupOfMany<HazardRecords.PprtvAssessment> = lookupOf(Hazard.pprtv)

/** Looks up the skin and eye results of substances, any number for each: up to 200 substances in a request. */
export const skinEye: () => LookupOfMany<HazardRecords.SkinEyeResult> = lookupOf(Hazard.skinEye)

/**
 * Looks up the examinations in animal studies (ToxRefDB) of substances, any number for each: up to 10
 * substances in a request.
 */
export const toxrefData: () => LookupOfMany<HazardRecords.ToxrefData> = lookupOf(Hazard.toxrefData)

/**
 * Looks up the examinations in animal studies (ToxRefDB) of studies, any number for each: one request for
 * each.
 */
export const toxrefDataByStudyId: () => LookupOfMany<HazardRecords.ToxrefData> = lookupOf(
  Hazard.toxrefDataByStudyId
)

/**
 * Looks up the examinations in animal studies (ToxRefDB) of study types, any number for each: one request for
 * each.
 */
export const toxrefDataByStudyType: () => LookupOfMany<HazardRecords.ToxrefData> = lookupOf(
  Hazard.toxrefDataByStudyType
)

/** Looks up the effects in animal studies (ToxRefDB) of substances, any number for each: one request for each. */
export const toxrefEffects: () => LookupOfMany<HazardRecords.ToxrefEffect> = lookupOf(Hazard.toxrefEffects)

/** Looks up the effects in animal studies (ToxRefDB) of studies, any number for each: one request for each. */
export const toxrefEffectsByStudyId: () => LookupOfMany<HazardRecords.ToxrefEffect> = lookupOf(
  Hazard.toxrefEffectsByStudyId
)

/**
 * Looks up the effects in animal studies (ToxRefDB) of study types, any number for each: one request for each.
 */
export const toxrefEffectsByStudyType: () => LookupOfMany<HazardRecords.ToxrefEffect> = lookupOf(
  Hazard.toxrefEffectsByStudyType
)

/**
 * Looks up the observations in animal studies (ToxRefDB) of substances, any number for each: one request for
 * each.
 */
export const toxrefObservations: () => LookupOfMany<HazardRecords.ToxrefObservation> = lookupOf(
  Hazard.toxrefObservations
)

/**
 * Looks up the observations in animal studies (ToxRefDB) of studies, any number for each: one request for
 * each.
 */
export const toxrefObservationsByStudyId: () => LookupOfMany<HazardRecords.ToxrefObservation> = lookupOf(
  Hazard.toxrefObservationsByStudyId
)

/**
 * Looks up the observations in animal studies (ToxRefDB) of study types, any number for each: one request for
 * each.
 */
export const toxrefObservationsByStudyType: () => LookupOfMany<HazardRecords.ToxrefObservation> = lookupOf(
  Hazard.toxrefObservationsByStudyType
)

/**
 * Looks up the summaries of animal studies (ToxRefDB) of substances, any number for each: one request for
 * each.
 */
export const toxrefSummary: () => LookupOfMany<HazardRecords.ToxrefStudy> = lookupOf(Hazard.toxrefSummary)

/** Looks up the summaries of animal studies (ToxRefDB) of studies, any number for each: one request for each. */
export const toxrefSummaryByStudyId: () => LookupOfMany<HazardRecords.ToxrefStudy> = lookupOf(
  Hazard.toxrefSummaryByStudyId
)

/**
 * Looks up the summaries of animal studies (ToxRefDB) of study types, any number for each: one request for
 * each.
 */
export const toxrefSummaryByStudyType: () => LookupOfMany<HazardRecords.ToxrefStudy> = lookupOf(
  Hazard.toxrefSummaryByStudyType
)

/** Looks up the toxicity values of substances, any number for each: up to 24 substances in a request. */
export const toxval: () => LookupOfMany<HazardRecords.ToxicityValue> = lookupOf(Hazard.toxval)

/** Looks up the toxicity values in a category of substances, any number for each: one request for each. */
export const toxvalByCategory: (category: string) => LookupOfMany<HazardRecords.ToxicityValue> = lookupOf(
  Hazard.toxvalByCategory
)

/** Finds the categories of toxicity values: one record `{"query","toxvalTypeSuperCategory"}` for each. */
export const toxvalSupercategories: () => LookupOfMany<ToxvalTypeSuperCategory> = lookupOf(
  Hazard.toxvalSupercategories
)
