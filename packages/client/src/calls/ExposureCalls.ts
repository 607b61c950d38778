// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `exposure` (docs/families/exposure.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { ExposureRecords, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Many, Mode, One } from "./Mode.ts"
import type { Page } from "./Pages.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The forms of exposures inferred from biomonitoring (NHANES), by projection. */
export interface CcdMonitoringDataForms {
  readonly all: ExposureRecords.Biomonitoring
  readonly "ccd-biomonitoring": ExposureRecords.DashboardBiomonitoring
}

/** The forms of exposure pathways (SEEM), by projection. */
export interface SeemForms {
  readonly all: ExposureRecords.ExposurePathways
  readonly "ccd-general": ExposureRecords.DashboardExposurePathway
}

/** The forms of exposure predictions (SEEM), by projection. */
export interface SeemDemographicForms {
  readonly all: ExposureRecords.ExposurePrediction
  readonly "ccd-demographic": ExposureRecords.DashboardExposurePrediction
}

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
  readonly ccdChemWeightFractions: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.WeightFraction>, Failure>

  /** Gets the categories of reported functional uses of a substance (GET). The list may be empty. */
  readonly ccdFunctionalUse: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.ReportedUse>, Failure>

  /**
   * Gets the keywords of general use of a substance (GET). The keywords in `keywordset` are separated by
   * commas. The list may be empty.
   */
  readonly ccdKeywords: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.UseKeywords>, Failure>

  /**
   * Gets the exposures inferred from biomonitoring (NHANES) of a substance (GET). A record is for a part of
   * the population. Intakes are in mg/kg/day. The records of `ccd-biomonitoring` have other field names. The
   * list may be empty.
   */
  readonly ccdMonitoringData: <P extends keyof CcdMonitoringDataForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<CcdMonitoringDataForms[P]>, Failure>

  /**
   * Gets the product use categories of a substance (GET). A record has the number of products in a category.
   * The list may be empty.
   */
  readonly ccdProductUseCategories: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.ProductUse>, Failure>

  /**
   * Gets the production volumes of a substance (GET). An amount is a text with its unit, often a range, e.g.
   * `1,000,000,000 - <5,000,000,000 lb`. The list may be empty.
   */
  readonly ccdProductionVolume: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.ProductionVolume>, Failure>

  /**
   * Gets the functional uses of a substance (GET). They are as documents report them, with a category where
   * there is one. The list may be empty.
   */
  readonly functionalUse: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.FunctionalUse>, Failure>

  /**
   * Gets the functional uses of up to 200 substances in one request (POST). Unknown ones have none, and the
   * order may differ from the request.
   */
  readonly functionalUseBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.FunctionalUse>, Failure>

  /** Gets the categories of functional uses (GET). The list may be empty. */
  readonly functionalUseCategories: () => One<
    F,
    ReadonlyArray<ExposureRecords.FunctionalUseCategory>,
    Failure
  >

  /**
   * Gets the predicted functional uses of a substance (GET). A probability is from 0 to 1. The probabilities
   * of a substance do not add up to 1. The list may be empty.
   */
  readonly functionalUseProbability: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.FunctionalUseProbability>, Failure>

  /**
   * Gets the toxicokinetic parameters of a substance (GET). A value is a number, in the unit of `units`, and
   * the text of its source. `NA` means unknown. Css is for a dose of 1 mg/kg/day. The list may be empty.
   */
  readonly httk: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.ToxicokineticParameter>, Failure>

  /**
   * Gets the toxicokinetic parameters of up to 200 substances in one request (POST). Unknown ones have none,
   * and the order may differ from the request.
   */
  readonly httkBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.ToxicokineticParameter>, Failure>

  /**
   * Gets the list entries of a substance (GET). An entry is a document that lists the substance. The keywords
   * in `keywordset` are separated by semicolons. `exposure.listPresenceTags` has their meaning. The list may
   * be empty.
   */
  readonly listPresence: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.ListPresence>, Failure>

  /**
   * Gets the list entries of up to 200 substances in one request (POST). Unknown ones have none, and the order
   * may differ from the request.
   */
  readonly listPresenceBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.ListPresence>, Failure>

  /** Gets the keywords of list documents (GET). The list may be empty. */
  readonly listPresenceTags: () => One<F, ReadonlyArray<ExposureRecords.ListPresenceTag>, Failure>

  /**
   * Gets the monitoring statistics (MMDB) of a substance (GET). Results are texts as in the source, with their
   * unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000
   * records. The list may be empty.
   */
  readonly mmdbAggregate: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.MonitoringStatistic>, Failure>

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
  ) => Many<F, ExposureRecords.MonitoringStatistic, Failure>

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
  ) => One<F, Page<ExposureRecords.MonitoringStatistic>, Failure>

  /**
   * Streams the pages of the monitoring statistics (MMDB) of a medium from the page `page`, as
   * `mmdbAggregateByMedium` streams their records.
   */
  readonly mmdbAggregateByMediumPages: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<ExposureRecords.MonitoringStatistic>, Failure>

  /** Gets the media of the monitoring data (MMDB) (GET). The list may be empty. */
  readonly mmdbMediums: () => One<F, ReadonlyArray<ExposureRecords.MonitoringMedium>, Failure>

  /**
   * Gets the monitoring samples (MMDB) of a substance (GET). Results are texts as in the source, with their
   * unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000
   * records. The list may be empty.
   */
  readonly mmdbSingleSample: (
    dtxsid: string
  ) => One<F, ReadonlyArray<ExposureRecords.MonitoringSample>, Failure>

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
  ) => Many<F, ExposureRecords.MonitoringSample, Failure>

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
  ) => One<F, Page<ExposureRecords.MonitoringSample>, Failure>

  /**
   * Streams the pages of the monitoring samples (MMDB) of a medium from the page `page`, as
   * `mmdbSingleSampleByMedium` streams their records.
   */
  readonly mmdbSingleSampleByMediumPages: (
    medium: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<ExposureRecords.MonitoringSample>, Failure>

  /** Gets the product use categories (GET). The list may be empty. */
  readonly productCategories: () => One<F, ReadonlyArray<ExposureRecords.ProductCategory>, Failure>

  /**
   * Gets the product data records of a substance (GET). Weight fractions are from 0 to 1. Amounts and dates of
   * the documents are texts as printed, with their spaces. A substance may have hundreds of records. The list
   * may be empty.
   */
  readonly productData: (dtxsid: string) => One<F, ReadonlyArray<ExposureRecords.ProductData>, Failure>

  /**
   * Gets the product data records of up to 200 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly productDataBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.ProductData>, Failure>

  /**
   * Gets the exposure pathways (SEEM) of a substance (GET). They are probabilities from 0 to 1, and the
   * production volume in the unit of `units`. `exposure.seemDemographic` has the doses. `probabilityPesticde`
   * is the service's spelling. The list may be empty.
   */
  readonly seem: <P extends keyof SeemForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<SeemForms[P]>, Failure>

  /**
   * Gets the exposure pathways (SEEM) of up to 200 substances in one request (POST). Unknown ones have none,
   * and the order may differ from the request.
   */
  readonly seemBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.ExposurePathways>, Failure>

  /**
   * Gets the exposure predictions (SEEM) of a substance (GET). Each is in the unit of `units`, for the
   * consensus model mg/kg/day. The demographic `Total` with the predictor `SEEM3 Consensus` is the prediction
   * for all people. In the text of a value, `NA` means unknown. The list may be empty.
   */
  readonly seemDemographic: <P extends keyof SeemDemographicForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<SeemDemographicForms[P]>, Failure>

  /**
   * Gets the exposure predictions (SEEM) of up to 200 substances in one request (POST). Unknown ones have
   * none, and the order may differ from the request.
   */
  readonly seemDemographicBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<ExposureRecords.ExposurePrediction>, Failure>
}
