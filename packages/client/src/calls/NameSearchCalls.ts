/**
 * The calls of chemical search by name or identifier (docs/service.md, section 3.2).
 *
 * A word is a name, synonym, DTXSID, DTXCID, CAS number or InChIKey. Any characters are encoded, e.g. `/ ? # % :`,
 * quotes and Greek letters. The service decides how it compares words (case, accents, Greek letters).
 */
import type { Effects, Mode, One, Records } from "./Mode.ts"
import type { FoundOrMissing, Hits, SearchResponse } from "./SearchResponse.ts"

/** The calls of chemical search by name. */
export interface NameSearchCalls<F extends Mode = Effects> {
  /**
   * Finds the substances with exactly this name or identifier, best rank first (GET, docs/service.md 3.2).
   *
   * Fails with `NotFound` and suggestions of the service if there is none, and with `InvalidIdentifier`, without a
   * request, for a blank word. A batch search of one word replaces the call if a gateway refuses the word in a path
   * (an encoded slash), or if no path can carry it (`.` and `..`). Its response is verified.
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
  readonly equal: (word: string) => One<F, Hits>

  /**
   * Finds the substances with a name or identifier that starts with this text, best rank first (GET, docs/service.md
   * 3.2).
   *
   * A service may omit hits of a very common text; `truncated` says so. Fails with `NotFound` and suggestions if
   * there is none.
   */
  readonly startWith: (word: string) => One<F, Hits>

  /**
   * Finds the substances with a name or identifier that contains this text, best rank first (GET, docs/service.md
   * 3.2).
   *
   * A service may omit hits of a very common text; `truncated` says so. Fails with `NotFound` and suggestions if
   * there is none.
   */
  readonly contain: (word: string) => One<F, Hits>

  /**
   * Searches many words exactly, with one request for each word. Returns one result for each word, in their order.
   * `concurrency` is the number of requests in flight. Default: 4.
   *
   * Never fails: a failed search is the `Failed` result of its word. If the service refuses the API key, the
   * remaining words are not sent and fail with the same error. A wrong option is a defect (`InvalidOption`).
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const missing = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   const results = yield* client.search.equalMany(["Bisphenol A", "80-05-7", "Bisfenol"])
   *   return results.filter((result) => result._tag === "Missing").map(({ word }) => word)
   * })
   * ```
   */
  readonly equalMany: (
    words: ReadonlyArray<string>,
    options?: { readonly concurrency?: number | undefined }
  ) => One<F, ReadonlyArray<SearchResponse>, never>

  /**
   * Searches many words exactly in one request (POST, docs/service.md 3.2). Returns one result for each word, in
   * their order.
   *
   * Some deployments mix up the hits of words (docs/service.md, section 6), so `equalMany` does not use this call.
   * The `searchValue` of every hit is checked: a hit of another word, or a word without a result, is a
   * `MalformedResponse` that names it. More than `largest` words fail with `BatchTooLarge`, without a request.
   * Default: 200, which the endpoint takes; 100 in the dialect `ctx`. An empty list sends no request.
   */
  readonly equalBatch: (
    words: ReadonlyArray<string>,
    options?: { readonly largest?: number | undefined }
  ) => Records<F, FoundOrMissing>
}
