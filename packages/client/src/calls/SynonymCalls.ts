// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `synonyms` (docs/service.md, section 3.4).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { SynonymRecord } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The forms of synonyms, by projection. */
export interface SynonymForms {
  readonly "ccd-synonyms": ReadonlyArray<SynonymRecord.FlatSynonym>
  readonly "chemical-synonym-all": SynonymRecord.SynonymRecord
}

/** The calls of the group `synonyms`. */
export interface SynonymCalls<F extends Mode = Effects> {
  /**
   * Gets the synonyms of a substance (GET, docs/service.md 3.4). A record has a list for each quality, or
   * null. Fails with `NotFound` if there is none.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.synonyms.byDtxsid("DTXSID7020182")
   * })
   * ```
   */
  readonly byDtxsid: <P extends keyof SynonymForms = "chemical-synonym-all">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, SynonymForms[P]>

  /**
   * Gets the synonyms of up to 1000 substances in one request (POST, docs/service.md 3.4). Unknown ones have
   * none, and the order may differ from the request.
   */
  readonly byDtxsidBatch: (dtxsids: ReadonlyArray<string>) => Records<F, SynonymRecord.SynonymRecord>

  /**
   * Gets the synonyms of a DTXSID in a batch with the calls of other fibers (`Settings.batching`): a thousand
   * fibers make one request. Fails with `NotFound` if the response has no record of this identifier. If the
   * request fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => One<F, SynonymRecord.SynonymRecord>
}
