/**
 * The calls of synonyms (docs/service.md, section 3.4).
 */
import type { InvalidIdentifier, SynonymRecord } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The answer in each projection. */
export interface SynonymAnswers {
  readonly "chemical-synonym-all": SynonymRecord.SynonymRecord
  readonly "ccd-synonyms": ReadonlyArray<SynonymRecord.FlatSynonym>
}

/** The calls of synonyms. */
export interface SynonymCalls<F extends Mode = Effects> {
  /**
   * The synonyms of a substance (GET, docs/service.md 3.4): one record with an array a quality, null where it would be
   * empty; under `ccd-synonyms` a flat list of `{synonym, quality}`.
   *
   * Fails with `NotFound` when the service does not know the DTXSID, with `InvalidIdentifier` (and no request) when it is
   * malformed.
   */
  readonly byDtxsid: <P extends SynonymRecord.Projection = typeof SynonymRecord.defaultProjection>(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, SynonymAnswers[P], Failure>

  /**
   * The synonym records of up to 1000 substances in one call (POST, docs/service.md 3.4).
   *
   * Unknown identifiers are absent from the answer, whose order is not the request's. Fails with `BatchTooLarge` (and no
   * request) over the limit. No identifiers, no request.
   */
  readonly byDtxsidBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<SynonymRecord.SynonymRecord>, Failure>

  /**
   * The synonym record of a substance, asked for together with those that other fibers ask for at the same time
   * (`Settings.batching`): a thousand fibers make one request. Fails for this caller with `NotFound` when the answer has
   * no record of its substance; a failed request is the failure of everyone in it.
   */
  readonly get: (dtxsid: string) => One<F, SynonymRecord.SynonymRecord, Failure>
}
