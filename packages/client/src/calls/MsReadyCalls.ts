// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `msready` (docs/service.md, section 3.3).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */

import type { MassCalls } from "./MassCalls.ts"
import type { Effects, Mode, Records } from "./Mode.ts"

/** The calls of the group `msready`. */
export interface MsReadyCalls<F extends Mode = Effects> extends MassCalls<F> {
  /**
   * Gets the substances with the MS-ready form of this compound (GET, docs/service.md 3.3). The list may be
   * empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.msready.byDtxcid("DTXCID30182")
   * })
   * ```
   */
  readonly byDtxcid: (dtxcid: string) => Records<F, string>

  /** Gets the MS-ready substances with this formula (GET, docs/service.md 3.3). The list may be empty. */
  readonly byFormula: (formula: string) => Records<F, string>
}
