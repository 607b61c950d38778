/**
 * Lookups by name, identifier and molecular formula (docs/service.md, section 3.2).
 *
 * Words are looked up one a call, whatever their number: deployments misalign the answers of the batch search (wire
 * facts, Paging). `equalBatch` uses it all the same, and checks each answer.
 */
import { NameForm, SearchHit } from "@chemstream/api"
import { ChemClient, type Endpoint } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Schema } from "effect"
import * as kinds from "./internal/kinds.ts"
import {
  bare,
  barely,
  batch,
  checked,
  elements,
  kindOf,
  type Read,
  shaped,
  single,
  unexpected
} from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/** Words in one batch search: over 100, deployments have misaligned the answers. */
const largestSearch = 100

/**
 * The substances with exactly this name or identifier, one record a hit, best rank first.
 *
 * A word that a gateway refuses in a path is looked up by a verified batch search of one.
 */
export const equal = (): Lookup<Raw> => {
  const lookup = words("search.equal")
  return {
    ...lookup,
    ask: (ids, inspection) =>
      Effect.catch(lookup.ask(ids, inspection), (error) =>
        (error._tag === "NotFound" || error._tag === "InvalidRequest") && error.gateway === true
          ? Effect.map(
              Effect.forEach(ids, (id) =>
                Effect.flatMap(ChemClient.ChemClient, (client) =>
                  Effect.map(
                    Effect.catchTag(client.search.equal(id), "InvalidIdentifier", Effect.die),
                    (hits) =>
                      hits.map((hit) => ({ key: id, record: RawRecord.fromText(JSON.stringify(hit)) }))
                  )
                )
              ),
              (records) => ({ records: records.flat() })
            )
          : Effect.fail(error)
      )
  }
}

/** The substances with a name or identifier that starts with this, one record a hit. */
export const startWith = (): Lookup<Raw> => words("search.startWith")

/** The substances with a name or identifier that contains this, one record a hit. */
export const contain = (): Lookup<Raw> => words("search.contain")

const words = (endpoint: "search.equal" | "search.startWith" | "search.contain"): Lookup<Raw> =>
  single({
    endpoint,
    kind: kinds.word,
    multiplicity: "many",
    request: (word) => ({ params: { word } }),
    answer: shaped(SearchHit.SearchHit)
  })

/**
 * As `equal`, up to 100 words a call. Each hit goes to the word that its `searchValue` names; a word that is not
 * answered at all, or an answer to something else, makes the answer malformed. Words that are one name in several
 * spellings ("Benzene", "BENZENE") each get its hits, once, as `equal` gives them.
 */
export const equalBatch = (): Lookup<Raw> =>
  batch({
    endpoint: "search.equalBatch",
    kind: kinds.word,
    size: largestSearch,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: {
      read: (ids) => (body) => Result.flatMap(elements(body), (records) => hitsOf(ids, records)),
      schema: SearchHit.BatchHit
    }
  })

const hitsOf = (ids: ReadonlyArray<string>, records: ReadonlyArray<Raw>) => {
  const asked = Map.groupBy(ids, NameForm.fold)
  const answered = new Set<string>()
  const suggestions = new Map<string, ReadonlyArray<string>>()
  const hits = new Map<string, Read["records"][number]>()
  for (const [index, record] of records.entries()) {
    const searchValue = RawRecord.value(record, "searchValue")
    const form = typeof searchValue === "string" ? NameForm.fold(searchValue) : undefined
    const own = form === undefined ? undefined : asked.get(form)
    if (own === undefined || form === undefined) {
      const reason = "an answer does not say which of the words asked for it is to"
      return Result.fail({ path: `[${index}].searchValue`, reason })
    }
    answered.add(form)
    const isMiss =
      RawRecord.value(record, "dtxsid") === null || RawRecord.value(record, "dtxsid") === undefined
    if (isMiss) {
      const names = suggestionsOf(record)
      if (names.length > 0) for (const id of own) suggestions.set(id, names)
      continue
    }
    // Words that are the same name in other spellings are answered one by one, each with the same hits.
    const hit = JSON.stringify([
      RawRecord.value(record, "dtxsid"),
      RawRecord.value(record, "searchName"),
      searchValue
    ])
    for (const id of own) {
      const place = `${id}\n${hit}`
      if (!hits.has(place)) hits.set(place, { key: id, record })
    }
  }
  const silent = ids.find((id) => !answered.has(NameForm.fold(id)))
  return silent === undefined
    ? Result.succeed({ records: [...hits.values()], unidentified: 0, suggestions })
    : Result.fail({ path: "", reason: `there is no answer to ${JSON.stringify(silent)}` })
}

/** The names that a miss suggests: services answer null, or a list that may hold null, where there are none. */
const suggestionsOf = (miss: Raw): ReadonlyArray<string> => {
  const list = RawRecord.value(miss, "suggestions")
  const parsed = RawRecord.isRawRecord(list) ? Result.getOrElse(RawRecord.parse(list), () => null) : null
  return Array.isArray(parsed) ? parsed.filter((name) => typeof name === "string") : []
}

/** The substances with this molecular formula, all atoms counted, one record `{"query","dtxsid"}` each. */
export const byExactFormula = (): Lookup<Raw> => formulas("search.byExactFormula")

/** The substances with this MS-ready formula, one record `{"query","dtxsid"}` each. */
export const byMsreadyFormula = (): Lookup<Raw> => formulas("search.byMsreadyFormula")

/** How many substances have this molecular formula: one record `{"query","count"}`. */
export const countByExactFormula = (): Lookup<Raw> => counts("search.countByExactFormula")

/** How many substances have this MS-ready formula: one record `{"query","count"}`. */
export const countByMsreadyFormula = (): Lookup<Raw> => counts("search.countByMsreadyFormula")

const formulas = (endpoint: "search.byExactFormula" | "search.byMsreadyFormula"): Lookup<Raw> =>
  single({
    endpoint,
    kind: kinds.formula,
    multiplicity: "many",
    request: (formula) => ({ params: { formula } }),
    answer: barely(
      "dtxsid",
      Schema.String,
      (formula) => (body) =>
        Result.map(elements(body), (dtxsids) => dtxsids.map((dtxsid) => bare(formula, "dtxsid", dtxsid)))
    )
  })

const counts = (endpoint: "search.countByExactFormula" | "search.countByMsreadyFormula"): Lookup<Raw> =>
  single({
    endpoint,
    kind: kinds.formula,
    multiplicity: "one",
    request: (formula): Endpoint.Unchecked<typeof endpoint> => ({ params: { formula } }),
    answer: barely(
      "count",
      Schema.Int,
      (formula) => (body) =>
        Result.flatMap(checked(body), (text) =>
          kindOf(text) === "bare value"
            ? Result.succeed([bare(formula, "count", text)])
            : Result.fail(unexpected(kindOf(text)))
        )
    )
  })
