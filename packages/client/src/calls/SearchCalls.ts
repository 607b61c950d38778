// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `search` (docs/service.md, section 3.2).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { Effects, Mode, One, Records } from "./Mode.ts"
import type { NameSearchCalls } from "./NameSearchCalls.ts"

/** The calls of the group `search`. */
export interface SearchCalls<F extends Mode = Effects> extends NameSearchCalls<F> {
  /**
   * Gets the substances with this molecular formula, all atoms counted (GET, docs/service.md 3.2). The list
   * may be empty.
   */
  readonly byExactFormula: (formula: string) => Records<F, string>

  /**
   * Gets the substances with this MS-ready formula, without salts, counter-ions and solvents (GET,
   * docs/service.md 3.2). The list may be empty.
   */
  readonly byMsreadyFormula: (formula: string) => Records<F, string>

  /** Gets the number of substances with this molecular formula (GET, docs/service.md 3.2). */
  readonly countByExactFormula: (formula: string) => One<F, number>

  /** Gets the number of substances with this MS-ready formula (GET, docs/service.md 3.2). */
  readonly countByMsreadyFormula: (formula: string) => One<F, number>
}
