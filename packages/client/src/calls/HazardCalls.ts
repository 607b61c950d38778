// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `hazard` (docs/families/hazard.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { Hazard, HazardRecords, Row } from "@chemstream/api"
import type { Effects, Many, Mode, One, Records } from "./Mode.ts"
import type { Page } from "./Pages.ts"

/** The forms of ADME parameters, by projection. */
export type AdmeIviveForms = Row.RecordsByForm<typeof Hazard.admeIvive>

/** The forms of genotoxicity tests, by projection. */
export type GenetoxDetailsForms = Row.RecordsByForm<typeof Hazard.genetoxDetails>

/** The calls of the group `hazard`. */
export interface HazardCalls<F extends Mode = Effects> {
  /**
   * Gets the ADME parameters of a substance (GET). They are for in vitro to in vivo extrapolation. Numbers are
   * texts with their unit beside them, and `NA` means unknown. Css is for a dose of 1 mg/kg/day. The list may
   * be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.hazard.admeIvive("DTXSID7020182")
   * })
   * ```
   */
  readonly admeIvive: <P extends keyof AdmeIviveForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, AdmeIviveForms[P]>

  /** Gets the cancer calls of a substance (GET). Each source has its own terms. The list may be empty. */
  readonly cancer: (dtxsid: string) => Records<F, HazardRecords.CancerCall>

  /**
   * Gets the cancer calls of up to 200 substances in one request (POST). Unknown ones have none, and the order
   * may differ from the request.
   */
  readonly cancerBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.CancerCall>

  /** Gets the genotoxicity summaries of a substance (GET). A substance has at most one. The list may be empty. */
  readonly genetox: (dtxsid: string) => Records<F, HazardRecords.GenotoxicitySummary>

  /**
   * Gets the genotoxicity summaries of up to 200 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly genetoxBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.GenotoxicitySummary>

  /**
   * Gets the genotoxicity tests of a substance (GET). The service documents many more fields than the nine
   * that it sends, with or without a projection. The list may be empty.
   */
  readonly genetoxDetails: <P extends keyof GenetoxDetailsForms = "all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, GenetoxDetailsForms[P]>

  /**
   * Gets the genotoxicity tests of up to 200 substances in one request (POST). Unknown ones have none, and the
   * order may differ from the request.
   */
  readonly genetoxDetailsBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.GenotoxicityTest>

  /**
   * Gets the HAWC assessments of a substance (GET). A record has the page of an assessment, not its values.
   * The list may be empty.
   */
  readonly hawc: (dtxsid: string) => Records<F, HazardRecords.HawcAssessment>

  /**
   * Gets the IRIS assessments of a substance (GET). Reference doses and concentrations are texts with their
   * unit, e.g. `5 x 10 -2 mg/kg-day`. The list may be empty.
   */
  readonly iris: (dtxsid: string) => Records<F, HazardRecords.IrisAssessment>

  /**
   * Gets the PPRTV assessments of a substance (GET). Provisional peer-reviewed toxicity values are texts with
   * their unit, e.g. `7 x 10-5 mg/kg-day`, or `Not available`. The list may be empty.
   */
  readonly pprtv: (dtxsid: string) => Records<F, HazardRecords.PprtvAssessment>

  /**
   * Gets the skin and eye results of a substance (GET). They are irritation of skin or eyes, and sensitization
   * of skin. `-` and the year -1 mean unknown. The list may be empty.
   */
  readonly skinEye: (dtxsid: string) => Records<F, HazardRecords.SkinEyeResult>

  /**
   * Gets the skin and eye results of up to 200 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly skinEyeBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.SkinEyeResult>

  /**
   * Gets the examinations in animal studies (ToxRefDB) of a substance (GET). A record is a dosed group and an
   * endpoint, with or without an effect. A batch sends most numbers as text, and no `id`. The list may be
   * empty.
   */
  readonly toxrefData: (dtxsid: string) => Records<F, HazardRecords.ToxrefData>

  /**
   * Gets the examinations in animal studies (ToxRefDB) of up to 200 substances in one request (POST). Unknown
   * ones have none, and the order may differ from the request.
   */
  readonly toxrefDataBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.ToxrefData>

  /**
   * Gets the examinations in animal studies (ToxRefDB) of a study (GET). A record is a dosed group and an
   * endpoint, with or without an effect. A study type has pages of 10,000 records, which take the service up
   * to 50 s each. The list may be empty.
   */
  readonly toxrefDataByStudyId: (studyId: number) => Records<F, HazardRecords.ToxrefData>

  /**
   * Streams the examinations in animal studies (ToxRefDB) of a study type, record by record, from the page
   * `page` until an empty page (GET). One page is in memory at a time; the next is requested when it is
   * consumed. Fails with `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   */
  readonly toxrefDataByStudyType: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, HazardRecords.ToxrefData>

  /**
   * Gets one page of the examinations in animal studies (ToxRefDB) of a study type, with the number or cursor
   * of the next one (GET). A record is a dosed group and an endpoint, with or without an effect. A study type
   * has pages of 10,000 records, which take the service up to 50 s each. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly toxrefDataByStudyTypePage: (
    studyType: string,
    page?: number
  ) => One<F, Page<HazardRecords.ToxrefData>>

  /**
   * Streams the pages of the examinations in animal studies (ToxRefDB) of a study type from the page `page`,
   * as `toxrefDataByStudyType` streams their records.
   */
  readonly toxrefDataByStudyTypePages: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<HazardRecords.ToxrefData>>

