// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `fate` (docs/families/fate.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { PropertyRecords } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The calls of the group `fate`. */
export interface FateCalls<F extends Mode = Effects> {
  /**
   * Gets the fate record of a substance (GET). Each value is in the `prop_unit` beside it. A model may have no
   * value: `prop_value_error` says why. The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.fate.byDtxsid("DTXSID7020182")
   * })
   * ```
   */
  readonly byDtxsid: (dtxsid: string) => Records<F, PropertyRecords.FateProperty>

  /**
   * Gets the fate records of up to 1000 substances in one request (POST). Unknown ones have none, and the
   * order may differ from the request.
   */
  readonly byDtxsidBatch: (dtxsids: ReadonlyArray<string>) => Records<F, PropertyRecords.Fate>

  /**
   * Gets the fate records of a DTXSID in a batch with the calls of other fibers (`Settings.batching`): a
   * thousand fibers make one request. Fails with `NotFound` if the response has no record of this identifier.
   * If the request fails, all its callers fail.
   */
  readonly get: (dtxsid: string) => One<F, PropertyRecords.Fate>

  /** Gets the measured value of a fate property of a substance (GET). The list may be empty. */
  readonly experimentalSummaryByName: (
    dtxsid: string,
    propName: string
  ) => Records<F, PropertyRecords.SummaryValue>

  /** Gets the predicted value of a fate property of a substance (GET). The list may be empty. */
  readonly predictedSummaryByName: (
    dtxsid: string,
    propName: string
  ) => Records<F, PropertyRecords.SummaryValue>

  /**
   * Gets the summary of a fate property of a substance (GET). The values are in `unit`. The order of the
   * fields varies. The list may be empty.
   */
  readonly summary: (dtxsid: string) => Records<F, PropertyRecords.Summary>

  /**
   * Gets the summary of a fate property of a substance (GET). The values are in `unit`. The order of the
   * fields varies. The list may be empty.
   */
  readonly summaryByName: (dtxsid: string, propName: string) => Records<F, PropertyRecords.Summary>
}
