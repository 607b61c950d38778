/**
 * Handles searches by name, identifier and formula as the public service does.
 */
import { Dialect, MolecularFormula, Search } from "@chemstream/api"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Hits } from "../../Store.ts"
import { maxSuggestedMisses } from "../searchLimits.ts"
import { byFormula } from "./ctxChemicalHandlers.ts"
import { type Context, type Handler, type HandlerRequest, orDie, wholeNumber } from "./ctxHandler.ts"
import * as records from "./ctxRecords.ts"
import { type HandlerResponse, json, list, refusal, unreadable } from "./ctxResponses.ts"
import * as words from "./ctxSearchWords.ts"

/** Returns the handlers of searches by endpoint. */
export const handlers = (context: Context) => {
  const { store } = context
  const suggest = (word: string) =>
    Effect.map(orDie(store.suggestions(word)), (found) => (found.length === 0 ? [null] : found))
  const respondToMiss = (word: string): HandlerResponse =>
    Effect.map(suggest(word), (suggestions) => refusal(400, { detail: words.miss(word), suggestions }))
  const respond = (
    { params: { word = "" }, query }: HandlerRequest,
    search: (word: string) => Effect.Effect<Hits>,
    { order, top }: { readonly order?: Order; readonly top: number } = { top: 0 }
  ): HandlerResponse => {
    const shape = records.hits[query.get("projection") ?? "chemicalsearchall"]
    if (shape === undefined) return respondToMiss(word)
    return Effect.flatMap(search(word), (hits) => {
      const found = [...Result.getOrThrow(RawArray.cut(hits.json))]
      if (found.length === 0) return respondToMiss(word)
      if (order !== undefined) found.sort(order)
      const response = list(
        found.slice(0, top === 0 ? found.length : top).map((hit) => shape(RawRecord.toBytes(hit)))
      )
      return Effect.succeed(
        hits.isCapped ? HttpServerResponse.setHeader(response, Search.cappedHeader, "true") : response
      )
    })
  }
  const equal = (word: string): Effect.Effect<Hits> =>
    Effect.map(orDie(store.searchEqualEach(words.candidates(word))), firstWithHits)
  const startWith = (word: string): Effect.Effect<Hits> =>
    words.isIdentifier(word) ? equal(word) : orDie(store.searchStartWith(word.trim()))
  const withTop = (
    request: HandlerRequest,
    byDefault: number,
    use: (top: number) => HandlerResponse
  ): HandlerResponse => wholeNumber("top", request.query.get("top") ?? String(byDefault), use)
  return {
    equal: (request) => respond(request, equal),
    startWith: (request) =>
      withTop(request, Dialect.startWithTop, (top) =>
        respond(request, startWith, { top, order: byRankThenValue })
      ),
    contain: (request) =>
      withTop(request, 0, (top) =>
        respond(request, (word) => orDie(store.searchContain(word.trim())), { top })
      ),
    equalBatch: equalBatch(context, suggest),
    // The recorded lists of the public service end with null: a compound without a substance.
    byExactFormula: byFormula(store.byExactFormula, [null]),
    byMsreadyFormula: byFormula(store.msreadyByFormula),
    countByExactFormula: countHandler(store.countByExactFormula),
    countByMsreadyFormula: countHandler(store.countByMsreadyFormula)
  } satisfies Record<string, Handler>
}

/** Makes the handler of a batch search, with a record for each word. */
const equalBatch = (
  { store, variants }: Context,
  suggest: (word: string) => Effect.Effect<ReadonlyArray<string | null>>
): Handler =>
  Effect.fnUntraced(function* ({ body }) {
    if (body === "") return unreadable
    const lines = linesOf(body)
    const each = lines.map(words.candidates)
    const found = yield* orDie(store.searchEqualEach(each.flat()))
    const batchRecords: Array<string> = []
    const seen = new Set<unknown>()
    // `found` has the hits of all candidates of the first word, then those of the second one, and so on.
    let at = 0
    let misses = 0
    for (const [n, word] of lines.entries()) {
      const searchValue = variants.echo === "sent" ? word : words.comparedForm(word)
      const candidates = each[n]?.length ?? 0
      const ofWord = firstWithHits(found.slice(at, at + candidates))
      at += candidates
      const hits = Result.getOrThrow(RawArray.cut(ofWord.json))
      const hit = variants.match === "best" ? hits[0] : hits.at(-1)
      if (hit === undefined) {
        const alternatives = misses++ < maxSuggestedMisses ? yield* suggest(word) : [null]
        batchRecords.push(
          records.batchRecord({
            searchValue,
            searchMsgs: [words.miss(searchValue)],
            suggestions: alternatives,
            isDuplicate: false
          })
        )
        continue
      }
      const fields = Result.getOrThrow(RawRecord.parse(hit)) as Readonly<Record<string, unknown>>
      batchRecords.push(
        records.batchRecord({ ...fields, searchValue, isDuplicate: seen.has(fields["dtxsid"]) })
      )
      seen.add(fields["dtxsid"])
    }
    return list(batchRecords)
  })

const noHits: Hits = { count: 0, json: new TextEncoder().encode("[]"), isCapped: false }

const firstWithHits = (found: ReadonlyArray<Hits>): Hits => found.find(({ count }) => count > 0) ?? noHits

/**
 * Reads the values of a batch, one per line, without blank lines at the end. A body that is a JSON array is not
 * parsed: its lines are the values.
 */
const linesOf = (body: string): ReadonlyArray<string> => {
  const lines = body.split("\n").map((line) => line.trim())
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1)
}

type Order = (a: RawRecord.RawRecord, b: RawRecord.RawRecord) => number

const byRankThenValue: Order = (a, b) => {
  const [one, other] = [a, b].map((hit) => [
    Number(RawRecord.value(hit, "rank")),
    String(RawRecord.value(hit, "searchValue"))
  ]) as [[number, string], [number, string]]
  return one[0] - other[0] || (one[1] < other[1] ? -1 : 1)
}

/** Makes the handler of the number of substances with a formula. A malformed formula has none. */
const countHandler =
  (find: Context["store"]["countByExactFormula"]): Handler =>
  ({ params }) =>
    Effect.map(
      Result.match(MolecularFormula.parse(params["formula"] ?? ""), {
        onFailure: () => Effect.succeed(0),
        onSuccess: (formula) => orDie(find(formula))
      }),
      (count) => json(String(count))
    )
