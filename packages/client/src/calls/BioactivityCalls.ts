// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `bioactivity` (docs/service.md, section 3.5).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { AedRecord, Bioactivity, BioactivityData, BioactivitySummary, Row } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The forms of bioactivity data records, by projection. */
export type BioactivityForms = Row.RecordsByForm<typeof Bioactivity.byDtxsid>

/** The calls of the group `bioactivity`. */
export interface BioactivityCalls<F extends Mode = Effects> {
  /**
   * Gets the bioactivity summaries in a tissue of a substance (GET, docs/service.md 3.5). The tissue is e.g.
   * `liver`. `ac50` and `acc` are in µM. Fails with `NotFound` if there is none.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.bioactivity.summaryByTissue("DTXSID7020182", "liver")
   * })
   * ```
   */
  readonly summaryByTissue: (dtxsid: string, tissue: string) => Records<F, BioactivitySummary.TissueSummary>

  /**
   * Gets the bioactivity summary over all assay endpoints of a substance (GET, docs/service.md 3.5). Fails
   * with `NotFound` if there is none.
   */
  readonly summaryByDtxsid: (dtxsid: string) => One<F, BioactivitySummary.ChemicalSummary>

  /**
   * Gets the numbers of active samples of an assay endpoint (GET, docs/service.md 3.5). Fails with `NotFound`
   * if there is none.
   */
  readonly summaryByAeid: (aeid: number) => One<F, BioactivitySummary.EndpointSummary>

  /**
   * Gets the bioactivity data records of a sample (GET, docs/service.md 3.5). Fails with `NotFound` if there
   * is none.
   */
  readonly bySpid: (spid: string) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of up to 1000 samples in one request (POST, docs/service.md 3.5).
   * Unknown ones have none, and the order may differ from the request.
   */
  readonly bySpidBatch: (spids: ReadonlyArray<string>) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data record of an M4ID (GET, docs/service.md 3.5). Fails with `NotFound` if there is
   * none.
   */
  readonly byM4id: (m4id: number) => One<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of up to 1000 M4IDs in one request (POST, docs/service.md 3.5). Unknown
   * ones have none, and the order may differ from the request.
   */
  readonly byM4idBatch: (m4ids: ReadonlyArray<number>) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of a substance (GET, docs/service.md 3.5). Fails with `NotFound` if
   * there is none.
   */
  readonly byDtxsid: <P extends keyof BioactivityForms = "data">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, BioactivityForms[P]>

  /**
   * Gets the bioactivity data records of up to 1000 substances in one request (POST, docs/service.md 3.5).
   * Unknown ones have none, and the order may differ from the request.
   */
  readonly byDtxsidBatch: (dtxsids: ReadonlyArray<string>) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of a DTXSID in a batch with the calls of other fibers
   * (`Settings.batching`): a thousand fibers make one request. Fails with `NotFound` if the response has no
   * record of this identifier. If the request fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of an assay endpoint (GET, docs/service.md 3.5). They may be many
   * megabytes. Fails with `NotFound` if there is none.
   */
  readonly byAeid: (aeid: number) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the bioactivity data records of up to 1000 assay endpoints in one request (POST, docs/service.md
   * 3.5). Unknown ones have none, and the order may differ from the request.
   */
  readonly byAeidBatch: (aeids: ReadonlyArray<number>) => Records<F, BioactivityData.BioactivityData>

  /**
   * Gets the activity-exposure-dose (AED) records of a substance (GET, docs/service.md 3.5). Each dose has its
   * unit beside it. Fails with `NotFound` if there is none.
   */
  readonly aedByDtxsid: (dtxsid: string) => Records<F, AedRecord.AedRecord>

  /**
   * Gets the activity-exposure-dose (AED) records of up to 1000 substances in one request (POST,
   * docs/service.md 3.5). Unknown ones have none, and the order may differ from the request.
   */
  readonly aedByDtxsidBatch: (dtxsids: ReadonlyArray<string>) => Records<F, AedRecord.AedRecord>
}
