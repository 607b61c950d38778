// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `exposure` (docs/families/exposure.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Exposure, type ExposureRecords } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { LookupOfMany } from "./Lookup.ts"

/** The record of `ccdMonitoringData`, by projection. */
export type CcdMonitoringDataForms = FormsOf<typeof Exposure.ccdMonitoringData>

/** The options of `ccdMonitoringData`. */
export interface CcdMonitoringDataOptions<
  P extends keyof CcdMonitoringDataForms = keyof CcdMonitoringDataForms
> {
  /** The projection of the records: ccd-biomonitoring for the fields of the dashboard. Default: `all`. */
  readonly projection?: P | undefined
}

/** The record of `seem`, by projection. */
export type SeemForms = FormsOf<typeof Exposure.seem>

/** The options of `seem`. */
export interface SeemOptions<P extends keyof SeemForms = keyof SeemForms> {
  /** The projection of the records: ccd-general for a record per value, as in the dashboard. Default: `all`. */
  readonly projection?: P | undefined
}

/** The record of `seemDemographic`, by projection. */
export type SeemDemographicForms = FormsOf<typeof Exposure.seemDemographic>

/** The options of `seemDemographic`. */
export interface SeemDemographicOptions<P extends keyof SeemDemographicForms = keyof SeemDemographicForms> {
  /** The projection of the records: ccd-demographic for the fields of the dashboard. Default: `all`. */
  readonly projection?: P | undefined
}

/** Looks up the weight fractions in products of substances, any number for each: one request for each. */
export const ccdChemWeightFractions: () => LookupOfMany<ExposureRecords.WeightFraction> = lookupOf(
  Exposure.ccdChemWeightFractions
)

/**
 * Looks up the categories of reported functional uses of substances, any number for each: one request for
 * each.
 */
export const ccdFunctionalUse: () => LookupOfMany<ExposureRecords.ReportedUse> = lookupOf(
  Exposure.ccdFunctionalUse
)

/** Looks up the keywords of general use of substances, any number for each: one request for each. */
export const ccdKeywords: () => LookupOfMany<ExposureRecords.UseKeywords> = lookupOf(Exposure.ccdKeywords)

/**
 * Looks up the exposures inferred from biomonitoring (NHANES) of substances, any number for each: one request
 * for each.
 *
 * @example
 * ```ts
 * import { Exposure } from "@chemstream/stream"
 *
 * Exposure.ccdMonitoringData().size // => 1
 * ```
 */
export const ccdMonitoringData: <P extends keyof CcdMonitoringDataForms = "all">(
  options?: CcdMonitoringDataOptions<P>
) => LookupOfMany<CcdMonitoringDataForms[P]> = lookupOf(Exposure.ccdMonitoringData)

/** Looks up the product use categories of substances, any number for each: one request for each. */
export const ccdProductUseCategories: () => LookupOfMany<ExposureRecords.ProductUse> = lookupOf(
  Exposure.ccdProductUseCategories
)

/** Looks up the production volumes of substances, any number for each: one request for each. */
export const ccdProductionVolume: () => LookupOfMany<ExposureRecords.ProductionVolume> = lookupOf(
  Exposure.ccdProductionVolume
)

/** Looks up the functional uses of substances, any number for each: up to 200 substances in a request. */
export const functionalUse: () => LookupOfMany<ExposureRecords.FunctionalUse> = lookupOf(
  Exposure.functionalUse
)

/** Streams the categories of functional uses, from one response. */
export const functionalUseCategories: PagesOf<typeof Exposure.functionalUseCategories>["all"] = pagesOf(
  Exposure.functionalUseCategories
).all

/** Looks up the predicted functional uses of substances, any number for each: one request for each. */
export const functionalUseProbability: () => LookupOfMany<ExposureRecords.FunctionalUseProbability> =
  lookupOf(Exposure.functionalUseProbability)

/**
 * Looks up the toxicokinetic parameters of substances, any number for each: up to 200 substances in a request.
 */
export const httk: () => LookupOfMany<ExposureRecords.ToxicokineticParameter> = lookupOf(Exposure.httk)

/** Looks up the list entries of substances, any number for each: up to 100 substances in a request. */
export const listPresence: () => LookupOfMany<ExposureRecords.ListPresence> = lookupOf(Exposure.listPresence)

/** Streams the keywords of list documents, from one response. */
export const listPresenceTags: PagesOf<typeof Exposure.listPresenceTags>["all"] = pagesOf(
  Exposure.listPresenceTags
).all

/** Looks up the monitoring statistics (MMDB) of substances, any number for each: one request for each. */
export const mmdbAggregate: () => LookupOfMany<ExposureRecords.MonitoringStatistic> = lookupOf(
  Exposure.mmdbAggregate
)

/** Looks up the monitoring statistics (MMDB) of media, any number for each: one request for each. */
export const mmdbAggregateByMedium: () => LookupOfMany<ExposureRecords.MonitoringStatistic> = lookupOf(
  Exposure.mmdbAggregateByMedium
)

/** Streams the media of the monitoring data (MMDB), from one response. */
export const mmdbMediums: PagesOf<typeof Exposure.mmdbMediums>["all"] = pagesOf(Exposure.mmdbMediums).all

/** Looks up the monitoring samples (MMDB) of substances, any number for each: one request for each. */
export const mmdbSingleSample: () => LookupOfMany<ExposureRecords.MonitoringSample> = lookupOf(
  Exposure.mmdbSingleSample
)

/** Looks up the monitoring samples (MMDB) of media, any number for each: one request for each. */
export const mmdbSingleSampleByMedium: () => LookupOfMany<ExposureRecords.MonitoringSample> = lookupOf(
  Exposure.mmdbSingleSampleByMedium
)

/** Streams the product use categories, from one response. */
export const productCategories: PagesOf<typeof Exposure.productCategories>["all"] = pagesOf(
  Exposure.productCategories
).all

/** Looks up the product data records of substances, any number for each: up to 40 substances in a request. */
export const productData: () => LookupOfMany<ExposureRecords.ProductData> = lookupOf(Exposure.productData)

/**
 * Looks up the exposure pathways (SEEM) of substances, any number for each: up to 200 substances in a request.
 *
 * @example
 * ```ts
 * import { Exposure } from "@chemstream/stream"
 *
 * Exposure.seem().size // => 200
 * ```
 */
export const seem: <P extends keyof SeemForms = "all">(
  options?: SeemOptions<P>
) => LookupOfMany<SeemForms[P]> = lookupOf(Exposure.seem)

/**
 * Looks up the exposure predictions (SEEM) of substances, any number for each: up to 200 substances in a
 * request.
 *
 * @example
 * ```ts
 * import { Exposure } from "@chemstream/stream"
 *
 * Exposure.seemDemographic().size // => 200
 * ```
 */
export const seemDemographic: <P extends keyof SeemDemographicForms = "all">(
  options?: SeemDemographicOptions<P>
) => LookupOfMany<SeemDemographicForms[P]> = lookupOf(Exposure.seemDemographic)
