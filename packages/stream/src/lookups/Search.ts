/**
 * Lookups by name, identifier and molecular formula (docs/service.md, section 3.2).
 *
 * Words are looked up one a call, whatever their number: deployments misalign the answers of the batch search (wire
 * facts, Paging). `equalBatch` uses it all the same, and checks each answer.
 */
import { SearchHit } from "@chemstream/api"
import { Outcome } from "@chemstream/batch"
import { type BodyReader, type ChemError, type Endpoint, SearchAnswer } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Schema } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import {
  type Bare,
  bare,
  barely,
  checked,
  elements,
  kindOf,
  lookup,
  ofOne,
  one,
  type Read,
  shaped,
  substances,
  unexpected
} from "./internal/lookups.ts"
import type { Inspection, Lookup } from "./Lookup.ts"

type Raw = RawRecord.RawRecord

type Lookups<A> = Lookup<RawRecord.RawRecord<A>>

/** A substance that has a formula. */
export type Substance = Bare<"dtxsid", string>

/** How many substances have a formula. */
export type Count = Bare<"count", number>

/** Words in one batch search: over 100, deployments have misaligned the answers. */
const largestSearch = 100

/**
 * The substances with exactly this name or identifier, one record a hit, best rank first.
 *
 * A word that a gateway refuses in a path is looked up by a verified batch search of one.
 */
export const equal = (): Lookups<SearchHit.SearchHit> => {
  const single = words("search.equal")
  const batch = verifiedBatch()
  return {
    ...single,
    ask: (ids, inspection) =>
      ids.some((id) => dotSegments.has(id))
        ? batch.ask(ids, inspection)
        : Effect.catch(single.ask(ids, inspection), (error) =>
            isOfGateway(error) ? instead(batch, ids, inspection, error) : Effect.fail(error)
          )
  }
}

/** Asks by another lookup after a failure, which stands where a gateway refuses this lookup, too. */
const instead = (
  { ask }: Lookups<SearchHit.SearchHit>,
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  error: ChemError.ChemError
): ReturnType<typeof ask> =>
  Effect.mapError(ask(ids, inspection), (second) => (isOfGateway(second) ? error : second))

/** Path segments that no URL can carry: they name folders. */
const dotSegments: ReadonlySet<string> = new Set([".", ".."])

/** A refusal that is no word of the service: it may be about the path, not about what is asked. */
const isOfGateway = (error: ChemError.ChemError): boolean =>
  (error._tag === "NotFound" || error._tag === "InvalidRequest") && error.gateway === true

/** The substances with a name or identifier that starts with this, one record a hit. */
export const startWith = (): Lookups<SearchHit.SearchHit> => words("search.startWith")

/** The substances with a name or identifier that contains this, one record a hit. */
export const contain = (): Lookups<SearchHit.SearchHit> => words("search.contain")

const words = (
  endpoint: "search.equal" | "search.startWith" | "search.contain"
): Lookups<SearchHit.SearchHit> =>
  lookup({
    endpoint,
    kind: kinds.word,
    multiplicity: "many",
    request: one((word) => ({ params: { word } })),
    answer: shaped(SearchHit.SearchHit)
  })

/**
 * As `equal`, up to 100 words a call. Each hit goes to the word that its `searchValue` names; a word that is not
 * answered at all, or an answer to something else, makes the answer malformed: a run then asks for smaller parts, and for a
 * word that is malformed alone, as `equal` does. Words that are one name in several spellings ("Benzene", "BENZENE") each
 * get its hits, once, as `equal` gives them.
 */
export const equalBatch = (): Lookups<SearchHit.SearchHit> => {
  const single = words("search.equal")
  const batch = verifiedBatch()
  return {
    ...batch,
    ask: (ids, inspection) =>
      Effect.catch(batch.ask(ids, inspection), (error) =>
        ids.length === 1 && error._tag === "MalformedResponse" && error.dialect === undefined
          ? instead(single, ids, inspection, error)
          : Effect.fail(error)
      )
  }
}

const verifiedBatch = (): Lookups<SearchHit.SearchHit> =>
  lookup({
    endpoint: "search.equalBatch",
    kind: kinds.word,
    size: largestSearch,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: {
      read: (ids) => (body) => Result.flatMap(elements(body), (records) => hitsOf(ids, records)),
      schema: SearchHit.SearchHit
    }
  })

const hitsOf = (
  ids: ReadonlyArray<string>,
  records: ReadonlyArray<Raw>
): Result.Result<Read, BodyReader.BodyFault> =>
  Result.map(SearchAnswer.verify(ids, records, fieldOf), (answers) => ({
    records: answers.flatMap(({ hits, word }) => hits.map((record) => ({ key: word, record }))),
    surplus: answers.flatMap(({ repeated, word }) =>
      repeated.map((record) => Outcome.surplus("repeated", record, word))
    ),
    suggestions: new Map(
      answers.flatMap(({ suggestions, word }) =>
        suggestions.length > 0 ? [[word, suggestions] as const] : []
      )
    )
  }))

const fieldOf = (record: Raw, field: SearchAnswer.Field): unknown => {
  const value = RawRecord.value(record, field)
  return RawRecord.isRawRecord(value) ? Result.getOrElse(RawRecord.parse(value), () => undefined) : value
}

/** The substances with this molecular formula, all atoms counted, one record `{"query","dtxsid"}` each. */
export const byExactFormula = (): Lookups<Substance> => formulas("search.byExactFormula")

/** The substances with this MS-ready formula, one record `{"query","dtxsid"}` each. */
export const byMsreadyFormula = (): Lookups<Substance> => formulas("search.byMsreadyFormula")

/** How many substances have this molecular formula: one record `{"query","count"}`. */
export const countByExactFormula = (): Lookups<Count> => counts("search.countByExactFormula")

/** How many substances have this MS-ready formula: one record `{"query","count"}`. */
export const countByMsreadyFormula = (): Lookups<Count> => counts("search.countByMsreadyFormula")

const formulas = (endpoint: "search.byExactFormula" | "search.byMsreadyFormula"): Lookups<Substance> =>
  lookup({
    endpoint,
    kind: kinds.formula,
    multiplicity: "many",
    request: one((formula) => ({ params: { formula } })),
    answer: substances
  })

const counts = (endpoint: "search.countByExactFormula" | "search.countByMsreadyFormula"): Lookups<Count> =>
  lookup({
    endpoint,
    kind: kinds.formula,
    multiplicity: "one",
    request: one((formula): Endpoint.Unchecked<typeof endpoint> => ({ params: { formula } })),
    answer: barely("count", Schema.Int.annotate({ description: "Number of substances" }), ([formula = ""]) =>
      ofOne(formula, (body) =>
        Result.flatMap(checked(body), (text) =>
          kindOf(text) === "bare value"
            ? Result.succeed([bare(formula, "count", text)])
            : Result.fail(unexpected(kindOf(text)))
        )
      )
    )
  })
