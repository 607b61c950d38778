/**
 * The calls of bioactivity data (docs/service.md, section 3.5): summaries, data records, activity-exposure-dose data.
 *
 * Concentrations are log10 µM and responses have the unit of the assay endpoint, unless a field says otherwise.
 * `aeid` numbers an assay endpoint, `m4id` a data record; `spid` names a sample. The batch limits are this project's
 * own. A larger batch fails with `BatchTooLarge`, a malformed identifier with `InvalidIdentifier`; neither sends a
 * request. An empty batch sends no request.
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
   * Gets the activity of a substance in a tissue, e.g. `liver` (GET, docs/service.md 3.5): at least one record.
   * `ac50` and `acc` are in µM.
   *
   * Fails with `NotFound` when there is no data.
   */
  readonly summaryByTissue: (
    dtxsid: string,
    tissue: string
  ) => One<F, ReadonlyArray<BioactivitySummary.TissueSummary>, Failure>

  /**
   * Gets the activity of a substance over all assay endpoints (GET, docs/service.md 3.5). `NotFound`: it has no data.
   */
  readonly summaryByDtxsid: (dtxsid: string) => One<F, BioactivitySummary.ChemicalSummary, Failure>

  /**
   * Counts the active samples of an assay endpoint (GET, docs/service.md 3.5). `NotFound`: the endpoint is unknown.
   */
  readonly summaryByAeid: (aeid: number) => One<F, BioactivitySummary.EndpointSummary, Failure>

  /** Gets the data records of a sample (GET, docs/service.md 3.5). `NotFound`: it has none. */
  readonly bySpid: (spid: string) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** Gets one data record (GET, docs/service.md 3.5). `NotFound`: it is unknown. */
  readonly byM4id: (m4id: number) => One<F, BioactivityData.BioactivityData, Failure>

  /**
   * Gets the data records of a substance (GET, docs/service.md 3.5). The form `assay-summary-plot` gets the points of
   * its summary plot, with `ac50` in µM. `NotFound`: it has none.
   */
  readonly byDtxsid: <P extends keyof BioactivityForms = "data">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<BioactivityForms[P]>, Failure>

  /**
   * Gets all data records of an assay endpoint, which may be many megabytes (GET, docs/service.md 3.5). `NotFound`:
   * it has none.
   */
  readonly byAeid: (aeid: number) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /**
   * Gets the activity-exposure-dose data of a substance (GET, docs/service.md 3.5). Each dose has its unit beside it.
   * `NotFound`: it has none.
   */
  readonly aedByDtxsid: (dtxsid: string) => One<F, ReadonlyArray<AedRecord.AedRecord>, Failure>

  /**
   * Gets the data records of up to 1000 samples in one request (POST, docs/service.md 3.5). Unknown ones have none.
   */
  readonly bySpidBatch: (
    spids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /** Gets up to 1000 data records in one request (POST, docs/service.md 3.5). Unknown ones are absent. */
  readonly byM4idBatch: (
    m4ids: ReadonlyArray<number>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /**
   * Gets the data records of up to 1000 substances in one request (POST, docs/service.md 3.5). Unknown ones have
   * none.
   */
  readonly byDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /**
   * Gets the data records of up to 1000 assay endpoints in one request (POST, docs/service.md 3.5). Unknown ones have
   * none.
   */
  readonly byAeidBatch: (
    aeids: ReadonlyArray<number>
  ) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>

  /**
   * Gets the AED data of up to 1000 substances in one request (POST, docs/service.md 3.5). Unknown ones have none.
   */
  readonly aedByDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<AedRecord.AedRecord>, Failure>

  /**
   * Gets the data records of a substance in a batch with the calls of other fibers (`Settings.batching`): a thousand
   * fibers make one request. Fails with `NotFound` if the response has no record of this substance. If the request
   * fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => One<F, ReadonlyArray<BioactivityData.BioactivityData>, Failure>
}
