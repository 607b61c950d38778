// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `fate` (docs/families/fate.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { InvalidIdentifier, PropertyRecords } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of the group `fate`. */
export interface FateCalls<F extends Mode = Effects> {
  /**
   * Gets the fate properties of a substance (GET). The list may be empty.
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
  readonly byDtxsid: (dtxsid: string) => One<F, ReadonlyArray<PropertyRecords.Fate>, Failure>
}
