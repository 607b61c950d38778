/**
 * Makes the search calls, which rows do not describe: hits, misses with suggestions, and verified batches.
 */
import { type InvalidIdentifier, Operation, Quote, Search, SearchHit } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Result, Schema } from "effect"
import { type BodyReader, json } from "../../BodyReader.ts"
import { type ChemError, NotFound, type Unauthorized } from "../../errors/ChemError.ts"
import { inOneLine, type Redact } from "../../errors/internal/redaction.ts"
import { didYouMean } from "../../errors/internal/responseErrors.ts"
import { withRequestCount } from "../../pipeline/CallObserver.ts"
import type { NameSearchCalls } from "../NameSearchCalls.ts"
import { type FoundOrMissing, type Hits, type SearchResponse, verify } from "../SearchResponse.ts"
import { batchTooLarge, type CallOperation, type Failure, withValid } from "./callOperation.ts"
import { checkOptions, eachOf, listOf, refuse } from "./checkArguments.ts"
import { refine } from "./shapeReaders.ts"

/** The default number of searches in flight. */
const defaultConcurrency = 4

/** Characters that gateways refuse in a path, even encoded. */
const charactersRefusedInPaths = /[/\\%;]/

/** Path segments that no URL can carry, because URL parsers resolve them. */
const dotSegments: ReadonlySet<string> = new Set([".", ".."])

const equalOne = /* @__PURE__ */ Operation.single(Search.equal)

const equalBatch = /* @__PURE__ */ Operation.batch(Search.equal) as Operation.Operation

const batchOptions = /* @__PURE__ */ Options.set<{ readonly largest?: number | undefined }>()({
  largest: Options.count
})

const manyOptions = /* @__PURE__ */ Options.set<{ readonly concurrency?: number | undefined }>()({
  concurrency: Options.countOrInfinity
})

/** Makes the search calls. `redact` removes the API key from the suggestions in errors. */
export const make = (callOperation: CallOperation, redact: Redact): NameSearchCalls => {
  const equal: NameSearchCalls["equal"] = (text) =>
    withValid(wordOf(text), (word) => {
      if (dotSegments.has(word)) return batchOfOne(callOperation, word, redact)
      return Effect.catch(callOperation(equalOne, { params: { word } }, readHits), (error) =>
        isRefusedByGateway(error) && charactersRefusedInPaths.test(word)
          ? Effect.mapError(batchOfOne(callOperation, word, redact), (second) =>
              isRefused(second) ? error : second
            )
          : Effect.fail(error)
      )
    })

  return {
    equal,
    startWith: search(callOperation, Operation.single(Search.startWith)),
    contain: search(callOperation, Operation.single(Search.contain)),
    equalMany: equalMany(equal),
    equalBatch: (texts, options) => {
      const call = withValid(eachOf("search.equalBatch", texts, wordOf), (words) => {
        const distinct = [...new Set(words)]
        const largest = options?.largest ?? Search.equal.batch.limit
        return distinct.length <= largest
          ? callOperation(equalBatch, { payload: distinct }, readVerified(words))
          : Effect.fail(batchTooLarge("search.equalBatch", distinct.length, largest))
      })
      return Effect.andThen(checkOptions(batchOptions, options), call)
    }
  }
}

/** Searches many words, one request each. After a refused API key, no further request is sent. */
const equalMany =
  (equal: NameSearchCalls["equal"]): NameSearchCalls["equalMany"] =>
  (words, options) => {
    const call = Effect.suspend(() => {
      const list = listOf("search.equalMany", words)
      if (Result.isFailure(list)) return Effect.die(list.failure)
      const concurrency = options?.concurrency ?? defaultConcurrency
      let refused: Unauthorized | undefined
      return Effect.forEach(
        words,
        (word): Effect.Effect<SearchResponse> =>
          Effect.suspend(() => (refused === undefined ? equal(word) : Effect.fail(refused))).pipe(
            Effect.map(
              (response): SearchResponse =>
                response.hits.length > 0
                  ? { _tag: "Found", word, ...response }
                  : { _tag: "Missing", word, suggestions: [] }
            ),
            Effect.catch((error): Effect.Effect<SearchResponse> => {
              if (error._tag === "Unauthorized") refused = error
              return Effect.succeed(
                error._tag === "NotFound" && !isRefusedByGateway(error)
                  ? { _tag: "Missing", word, suggestions: error.suggestions }
                  : { _tag: "Failed", word, error }
              )
            })
          ),
        { concurrency }
      )
    })
    return Effect.andThen(checkOptions(manyOptions, options), call)
  }

