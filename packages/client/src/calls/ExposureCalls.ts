// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `exposure` (docs/families/exposure.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { Exposure, ExposureRecords, Row } from "@chemstream/api"
import type { Effects, Many, Mode, One, Records } from "./Mode.ts"
import type { Page } from "./Pages.ts"

/** The forms of exposures inferred from biomonitoring (NHANES), by projection. */
export type CcdMonitoringDataForms = Row.RecordsByForm<typeof Exposure.ccdMonitoringData>

/** The forms of exposure pathways (SEEM), by projection. */
export type SeemForms = Row.RecordsByForm<typeof Exposure.seem>

/** The forms of exposure predictions (SEEM), by projection. */
export type SeemDemographicForms = Row.RecordsByForm<typeof Exposure.seemDemographic>

/** The calls of the group `exposure`. */
export interface ExposureCalls<F extends Mode = Effects> {
  /**
   * Gets the weight fractions in products of a substance (GET). Weight fractions are from 0 to 1. A substance
   * may have a thousand records, together 1.2 MB. The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.exposure.ccdChemWeightFractions("DTXSID7020182")
   * })
   * ```
   */
  readonly ccdChemWeightFractions: (dtxsid: string) => Records<F, ExposureRecords.WeightFraction>

  /** Gets the categories of reported functional uses of a substance (GET). The list may be empty. */
  readonly ccdFunctionalUse: (dtxsid: string) => Records<F, ExposureRecords.ReportedUse>

  /**
   * Gets the keywords of general use of a substance (GET). The keywords in `keywordset` are separated by
   * commas. The list may be empty.
   */
  readonly ccdKeywords: (dtxsid: string) => Records<F, ExposureRecords.UseKeywords>

  /**
   * Gets the exposures inferred from biomonitoring (NHANES) of a substance (GET). A record is for a part of
   * the population. Intakes are in mg/kg/day. The records of `ccd-biomonitoring` have other field names. The
   * list may be empty.
   */
  readonly ccdMonitoringData: <P extends keyof CcdMonitoringDataForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, CcdMonitoringDataForms[P]>

  /**
   * Gets the product use categories of a substance (GET). A record has the number of products in a category.
   * The list may be empty.
   */
  readonly ccdProductUseCategories: (dtxsid: string) => Records<F, ExposureRecords.ProductUse>

  /**
   * Gets the production volumes of a substance (GET). An amount is a text with its unit, often a range, e.g.
   * `1,000,000,000 - <5,000,000,000 lb`. The list may be empty.
   */
  readonly ccdProductionVolume: (dtxsid: string) => Records<F, ExposureRecords.ProductionVolume>

  /**
   * Gets the functional uses of a substance (GET). They are as documents report them, with a category where
   * there is one. The list may be empty.
   */
  readonly functionalUse: (dtxsid: string) => Records<F, ExposureRecords.FunctionalUse>

  /**
   * Gets the functional uses of up to 200 substances in one request (POST). Unknown ones have none, and the
   * order may differ from the request.
   */
  readonly functionalUseBatch: (dtxsids: ReadonlyArray<string>) => Records<F, ExposureRecords.FunctionalUse>

  /** Gets the categories of functional uses (GET). The list may be empty. */
  readonly functionalUseCategories: () => Records<F, ExposureRecords.FunctionalUseCategory>

  /**
   * Gets the predicted functional uses of a substance (GET). A probability is from 0 to 1. The probabilities
   * of a substance do not add up to 1. The list may be empty.
   */
  readonly functionalUseProbability: (dtxsid: string) => Records<F, ExposureRecords.FunctionalUseProbability>

  /**
   * Gets the toxicokinetic parameters of a substance (GET). A value is a number, in the unit of `units`, and
   * the text of its source. `NA` means unknown. Css is for a dose of 1 mg/kg/day. The list may be empty.
   */
  readonly httk: (dtxsid: string) => Records<F, ExposureRecords.ToxicokineticParameter>

  /**
   * Gets the toxicokinetic parameters of up to 200 substances in one request (POST). Unknown ones have none,
   * and the order may differ from the request.
   */
  readonly httkBatch: (dtxsids: ReadonlyArray<string>) => Records<F, ExposureRecords.ToxicokineticParameter>

  /**
   * Gets the list entries of a substance (GET). An entry is a document that lists the substance. The keywords
   * in `keywordset` are separated by semicolons. `exposure.listPresenceTags` has their meaning. The list may
   * be empty.
   */
  readonly listPresence: (dtxsid: string) => Records<F, ExposureRecords.ListPresence>

  /**
   * Gets the list entries of up to 200 substances in one request (POST). Unknown ones have none, and the order
   * may differ from the request.
   */
  readonly listPresenceBatch: (dtxsids: ReadonlyArray<string>) => Records<F, ExposureRecords.ListPresence>

