/**
 * The calls of synonyms (docs/service.md, section 3.4).
 */
import type { InvalidIdentifier, SynonymRecord } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The response in each projection. */
export interface SynonymForms {
  readonly "chemical-synonym-all": SynonymRecord.SynonymRecord
  readonly "ccd-synonyms": ReadonlyArray<SynonymRecord.FlatSynonym>
}

/** The calls of synonyms. */
export interface SynonymCalls<F extends Mode = Effects> {
  /**
   * Gets the synonyms of a substance (GET, docs/service.md 3.4): one record with an array for each quality, or null.
   * With `ccd-synonyms`, a flat list of `{synonym, quality}`.
   *
   * Fails with `NotFound` if the DTXSID is unknown, and with `InvalidIdentifier`, without a request, if it is
   * malformed.
   */
  readonly byDtxsid: <P extends SynonymRecord.Projection = typeof SynonymRecord.defaultProjection>(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, SynonymForms[P], Failure>

  /**
   * Gets the synonym records of up to 1000 substances in one request (POST, docs/service.md 3.4).
   *
   * Unknown identifiers have no record, and the order may differ from the request. A longer list fails with
   * `BatchTooLarge`, without a request. An empty list sends no request.
   */
  readonly byDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<SynonymRecord.SynonymRecord>, Failure>

  /**
   * Gets the synonym record of a substance in a batch with the calls of other fibers (`Settings.batching`): a
   * thousand fibers make one request. Fails with `NotFound` if the response has no record of this substance. If the
   * request fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => One<F, SynonymRecord.SynonymRecord, Failure>
}
