/**
 * The calls of bioactivity data (docs/service.md, section 3.5): summaries, data records, and activity-exposure-dose data.
 *
 * Concentrations are log10 µM and responses in the unit of the assay endpoint, unless a field says otherwise. An `aeid` is
 * the number of an assay endpoint, an `m4id` of a data record, a `spid` the name of a sample. The batch limits are this
 * project's own; over them a batch fails with `BatchTooLarge`, and a malformed identifier with `InvalidIdentifier`, both
 * without a request. No identifiers, no request.
 */
import type { AedRecord, BioactivityData, BioactivitySummary, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The forms of the data records of a substance: whole, or the points of its summary plot. */
export interface BioactivityForms {
  readonly data: BioactivityData.BioactivityData
  readonly "assay-summary-plot": BioactivityData.PlotPoint
}

/** The calls of bioactivity data. */
export interface BioactivityCalls<F extends Mode = Effects> {
  /**
   * How active a substance was in a tissue, e.g. `liver` (GET, docs/service.md 3.5): all records of the response, at least
   * one. Concentrations `ac50` and `acc` in µM.
   *
   * Fails with `NotFound` when there is no data.
   */
  readonly summaryByTissue: (
    dtxsid: string,
    tissue: string
  ) => One<F, ReadonlyArray<BioactivitySummary.TissueSummary>, Failure>

  /** How active a substance was over all assay endpoints (GET, docs/service.md 3.5). `NotFound` when there is no data. */
  readonly summaryByDtxsid: (dtxsid: string) => One<F, BioactivitySummary.ChemicalSummary, Failure>

  /** How many samples were active in an assay endpoint (GET, docs/service.md 3.5). `NotFound` when it is not known. */
  readonly summaryByAeid: (aeid: number) => One<F, BioactivitySummary.EndpointSummary, Failure>

  /** The data records of a sample (GET, docs/service.md 3.5). `NotFound` when there are none. */
  readonly bySpid: (spid: string) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** One data record (GET, docs/service.md 3.5). `NotFound` when it is not known. */
  readonly byM4id: (m4id: number) => One<F, BioactivityData.BioactivityData, Failure>

  /**
   * The data records of a substance (GET, docs/service.md 3.5); with the form `assay-summary-plot` the points of its
   * summary plot (`ac50` in µM). `NotFound` when there are none.
   */
  readonly byDtxsid: <P extends keyof BioactivityForms = "data">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<BioactivityForms[P]>, Failure>

  /** All data records of an assay endpoint: may be many megabytes (GET, docs/service.md 3.5). `NotFound` when none. */
  readonly byAeid: (aeid: number) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /**
   * The activity-exposure-dose data of a substance (GET, docs/service.md 3.5): oral doses in the unit beside each.
   * `NotFound` when there are none.
   */
  readonly aedByDtxsid: (dtxsid: string) => One<F, ReadonlyArray<AedRecord.AedRecord>, Failure>

  /** The data records of up to 1000 samples in one call (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly bySpidBatch: (
    spids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** Up to 1000 data records in one call (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly byM4idBatch: (
    m4ids: ReadonlyArray<number>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** The data records of up to 1000 substances in one call (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly byDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** The data records of up to 1000 assay endpoints in one call (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly byAeidBatch: (
    aeids: ReadonlyArray<number>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** The AED data of up to 1000 substances in one call (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly aedByDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<AedRecord.AedRecord>, Failure>

  /**
   * The data records of a substance, asked for together with those that other fibers ask for at the same time
   * (`Settings.batching`): a thousand fibers make one request. Fails for this caller with `NotFound` when the answer has
   * no record of its substance; a failed request is the failure of everyone in it.
   */
  readonly get: (dtxsid: string) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>
}
