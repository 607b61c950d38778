/**
 * The endpoints of search, over any `Store`.
 *
 * Hits pass from the store to the answer as bytes. A formula that no substance has is answered with an empty list, or 0;
 * a name that none has is 400 with what might have been meant (docs/service.md, section 6). Where a search finds more
 * substances than are answered, the header `x-total-capped: true` says so.
 */
import { type Access, MolecularFormula, Problem, Search } from "@chemstream/api"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, type Layer, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { withinLimit } from "./internal/batch.ts"
import { contract } from "./internal/contract.ts"
import { Direct } from "./internal/direct.ts"
import { json } from "./internal/recordPages.ts"
import { type Hits, Store, type StoreError } from "./Store.ts"

/** The header of an answer that leaves out some of what was found. */
export const cappedHeader = "x-total-capped"

/**
 * For how many misses of a batch there are suggestions: looking for them takes some 20 ms each, which 200 times over
 * would keep others waiting. The rest have none (`[null]`).
 */
const suggestedMisses = 10

/** The handlers, to be provided with a store and with the middlewares of the contract. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"chemical-information", "search">,
  never,
  Store | Access.ApiKey | Access.RequestCheck
> = HttpApiBuilder.group(
  contract,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* Store
    const direct = yield* Direct

    const suggestions = (word: string): Effect.Effect<ReadonlyArray<string | null>> =>
      Effect.map(Effect.orDie(store.suggestions(word)), (found) => (found.length === 0 ? [null] : found))

    const answer = Effect.fnUntraced(function* (word: string, search: Effect.Effect<Hits, StoreError>) {
      const hits = yield* Effect.orDie(search)
      if (hits.count === 0) {
        return yield* new Problem.BadRequest({ detail: miss(word), suggestions: yield* suggestions(word) })
      }
      const response = json(hits.json)
      return hits.capped ? HttpServerResponse.setHeader(response, cappedHeader, "true") : response
    })

    return handlers.handleAll({
      equal: direct.add(Search.equal, ({ params: { word } }) => answer(word, store.searchEqual(word))),
      startWith: ({ params: { word } }) => answer(word, store.searchStartWith(word)),
      contain: ({ params: { word } }) => answer(word, store.searchContain(word)),
      equalBatch: Effect.fnUntraced(function* ({ payload }) {
        yield* withinLimit(Search.equalBatch, payload)
        const given = new Set<string>()
        const answered: Array<string> = []
        let misses = 0
        for (const word of payload) {
          const isDuplicate = given.has(word)
          given.add(word)
          const hits = yield* Effect.orDie(store.searchEqual(word))
          if (hits.count === 0) {
            const meant = misses++ < suggestedMisses ? yield* suggestions(word) : [null]
            answered.push(missed(word, meant, isDuplicate))
            continue
          }
          for (const hit of Result.getOrThrow(RawArray.cut(hits.json)))
            answered.push(batchHit(hit, isDuplicate))
        }
        return HttpServerResponse.text(`[${answered.join(",")}]`, { contentType: "application/json" })
      }),
      byExactFormula: ({ params }) => identifiers(store.byExactFormula(hill(params.formula))),
      byMsreadyFormula: ({ params }) => identifiers(store.msreadyByFormula(hill(params.formula))),
      countByExactFormula: ({ params }) => Effect.orDie(store.countByExactFormula(hill(params.formula))),
      countByMsreadyFormula: ({ params }) => Effect.orDie(store.countByMsreadyFormula(hill(params.formula)))
    })
  })
)

const hill = (formula: string): string => Result.getOrThrow(MolecularFormula.parse(formula))

const identifiers = (
  search: Effect.Effect<{ readonly json: Uint8Array }, StoreError>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Effect.orDie(search), (found) => json(found.json))

const miss = (word: string): string => `Searched by Synonym: Found 0 results for '${word}'.`

// What a batch adds to the hit of a single search (docs/service.md, section 5.3), before its closing brace.
const batchHit = (hit: RawRecord.RawRecord, isDuplicate: boolean): string =>
  `${RawRecord.toText(hit).slice(0, -1)},"searchMsgs":null,"suggestions":null,"isDuplicate":${isDuplicate}}`

// As recorded (docs/service.md, section 6).
const missed = (word: string, suggestions: ReadonlyArray<string | null>, isDuplicate: boolean): string =>
  JSON.stringify({
    dtxsid: null,
    dtxcid: null,
    casrn: null,
    smiles: null,
    preferredName: null,
    searchName: null,
    searchValue: word,
    rank: null,
    hasStructureImage: null,
    isMarkush: null,
    searchMsgs: [miss(word)],
    suggestions,
    isDuplicate
  })
