/**
 * Handles searches by name and formula, which have indexes of their own.
 *
 * Hits pass from the store to the response as bytes. An unknown formula has an empty list or the count 0. An unknown
 * name is 400 with suggestions (docs/service.md, section 6). A response that leaves out hits has the header
 * `x-total-capped: true`.
 */
import { MolecularFormula, ProblemDetails, Search, SearchHit } from "@chemstream/api"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Hits, Store, StoreError } from "../../Store.ts"
import { checkBatchSize } from "../records/checkBatchSize.ts"
import { json, listResponse } from "../records/jsonResponses.ts"
import { maxBatchHits, maxSuggestedMisses } from "../searchLimits.ts"
import type { HandlersOf } from "./endpointHandlers.ts"

const { cappedHeader } = Search

const tooManyHits = `The values have more than ${maxBatchHits} hits together. Send fewer values`

/** Returns the handlers of the group by endpoint. */
export const make = (store: Store["Service"]): HandlersOf<"search"> => {
  const suggestions = (word: string): Effect.Effect<ReadonlyArray<string | null>> =>
    Effect.map(Effect.orDie(store.suggestions(word)), (found) => (found.length === 0 ? [null] : found))

  const respond = Effect.fnUntraced(function* (word: string, search: Effect.Effect<Hits, StoreError>) {
    const hits = yield* Effect.orDie(search)
    if (hits.count === 0) {
      return yield* new ProblemDetails.BadRequest({
        detail: missMessage(word),
        suggestions: yield* suggestions(word)
      })
    }
    const response = json(hits.json)
    return hits.isCapped ? withCappedHeader(response) : response
  })

  return {
    equal: ({ params: { word } }) => respond(word, store.searchEqual(word)),
    startWith: ({ params: { word } }) => respond(word, store.searchStartWith(word)),
    contain: ({ params: { word } }) => respond(word, store.searchContain(word)),
    equalBatch: Effect.fnUntraced(function* ({ payload }) {
      yield* checkBatchSize(Search.equal, payload)
      const found = yield* Effect.orDie(store.searchEqualEach(payload))
      const count = found.reduce((sum, hits) => sum + hits.count, 0)
      if (count > maxBatchHits) return yield* new ProblemDetails.TooLarge({ detail: tooManyHits })
      const seen = new Set<string>()
      const records: Array<string> = []
      let misses = 0
      for (const [n, hits] of found.entries()) {
        const word = payload[n] as string
        const isDuplicate = seen.has(word)
        seen.add(word)
        if (hits.count === 0) {
          const alternatives = misses++ < maxSuggestedMisses ? yield* suggestions(word) : [null]
          records.push(missRecord(word, alternatives, isDuplicate))
          continue
        }
        for (const hit of Result.getOrThrow(RawArray.cut(hits.json))) records.push(batchHit(hit, isDuplicate))
      }
      const response = HttpServerResponse.text(`[${records.join(",")}]`, {
        contentType: "application/json"
      })
      return found.some(({ isCapped }) => isCapped) ? withCappedHeader(response) : response
    }),
    byExactFormula: ({ params }) =>
      Effect.flatMap(Effect.orDie(store.byExactFormula(hill(params.formula))), listResponse),
    byMsreadyFormula: ({ params }) =>
      Effect.flatMap(Effect.orDie(store.msreadyByFormula(hill(params.formula))), listResponse),
    countByExactFormula: ({ params }) => Effect.orDie(store.countByExactFormula(hill(params.formula))),
    countByMsreadyFormula: ({ params }) => Effect.orDie(store.countByMsreadyFormula(hill(params.formula)))
  }
}

const hill = (formula: string): string => Result.getOrThrow(MolecularFormula.parse(formula))

const withCappedHeader = HttpServerResponse.setHeader(cappedHeader, "true")

const missMessage = (word: string): string => `Searched by Synonym: Found 0 results for '${word}'.`

// The last field of a hit, `isDuplicate`, is true for a repeated value (docs/service.md, section 5.3).
const batchHit = (hit: RawRecord.RawRecord, isDuplicate: boolean): string =>
  isDuplicate ? RawRecord.toText(hit).replace(/false\}$/, "true}") : RawRecord.toText(hit)

// The record of a word without hits, as the public service sends it (docs/service.md, section 6).
const missRecord = (word: string, suggestions: ReadonlyArray<string | null>, isDuplicate: boolean): string =>
  JSON.stringify({
    ...emptyHit,
    ...{ searchValue: word, searchMsgs: [missMessage(word)], suggestions, isDuplicate }
  })

const emptyHit = Object.fromEntries(Object.keys(SearchHit.fields).map((name) => [name, null]))
