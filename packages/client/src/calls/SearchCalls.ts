/**
 * The calls of chemical search (docs/service.md, section 3.2): by name or identifier, and by formula.
 *
 * A word is a name, synonym, DTXSID, DTXCID, CAS number or InChIKey, in any characters: `/ ? # % :`, quotes, spaces and
 * Greek letters are encoded. How the service folds words (case, accents, Greek letters) is its own. MS-ready searches are
 * in `MsReadyCalls`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"
import type { Answer, Hits, SearchResponse } from "./SearchResponse.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of chemical search. */
export interface SearchCalls<F extends Mode = Effects> {
  /**
   * The substances with exactly this name or identifier, best rank first (GET, docs/service.md 3.2).
   *
   * Fails with `NotFound`, which carries the service's suggestions, when there is none, and with `InvalidIdentifier` (and
   * no request) for a blank word. Where a gateway before the service refuses the word in a path (an encoded slash), and
   * for the words `.` and `..`, which no path can carry, the batch call of this one word stands in, with its answer
   * verified.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const best = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   const { hits } = yield* client.search.equal("10:2/12:2 diPAP")
   *   return hits[0]?.dtxsid
   * })
   * ```
   */
  readonly equal: (word: string) => One<F, Hits, Failure>

  /**
   * The substances with a name or identifier that starts with this text, best rank first (GET, docs/service.md 3.2).
   *
   * A service may leave out hits of a very common text: `truncated` is set when it says so. Fails with `NotFound` and
   * suggestions when there is none.
   */
  readonly startWith: (word: string) => One<F, Hits, Failure>

  /**
   * The substances with a name or identifier that contains this text, best rank first (GET, docs/service.md 3.2).
   *
   * A service may leave out hits of a very common text: `truncated` is set when it says so. Fails with `NotFound` and
   * suggestions when there is none.
   */
  readonly contain: (word: string) => One<F, Hits, Failure>

  /**
   * The exact search of many words, each by a call of its own, at most `concurrency` (4) at a time: one result a word, in
   * the order of the words.
   *
   * Never fails: what went wrong for a word is its `Failed` result. When the service refuses the API key, the words not
   * yet asked are not sent and fail with the same error.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const missing = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   const answers = yield* client.search.equalMany(["Bisphenol A", "80-05-7", "Bisfenol"])
   *   return answers.filter((answer) => answer._tag === "Missing").map(({ word }) => word)
   * })
   * ```
   */
  readonly equalMany: (
    words: ReadonlyArray<string>,
    options?: { readonly concurrency?: number | undefined }
  ) => One<F, ReadonlyArray<SearchResponse>, never>

  /**
   * The exact search of many words in one call (POST, docs/service.md 3.2): one answer a word, in the order of the words.
   *
   * Deployments have answered this call with the hits of other words (docs/service.md, section 6), which is why
   * `equalMany` does without it. Every hit is compared with what was asked, by its `searchValue`: a hit of a word that
   * was not asked for, or a word without an answer, is a `MalformedResponse` that names it. At most `largest` words
   * (100 when not given, the endpoint takes 200), else `BatchTooLarge` and no request. No words, no request.
   */
  readonly equalBatch: (
    words: ReadonlyArray<string>,
    options?: { readonly largest?: number | undefined }
  ) => One<F, ReadonlyArray<Answer>, Failure>

  /**
   * The DTXSIDs with this molecular formula, all atoms counted (GET, docs/service.md 3.2). None: an empty list.
   *
   * The formula may name its elements in any order, e.g. `C15H16O2`. Fails with `InvalidIdentifier` (and no request) when
   * it is no formula.
   */
  readonly byExactFormula: (formula: string) => One<F, ReadonlyArray<string>, Failure>

  /**
   * The DTXSIDs whose MS-ready form has this formula (GET, docs/service.md 3.2): salts, counter-ions and solvents not
   * counted. None: an empty list. Fails with `InvalidIdentifier` (and no request) when it is no formula.
   */
  readonly byMsreadyFormula: (formula: string) => One<F, ReadonlyArray<string>, Failure>

  /** How many substances have this molecular formula (GET, docs/service.md 3.2). None: 0. Fails as `byExactFormula`. */
  readonly countByExactFormula: (formula: string) => One<F, number, Failure>

  /** How many substances have this MS-ready formula (GET, docs/service.md 3.2). None: 0. Fails as `byMsreadyFormula`. */
  readonly countByMsreadyFormula: (formula: string) => One<F, number, Failure>
}
