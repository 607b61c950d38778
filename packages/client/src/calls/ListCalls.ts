// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `lists` (docs/families/lists.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { InvalidIdentifier, ListRecords } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of the group `lists`. */
export interface ListCalls<F extends Mode = Effects> {
  /**
   * Gets the lists of a substance (GET). The list may be empty.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.lists.of("DTXSID7020182")
   * })
   * ```
   */
  readonly of: (dtxsid: string) => One<F, ReadonlyArray<ListRecords.ListOfSubstance>, Failure>
}
