// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `extra` (docs/families/extra.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { LinkRecords } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The calls of the group `extra`. */
export interface ExtraCalls<F extends Mode = Effects> {
  /**
   * Gets the counts of references of a substance (GET). `dtxcid` is the PubChem number of the compound. A
   * count that is not known is null. Fails with `NotFound` if there is none.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.extra.byDtxsid("DTXSID7020182")
   * })
   * ```
   */
  readonly byDtxsid: (dtxsid: string) => One<F, LinkRecords.ExtraData>

  /**
   * Gets the counts of references of up to 2000 substances in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly byDtxsidBatch: (dtxsids: ReadonlyArray<string>) => Records<F, LinkRecords.ExtraData>

  /**
   * Gets the counts of references of a DTXSID in a batch with the calls of other fibers (`Settings.batching`):
   * a thousand fibers make one request. Fails with `NotFound` if the response has no record of this
   * identifier. If the request fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => One<F, LinkRecords.ExtraData>

  /**
   * Gets the substances whose MS-ready form has one of several formulas (GET). The response does not say which
   * formula a substance has. Request one formula at a time to know. The list may be empty.
   */
  readonly byMsreadyFormulas: (formulas: string) => Records<F, string>

  /**
   * Gets the substances of a SMILES (GET). A SMILES that cannot be read has none, like an unknown one. Fails
   * with `NotFound` if there is none.
   */
  readonly bySmiles: (smiles: string) => Records<F, LinkRecords.StructureMatch>
}