  /**
   * Gets the effects in animal studies (ToxRefDB) of a substance (GET). A record is an effect in a dosed
   * group. Doses by body weight are in the unit of `doseAdjustedUnit`. A study type has pages of 10,000
   * records. The list may be empty.
   */
  readonly toxrefEffects: (dtxsid: string) => Records<F, HazardRecords.ToxrefEffect>

  /**
   * Gets the effects in animal studies (ToxRefDB) of a study (GET). A record is an effect in a dosed group.
   * Doses by body weight are in the unit of `doseAdjustedUnit`. A study type has pages of 10,000 records. The
   * list may be empty.
   */
  readonly toxrefEffectsByStudyId: (studyId: number) => Records<F, HazardRecords.ToxrefEffect>

  /**
   * Streams the effects in animal studies (ToxRefDB) of a study type, record by record, from the page `page`
   * until an empty page (GET). One page is in memory at a time; the next is requested when it is consumed.
   * Fails with `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   */
  readonly toxrefEffectsByStudyType: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, HazardRecords.ToxrefEffect>

  /**
   * Gets one page of the effects in animal studies (ToxRefDB) of a study type, with the number or cursor of
   * the next one (GET). A record is an effect in a dosed group. Doses by body weight are in the unit of
   * `doseAdjustedUnit`. A study type has pages of 10,000 records. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly toxrefEffectsByStudyTypePage: (
    studyType: string,
    page?: number
  ) => One<F, Page<HazardRecords.ToxrefEffect>>

  /**
   * Streams the pages of the effects in animal studies (ToxRefDB) of a study type from the page `page`, as
   * `toxrefEffectsByStudyType` streams their records.
   */
  readonly toxrefEffectsByStudyTypePages: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<HazardRecords.ToxrefEffect>>

  /**
   * Gets the observations in animal studies (ToxRefDB) of a substance (GET). A record is an endpoint of the
   * study's test guideline, tested or not. A study has about 400. A study type has pages of 10,000 records.
   * The list may be empty.
   */
  readonly toxrefObservations: (dtxsid: string) => Records<F, HazardRecords.ToxrefObservation>

  /**
   * Gets the observations in animal studies (ToxRefDB) of a study (GET). A record is an endpoint of the
   * study's test guideline, tested or not. A study has about 400. A study type has pages of 10,000 records.
   * The list may be empty.
   */
  readonly toxrefObservationsByStudyId: (studyId: number) => Records<F, HazardRecords.ToxrefObservation>

  /**
   * Streams the observations in animal studies (ToxRefDB) of a study type, record by record, from the page
   * `page` until an empty page (GET). One page is in memory at a time; the next is requested when it is
   * consumed. Fails with `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   */
  readonly toxrefObservationsByStudyType: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, HazardRecords.ToxrefObservation>

  /**
   * Gets one page of the observations in animal studies (ToxRefDB) of a study type, with the number or cursor
   * of the next one (GET). A record is an endpoint of the study's test guideline, tested or not. A study has
   * about 400. A study type has pages of 10,000 records. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly toxrefObservationsByStudyTypePage: (
    studyType: string,
    page?: number
  ) => One<F, Page<HazardRecords.ToxrefObservation>>

  /**
   * Streams the pages of the observations in animal studies (ToxRefDB) of a study type from the page `page`,
   * as `toxrefObservationsByStudyType` streams their records.
   */
  readonly toxrefObservationsByStudyTypePages: (
    studyType: string,
    options?: { readonly page?: number | undefined }
  ) => Many<F, Page<HazardRecords.ToxrefObservation>>

  /**
   * Gets the summaries of animal studies (ToxRefDB) of a substance (GET). A record is a study: its document,
   * animals and dosing, without results. The list may be empty.
   */
  readonly toxrefSummary: (dtxsid: string) => Records<F, HazardRecords.ToxrefStudy>

  /**
   * Gets the summaries of animal studies (ToxRefDB) of a study (GET). A record is a study: its document,
   * animals and dosing, without results. The list may be empty.
   */
  readonly toxrefSummaryByStudyId: (studyId: number) => Records<F, HazardRecords.ToxrefStudy>

  /**
   * Gets the summaries of animal studies (ToxRefDB) of a study type (GET). A record is a study: its document,
   * animals and dosing, without results. The list may be empty.
   */
  readonly toxrefSummaryByStudyType: (studyType: string) => Records<F, HazardRecords.ToxrefStudy>

  /**
   * Gets the toxicity values of a substance (GET). They are for human health and ecology (`humanEco`), each in
   * the unit of `toxvalUnits`. `-` and -999 mean unknown. A substance may have hundreds, of about 2.5 kB each.
   * The list may be empty.
   */
  readonly toxval: (dtxsid: string) => Records<F, HazardRecords.ToxicityValue>

  /**
   * Gets the toxicity values of up to 200 substances in one request (POST). Unknown ones have none, and the
   * order may differ from the request.
   */
  readonly toxvalBatch: (dtxsids: ReadonlyArray<string>) => Records<F, HazardRecords.ToxicityValue>

  /**
   * Gets the toxicity values in a category of a substance (GET). `hazard.toxvalSupercategories` has the
   * categories of a substance. An unknown category has no values. The list may be empty.
   */
  readonly toxvalByCategory: (dtxsid: string, category: string) => Records<F, HazardRecords.ToxicityValue>

  /** Gets the categories of toxicity values (GET). The list may be empty. */
  readonly toxvalSupercategories: (dtxsid: string) => Records<F, string>
}
