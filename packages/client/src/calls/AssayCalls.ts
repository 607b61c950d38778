// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `assays` (docs/families/assays.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { AssayRecords, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of the group `assays`. */
export interface AssayCalls<F extends Mode = Effects> {
  /**
   * Gets the models of a substance (GET). The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.assays.models("DTXSID7020182")
   * })
   * ```
   */
  readonly models: (dtxsid: string) => One<F, ReadonlyArray<AssayRecords.Model>, Failure>
}
