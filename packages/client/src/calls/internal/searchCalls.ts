/**
 * The search calls over the client that derives from the contract.
 */
import { InvalidIdentifier, MolecularFormula, SearchHit } from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import { type ChemError, NotFound, type Unauthorized } from "../../errors/ChemError.ts"
import type { Redact } from "../../errors/internal/redaction.ts"
import { counted } from "../../pipeline/CallObserver.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type { SearchCalls } from "../SearchCalls.ts"
import { type Answer, type Hits, type SearchResponse, verify } from "../SearchResponse.ts"
import { identifiers, refine } from "./readers.ts"
import { type Ask, batchTooLarge, type Failure, given } from "./request.ts"

/**
 * The default number of words in a batch search. Above 100, some deployments mix up the hits (docs/service.md,
 * section 6).
 */
const defaultLargest = 100

/** The default number of searches in flight. */
const defaultConcurrency = 4

/** Characters that gateways refuse in a path, even encoded. */
const refusedInPaths = /[/\\%;]/

/** Path segments that no URL can carry, because URL parsers resolve them. */
const dotSegments: ReadonlySet<string> = new Set([".", ".."])

/** Makes the search calls. `redact` removes the API key from the suggestions in errors. */
export const make = (ask: Ask, redact: Redact): SearchCalls => {
  const equal: SearchCalls["equal"] = (text) =>
    given(wordOf(text), (word) => {
      if (dotSegments.has(word)) return standIn(ask, word, redact)
      return Effect.catch(ask("search.equal", { params: { word } }, hits), (error) =>
        isRefusedByGateway(error) && refusedInPaths.test(word)
          ? Effect.mapError(standIn(ask, word, redact), (second) => (isRefused(second) ? error : second))
          : Effect.fail(error)
      )
    })

  return {
    equal,
    startWith: (text) => given(wordOf(text), (word) => ask("search.startWith", { params: { word } }, hits)),
    contain: (text) => given(wordOf(text), (word) => ask("search.contain", { params: { word } }, hits)),
    equalMany: equalMany(equal),
    equalBatch: (texts, options) =>
      given(Result.all(texts.map(wordOf)), (words) => {
        const distinct = [...new Set(words)]
        const largest = options?.largest ?? defaultLargest
        return distinct.length <= largest
          ? ask("search.equalBatch", { payload: distinct }, verified(words))
          : Effect.fail(batchTooLarge("search.equalBatch", distinct.length, largest))
      }),
    ...formulaCalls(ask)
  }
}

/** Searches many words, one request each. After a refused API key, no further request is sent. */
const equalMany =
  (equal: SearchCalls["equal"]): SearchCalls["equalMany"] =>
  (words, options) =>
    Effect.suspend(() => {
      const concurrency = options?.concurrency ?? defaultConcurrency
      const invalid = concurrency >= 1 ? undefined : notConcurrency(concurrency)
      if (invalid !== undefined) {
        return Effect.succeed(words.map((word): SearchResponse => ({ _tag: "Failed", word, error: invalid })))
      }
      let refused: Unauthorized | undefined
      return Effect.forEach(
        words,
        (word): Effect.Effect<SearchResponse> =>
          Effect.suspend(() => (refused === undefined ? equal(word) : Effect.fail(refused))).pipe(
            Effect.map(
              (found): SearchResponse =>
                found.hits.length > 0
                  ? { _tag: "Found", word, ...found }
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

/** The calls by molecular formula. */
const formulaCalls = (
  ask: Ask
): Pick<
  SearchCalls,
  "byExactFormula" | "byMsreadyFormula" | "countByExactFormula" | "countByMsreadyFormula"
> => ({
  byExactFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("search.byExactFormula", { params: { formula: parsed } }, identifiers)
    ),
  byMsreadyFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("search.byMsreadyFormula", { params: { formula: parsed } }, identifiers)
    ),
  countByExactFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("search.countByExactFormula", { params: { formula: parsed } }, count)
    ),
  countByMsreadyFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("search.countByMsreadyFormula", { params: { formula: parsed } }, count)
    )
})

const list = json(Schema.Array(SearchHit.SearchHit))
const hits: BodyReader<Hits> = refine(list, (found, truncated) => Result.succeed(hitsOf(found, truncated)))
const count = json(Schema.Int)

/** Reads the verified results of words, in their order. A duplicate word has two results. */
const verified = (words: ReadonlyArray<string>): BodyReader<ReadonlyArray<Answer>> =>
  refine(list, (records, truncated) =>
    Result.map(
      verify(words, records, (record, field) => record[field]),
      (answers) =>
        answers.map(({ hits, suggestions, word }) =>
          hits.length > 0
            ? // The response does not say which of its words it has more hits of.
              { _tag: "Found", word, ...hitsOf(hits, truncated) }
            : { _tag: "Missing", word, suggestions }
        )
    )
  )

const hitsOf = (hits: Hits["hits"], truncated: Hits["truncated"] | undefined): Hits =>
  truncated === undefined ? { hits } : { hits, truncated }

const wordOf = (text: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  if (text.trim() !== "" && text.isWellFormed()) return Result.succeed(text)
  const reason = text.trim() === "" ? "it is empty" : "it holds half a character (a lone surrogate)"
  return Result.fail(
    new InvalidIdentifier.InvalidIdentifier({
      identifier: "search word",
      value: text,
      reason: "malformed",
      message: `${JSON.stringify(text)} cannot be searched for: ${reason}`
    })
  )
}

const notConcurrency = (value: number): InvalidIdentifier.InvalidIdentifier =>
  new InvalidIdentifier.InvalidIdentifier({
    identifier: "concurrency",
    value: String(value),
    reason: "malformed",
    message: `concurrency must be a number of 1 or more, not ${value}`
  })

/** Whether a gateway refused the request: the reason may be the path, not the word. */
const isRefusedByGateway = (error: Failure): boolean =>
  (error._tag === "InvalidRequest" || error._tag === "NotFound") && error.gateway === true

/** Whether the batch search was refused, too. */
const isRefused = (error: Failure): boolean =>
  error._tag === "InvalidRequest" || error._tag === "BatchTooLarge" || isRefusedByGateway(error)

/** Searches one word by batch search, with the result of a single search. */
const standIn = (ask: Ask, word: string, redact: Redact): Effect.Effect<Hits, Failure> =>
  counted((attempts) =>
    Effect.flatMap(ask("search.equalBatch", { payload: [word] }, verified([word])), ([answer]) =>
      answer?._tag === "Found"
        ? Effect.succeed(hitsOf(answer.hits, answer.truncated))
        : Effect.fail(missed(word, (answer?.suggestions ?? []).map(redact), attempts()))
    )
  )

const missed = (word: string, suggestions: ReadonlyArray<string>, attempts: number): ChemError => {
  const meant = suggestions.length === 0 ? "" : ` Did you mean ${suggestions.slice(0, 5).join(", ")}?`
  return new NotFound({
    endpoint: "search.equalBatch",
    attempts,
    status: 200,
    suggestions,
    message: `not found: the service knows nothing by the name ${JSON.stringify(word)}${meant}`
  })
}