  /** Gets the keywords of list documents (GET). The list may be empty. */
  readonly listPresenceTags: () => Records<F, ExposureRecords.ListPresenceTag>

  /**
   * Gets the monitoring statistics (MMDB) of a substance (GET). Results are texts as in the source, with their
   * unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000
   * records. The list may be empty.
   */
  readonly mmdbAggregate: (dtxsid: string) => Records<F, ExposureRecords.MonitoringStatistic>

  /**
   * Streams the monitoring statistics (MMDB) of a medium, record by record, from the page `page` until an
   * empty page (GET). One page is in memory at a time; the next is requested when it is consumed. Fails with
   * `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   */
  readonly mmdbAggregateByMedium: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, ExposureRecords.MonitoringStatistic>

  /**
   * Gets one page of the monitoring statistics (MMDB) of a medium, with the number or cursor of the next one
   * (GET). Results are texts as in the source, with their unit beside them. A well-studied substance has more
   * than 4 MB of them. A medium has pages of 10,000 records. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly mmdbAggregateByMediumPage: (
    medium: string,
    page?: number
  ) => One<F, Page<ExposureRecords.MonitoringStatistic>>

  /**
   * Streams the pages of the monitoring statistics (MMDB) of a medium from the page `page`, as
   * `mmdbAggregateByMedium` streams their records.
   */
  readonly mmdbAggregateByMediumPages: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<ExposureRecords.MonitoringStatistic>>

  /** Gets the media of the monitoring data (MMDB) (GET). The list may be empty. */
  readonly mmdbMediums: () => Records<F, ExposureRecords.MonitoringMedium>

  /**
   * Gets the monitoring samples (MMDB) of a substance (GET). Results are texts as in the source, with their
   * unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000
   * records. The list may be empty.
   */
  readonly mmdbSingleSample: (dtxsid: string) => Records<F, ExposureRecords.MonitoringSample>

  /**
   * Streams the monitoring samples (MMDB) of a medium, record by record, from the page `page` until an empty
   * page (GET). One page is in memory at a time; the next is requested when it is consumed. Fails with
   * `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   */
  readonly mmdbSingleSampleByMedium: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, ExposureRecords.MonitoringSample>

  /**
   * Gets one page of the monitoring samples (MMDB) of a medium, with the number or cursor of the next one
   * (GET). Results are texts as in the source, with their unit beside them. A well-studied substance has more
   * than 4 MB of them. A medium has pages of 10,000 records. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly mmdbSingleSampleByMediumPage: (
    medium: string,
    page?: number
  ) => One<F, Page<ExposureRecords.MonitoringSample>>

  /**
   * Streams the pages of the monitoring samples (MMDB) of a medium from the page `page`, as
   * `mmdbSingleSampleByMedium` streams their records.
   */
  readonly mmdbSingleSampleByMediumPages: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<ExposureRecords.MonitoringSample>>

  /** Gets the product use categories (GET). The list may be empty. */
  readonly productCategories: () => Records<F, ExposureRecords.ProductCategory>

  /**
   * Gets the product data records of a substance (GET). Weight fractions are from 0 to 1. Amounts and dates of
   * the documents are texts as printed, with their spaces. A substance may have hundreds of records. The list
   * may be empty.
   */
  readonly productData: (dtxsid: string) => Records<F, ExposureRecords.ProductData>

  /**
   * Gets the product data records of up to 200 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly productDataBatch: (dtxsids: ReadonlyArray<string>) => Records<F, ExposureRecords.ProductData>

  /**
   * Gets the exposure pathways (SEEM) of a substance (GET). They are probabilities from 0 to 1, and the
   * production volume in the unit of `units`. `exposure.seemDemographic` has the doses. `probabilityPesticde`
   * is the service's spelling. The list may be empty.
   */
  readonly seem: <P extends keyof SeemForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, SeemForms[P]>

  /**
   * Gets the exposure pathways (SEEM) of up to 200 substances in one request (POST). Unknown ones have none,
   * and the order may differ from the request.
   */
  readonly seemBatch: (dtxsids: ReadonlyArray<string>) => Records<F, ExposureRecords.ExposurePathways>

  /**
   * Gets the exposure predictions (SEEM) of a substance (GET). Each is in the unit of `units`, for the
   * consensus model mg/kg/day. The demographic `Total` with the predictor `SEEM3 Consensus` is the prediction
   * for all people. In the text of a value, `NA` means unknown. The list may be empty.
   */
  readonly seemDemographic: <P extends keyof SeemDemographicForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, SeemDemographicForms[P]>

  /**
   * Gets the exposure predictions (SEEM) of up to 200 substances in one request (POST). Unknown ones have
   * none, and the order may differ from the request.
   */
  readonly seemDemographicBatch: (
    dtxsids: ReadonlyArray<string>
  ) => Records<F, ExposureRecords.ExposurePrediction>
}
