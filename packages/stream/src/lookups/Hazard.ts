// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `hazard` (docs/families/hazard.md). */
import { Hazard, type HazardRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { Lookup } from "./Lookup.ts"

/** The record of a lookup of ADME parameters, in each projection. */
export interface AdmeIviveForms {
  readonly all: HazardRecords.KineticParameter
  readonly "ccd-adme-data": HazardRecords.DashboardKineticParameter
}

/** The options of a lookup of ADME parameters. */
export interface AdmeIviveOptions<P extends keyof AdmeIviveForms = keyof AdmeIviveForms> {
  /**
   * The projection of the records: ccd-adme-data for parameters with labels and explanations, as in the
   * dashboard. Default: `all`.
   */
  readonly projection?: P | undefined
}

/** The record of a lookup of genotoxicity tests, in each projection. */
export interface GenetoxDetailsForms {
  readonly all: HazardRecords.GenotoxicityTest
  readonly "ccd-genetox-details": HazardRecords.DashboardGenotoxicityTest & {
    readonly dtxsid: string | number
  }
}

/** The options of a lookup of genotoxicity tests. */
export interface GenetoxDetailsOptions<P extends keyof GenetoxDetailsForms = keyof GenetoxDetailsForms> {
  /**
   * The projection of the records: ccd-genetox-details for tests with their standardized names, as in the
   * dashboard. Default: `all`.
   */
  readonly projection?: P | undefined
}

/** A requested value with `toxvalTypeSuperCategory`. */
export type ToxvalTypeSuperCategory = ScalarRecord<"toxvalTypeSuperCategory", string>

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
export const admeIvive: <P extends keyof AdmeIviveForms = "all">(
  options?: AdmeIviveOptions<P>
) => Lookup<RawRecord.RawRecord<AdmeIviveForms[P]>> = rowLookup(Hazard.admeIvive)

/** Looks up the cancer calls of substances, any number for each, up to 200 a call. */
export const cancer: () => Lookup<RawRecord.RawRecord<HazardRecords.CancerCall>> = rowLookup(Hazard.cancer)

/** Looks up the genotoxicity summaries of substances, any number for each, up to 200 a call. */
export const genetox: () => Lookup<RawRecord.RawRecord<HazardRecords.GenotoxicitySummary>> = rowLookup(
  Hazard.genetox
)

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
export const genetoxDetails: <P extends keyof GenetoxDetailsForms = "all">(
  options?: GenetoxDetailsOptions<P>
) => Lookup<RawRecord.RawRecord<GenetoxDetailsForms[P]>> = rowLookup(Hazard.genetoxDetails)

/** Looks up the HAWC assessments of substances, any number for each, one a call. */
export const hawc: () => Lookup<RawRecord.RawRecord<HazardRecords.HawcAssessment>> = rowLookup(Hazard.hawc)

/** Looks up the IRIS assessments of substances, any number for each, one a call. */
export const iris: () => Lookup<RawRecord.RawRecord<HazardRecords.IrisAssessment>> = rowLookup(Hazard.iris)

/** Looks up the PPRTV assessments of substances, any number for each, one a call. */
export const pprtv: () => Lookup<RawRecord.RawRecord<HazardRecords.PprtvAssessment>> = rowLookup(Hazard.pprtv)

/** Looks up the skin and eye results of substances, any number for each, up to 200 a call. */
export const skinEye: () => Lookup<RawRecord.RawRecord<HazardRecords.SkinEyeResult>> = rowLookup(
  Hazard.skinEye
)

/** Looks up the examinations in animal studies (ToxRefDB) of substances, any number for each, up to 10 a call. */
export const toxrefData: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefData>> = rowLookup(
  Hazard.toxrefData
)

/** Looks up the examinations in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefDataByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefData>> = rowLookup(
  Hazard.toxrefDataByStudyId
)

/** Looks up the examinations in animal studies (ToxRefDB) of study types, any number for each, one a call. */
export const toxrefDataByStudyType: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefData>> = rowLookup(
  Hazard.toxrefDataByStudyType
)

/** Looks up the effects in animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefEffects: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefEffect>> = rowLookup(
  Hazard.toxrefEffects
)

/** Looks up the effects in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefEffectsByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefEffect>> =
  rowLookup(Hazard.toxrefEffectsByStudyId)

/** Looks up the effects in animal studies (ToxRefDB) of study types, any number for each, one a call. */
export const toxrefEffectsByStudyType: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefEffect>> =
  rowLookup(Hazard.toxrefEffectsByStudyType)

/** Looks up the observations in animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefObservations: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefObservation>> =
  rowLookup(Hazard.toxrefObservations)

/** Looks up the observations in animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefObservationsByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefObservation>> =
  rowLookup(Hazard.toxrefObservationsByStudyId)

/** Looks up the observations in animal studies (ToxRefDB) of study types, any number for each, one a call. */
export const toxrefObservationsByStudyType: () => Lookup<
  RawRecord.RawRecord<HazardRecords.ToxrefObservation>
> = rowLookup(Hazard.toxrefObservationsByStudyType)

/** Looks up the summaries of animal studies (ToxRefDB) of substances, any number for each, one a call. */
export const toxrefSummary: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> = rowLookup(
  Hazard.toxrefSummary
)

/** Looks up the summaries of animal studies (ToxRefDB) of studies, any number for each, one a call. */
export const toxrefSummaryByStudyId: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> = rowLookup(
  Hazard.toxrefSummaryByStudyId
)

/** Looks up the summaries of animal studies (ToxRefDB) of study types, any number for each, one a call. */
export const toxrefSummaryByStudyType: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxrefStudy>> =
  rowLookup(Hazard.toxrefSummaryByStudyType)

/** Looks up the toxicity values of substances, any number for each, up to 24 a call. */
export const toxval: () => Lookup<RawRecord.RawRecord<HazardRecords.ToxicityValue>> = rowLookup(Hazard.toxval)

/** Looks up the toxicity values in a category of substances, any number for each, one a call. */
export const toxvalByCategory: (
  category: string
) => Lookup<RawRecord.RawRecord<HazardRecords.ToxicityValue>> = rowLookup(Hazard.toxvalByCategory)

/** Finds the categories of toxicity values: one record `{"query","toxvalTypeSuperCategory"}` for each. */
export const toxvalSupercategories: () => Lookup<RawRecord.RawRecord<ToxvalTypeSuperCategory>> = rowLookup(
  Hazard.toxvalSupercategories
)
