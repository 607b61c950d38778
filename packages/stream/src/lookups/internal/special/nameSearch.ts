/**
 * Finds substances by name or identifier (docs/service.md, section 3.2).
 *
 * Each call searches for one name, because some deployments misalign the responses of the batch search.
 * `equalBatch` uses the batch search and verifies each response. The rows of `@chemstream/api` have the size of a batch.
 */
import { Operation, type Row, Search, SearchHit } from "@chemstream/api"
import { Outcome } from "@chemstream/batch"
import { type BodyReader, type ChemError, SearchResponse } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import type { Inspection } from "../inspection.ts"
import { elements, fieldValue } from "../jsonBody.ts"
import type { LookupOfMany } from "../lookupType.ts"
import { lookup, single } from "../makeLookup.ts"
import type { ResponseRecords } from "../ResponseReader.ts"
import { singleReader } from "../singleValueReader.ts"
import { isRefusal, unlessRefused } from "./refusedBatches.ts"

type Raw = RawRecord.RawRecord

/**
 * Finds the substances with exactly this name or identifier: one record for each hit, best rank first.
 *
 * A word that a gateway refuses in a path is sent in a verified batch search of one word.
 */
export const equal = (): LookupOfMany<SearchHit.SearchHit> => {
  const oneWord = searchOne(Search.equal)
  const batch = verifiedBatch()
  return {
    ...oneWord,
    requestBatch: (ids, inspection) =>
      ids.some((id) => dotSegments.has(id))
        ? batch.requestBatch(ids, inspection)
        : Effect.catch(oneWord.requestBatch(ids, inspection), (error) =>
            isGatewayRefusal(error) ? fallBack(batch, ids, inspection, error) : Effect.fail(error)
          )
  }
}

/** Tries another lookup after a failure. If a gateway refuses it too, the first failure stands. */
const fallBack = (
  { requestBatch }: LookupOfMany<SearchHit.SearchHit>,
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  error: ChemError.ChemError
): ReturnType<typeof requestBatch> =>
  Effect.mapError(requestBatch(ids, inspection), (second) => (isGatewayRefusal(second) ? error : second))

/** Path segments that a URL cannot contain, because they name folders. */
const dotSegments: ReadonlySet<string> = new Set([".", ".."])

/** Whether a gateway refused the request. The refusal may be about the path, not about the word. */
const isGatewayRefusal = (error: ChemError.ChemError): boolean =>
  (error._tag === "NotFound" || error._tag === "InvalidRequest") && error.gateway === true

/** Finds the substances with a name or identifier that starts with this word: one record for each hit. */
export const startWith = (): LookupOfMany<SearchHit.SearchHit> => searchOne(Search.startWith)

/** Finds the substances with a name or identifier that contains this word: one record for each hit. */
export const contain = (): LookupOfMany<SearchHit.SearchHit> => searchOne(Search.contain)

/** Makes the lookup of a search with one word a request. */
const searchOne = (row: Row.Row): LookupOfMany<SearchHit.SearchHit> =>
  lookup({
    operation: Operation.single(row),
    multiplicity: "many",
    request: single((word) => ({ params: { word } })),
    reader: () => singleReader(SearchHit.SearchHit)
  })

/**
 * Like `equal`, with up to 200 words a call, or 100 in the dialect `ctx`.
 *
 * Each hit belongs to the word in its `searchValue`. A response without a requested word, or with another word,
 * is malformed. A run then splits the batch. If the response to a single word is malformed, the word is sent as
 * `equal` does. If the service refuses batches but not single words, each word is sent as `equal` does, after a
 * warning. Spellings of one name ("Benzene", "BENZENE") each get its hits once.
 */
export const equalBatch = (): LookupOfMany<SearchHit.SearchHit> => {
  const oneWord = searchOne(Search.equal)
  const batch = verifiedBatch()
  return unlessRefused({
    batch: {
      ...batch,
      requestBatch: (ids, inspection) =>
        Effect.catch(batch.requestBatch(ids, inspection), (error) =>
          ids.length === 1 && error._tag === "MalformedResponse" && error.dialect === undefined
            ? fallBack(oneWord, ids, inspection, error)
            : Effect.fail(error)
        )
    },
    single: equal(),
    noun: "name",
    nouns: "names",
    mayRefuse: isRefusal
  })
}

/** Makes the lookup of the batch search, which verifies that each hit belongs to its word. */
const verifiedBatch = (): LookupOfMany<SearchHit.SearchHit> =>
  lookup({
    operation: Operation.batch(Search.equal) as Operation.Operation,
    size: Search.equal.batch.limit,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: () => ({
      read: (ids) => (body) => Result.flatMap(elements(body), (records) => hitsOf(ids, records)),
      schema: SearchHit.SearchHit
    })
  })

const hitsOf = (
  ids: ReadonlyArray<string>,
  records: ReadonlyArray<Raw>
): Result.Result<ResponseRecords, BodyReader.BodyFault> =>
  Result.map(SearchResponse.verify(ids, records, fieldValue), (verified) => ({
    records: verified.flatMap(({ hits, word }) => hits.map((record) => ({ key: word, record }))),
    surplus: verified.flatMap(({ repeated, word }) =>
      repeated.map((record) => Outcome.surplus("repeated", record, word))
    ),
    suggestions: new Map(
      verified.flatMap(({ suggestions, word }) =>
        suggestions.length > 0 ? [[word, suggestions] as const] : []
      )
    )
  }))