const search =
  (callOperation: CallOperation, operation: Operation.Operation): NameSearchCalls["contain"] =>
  (text) =>
    withValid(wordOf(text), (word) => callOperation(operation, { params: { word } }, readHits))

let hitList: BodyReader<ReadonlyArray<SearchHit.SearchHit>> | undefined
/** Reads hits. Its schema is made for the first response. */
const readHitList: BodyReader<ReadonlyArray<SearchHit.SearchHit>> = (body, truncated) => {
  hitList ??= json(Schema.Array(SearchHit.SearchHit))
  return hitList(body, truncated)
}
const readHits: BodyReader<Hits> = refine(readHitList, (response, truncated) =>
  Result.succeed(hitsOf(response, truncated))
)

/** Reads the verified results of words, in their order. A duplicate word has two results. */
const readVerified = (words: ReadonlyArray<string>): BodyReader<ReadonlyArray<FoundOrMissing>> =>
  refine(readHitList, (records, truncated) =>
    Result.map(
      verify(words, records, (record, field) => record[field]),
      (results) =>
        results.map(({ hits, suggestions, word }) =>
          hits.length > 0
            ? // The response does not say whose hits it truncates, so every found word is marked.
              { _tag: "Found", word, ...hitsOf(hits, truncated) }
            : { _tag: "Missing", word, suggestions }
        )
    )
  )

const hitsOf = (hits: Hits["hits"], truncated: Hits["truncated"] | undefined): Hits =>
  truncated === undefined ? { hits } : { hits, truncated }

/** Checks a search word. */
const wordOf = (word: unknown): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  const refused = (reason: string) => refuse("search word", word, reason)
  if (typeof word !== "string") return refused("it is not a text")
  if (word.trim() === "") return refused("it is empty")
  return word.isWellFormed()
    ? Result.succeed(word)
    : refused("it contains half a character (a lone surrogate)")
}

/** Whether a gateway refused the request: the reason may be the path, not the word. */
const isRefusedByGateway = (error: Failure): boolean =>
  (error._tag === "InvalidRequest" || error._tag === "NotFound") && error.gateway === true

/** Whether the batch search was refused, too. */
const isRefused = (error: Failure): boolean =>
  error._tag === "InvalidRequest" || error._tag === "BatchTooLarge" || isRefusedByGateway(error)

/** Searches one word by batch search, with the result of a single search. */
const batchOfOne = (
  callOperation: CallOperation,
  word: string,
  redact: Redact
): Effect.Effect<Hits, Failure> =>
  withRequestCount((attempts) =>
    Effect.flatMap(callOperation(equalBatch, { payload: [word] }, readVerified([word])), ([result]) =>
      result?._tag === "Found"
        ? Effect.succeed(hitsOf(result.hits, result.truncated))
        : Effect.fail(
            missError(
              word,
              (result?.suggestions ?? []).map((one) => inOneLine(redact(one))),
              attempts()
            )
          )
    )
  )

/** The error of a word that the batch search did not find. */
const missError = (word: string, suggestions: ReadonlyArray<string>, attempts: number): ChemError =>
  new NotFound({
    endpoint: "search.equalBatch",
    attempts,
    status: 200,
    suggestions,
    message: `not found: the service has no substance named ${Quote.value(word)}${didYouMean(suggestions)}`
  })
