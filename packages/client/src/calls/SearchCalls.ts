// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/**
 * The calls of the group `search` (docs/service.md, section 3.2).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"
import type { NameSearchCalls } from "./NameSearchCalls.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of the group `search`. */
export interface SearchCalls<F extends Mode = Effects> extends NameSearchCalls<F> {
  /**
   * Gets the substances with this molecular formula, all atoms counted (GET, docs/service.md 3.2). The list
   * may be empty.
   */
  readonly byExactFormula: (formula: string) => One<F, ReadonlyArray<string>, Failure>

  /**
   * Gets the substances with this MS-ready formula, without salts, counter-ions and solvents (GET,
   * docs/service.md 3.2). The list may be empty.
   */
  readonly byMsreadyFormula: (formula: string) => One<F, ReadonlyArray<string>, Failure>

  /** Gets the number of substances with this molecular formula (GET, docs/service.md 3.2). */
  readonly countByExactFormula: (formula: string) => One<F, number, Failure>

  /** Gets the number of substances with this MS-ready formula (GET, docs/service.md 3.2). */
  readonly countByMsreadyFormula: (formula: string) => One<F, number, Failure>
}
