// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `hazard` (docs/families/hazard.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { HazardRecords, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of the group `hazard`. */
export interface HazardCalls<F extends Mode = Effects> {
  /**
   * Gets the cancer calls of a substance (GET). The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.hazard.cancer("DTXSID7020182")
   * })
   * ```
   */
  readonly cancer: (dtxsid: string) => One<F, ReadonlyArray<HazardRecords.CancerCall>, Failure>

  /**
   * Gets the cancer calls of up to 200 substances in one request (POST). Unknown ones have none, and the order
   * may differ from the request.
   */
  readonly cancerBatch: (
    dtxsids: ReadonlyArray<string>
  ) => One<F, ReadonlyArray<HazardRecords.CancerCall>, Failure>
}
