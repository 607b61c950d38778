/**
 * Finds substances by identifier, name, formula or structure (`Resolve`), or by mass. Without a match, finds
 * names that contain the text.
 */
import type { DetailRecord, SearchHit } from "@chemstream/api"
import { ChemClient, type ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Resolve } from "@chemstream/stream"
import { Effect, Option, Stream } from "effect"

/** A substance to open. */
export interface Substance {
  readonly id: string
  readonly name: string
  readonly casrn: string | null
  readonly formula: string | null
  readonly smiles: string | null
}

/** A substance in the result. */
export interface Match extends Substance {
  /** The match in words. */
  readonly matched: string
  readonly rank: number | null
}

/** The result of a search, best match first. */
export interface SearchResult {
  readonly matches: ReadonlyArray<Match>
  /** The number of further substances. Null: unknown. */
  readonly more: number | null
  /** The repair of the text, or the reason for an empty result. */
  readonly note: string | null
}

/** The maximum number of substances that are shown. */
export const maxMatches = 100

/** The default tolerance of a mass, in parts per million. */
const defaultPpm = 5

const massForm =
  /^(\d+\.\d+|\d+(?=\s*(?:da|±|\+\/-)))\s*(?:da)?\s*(?:(?:±|\+\/-)\s*(\d+(?:\.\d+)?)\s*(ppm|da))?$/i

/** A mass in dalton with its tolerance. */
export interface Mass {
  readonly mass: number
  readonly tolerance: number
  readonly words: string
}

/**
 * Reads a text as a mass, e.g. `228.115`, `228.115 ± 10 ppm` or `228 Da ± 0.5 Da`. Undefined if it is not
 * one.
 */
export const massOf = (text: string): Mass | undefined => {
  const [, value, amount = String(defaultPpm), unit = "ppm"] = massForm.exec(text.trim()) ?? []
  if (value === undefined) return undefined
  const mass = Number(value)
  const tolerance = unit.toLowerCase() === "ppm" ? (mass * Number(amount)) / 1e6 : Number(amount)
  return { mass, tolerance, words: `${value} Da ± ${amount} ${unit}` }
}

/** Finds the substances of a text. */
export const find = (
  text: string
): Effect.Effect<SearchResult, { readonly message: string }, ChemClient.ChemClient> => {
  const mass = massOf(text)
  return mass === undefined ? byIdentifier(text) : byMass(mass)
}

const byMass = ({ mass, tolerance, words }: Mass) =>
  Effect.gen(function* () {
    const client = yield* ChemClient.ChemClient
    const ids = yield* client.msready.byMass(mass - tolerance, mass + tolerance)
    const records = yield* client.details.byDtxsidBatch(ids.slice(0, maxMatches), { projection: "compact" })
    return {
      matches: records
        .map((record) => matchOf(record, `MS-ready mass within ${words}`, null))
        .sort((one, other) => one.id.localeCompare(other.id)),
      more: Math.max(0, ids.length - maxMatches),
      note: ids.length === 0 ? `No substance has an MS-ready mass of ${words}` : null
    }
  })

const byIdentifier = (text: string) =>
  Effect.gen(function* () {
    const resolved = yield* Identifiers.fromIterable([text]).pipe(
      Resolve.outcomes({ maxCandidates: maxMatches, projection: "compact", availability: { wait: 0 } }),
      Stream.runHead
    )
    if (Option.isNone(resolved)) return { matches: [], more: 0, note: null }
    const { candidates, more, note, status } = resolved.value
    if (status === "failed") return yield* Effect.fail({ message: note ?? "The search failed" })
    const matches = candidates.map((candidate) => ({
      ...matchOf(compactRecordOf(candidate.record), candidate.foundBy, candidate.rank),
      id: candidate.dtxsid ?? candidate.dtxcid ?? "",
      name: candidate.preferredName ?? candidate.dtxsid ?? text,
      casrn: candidate.casrn
    }))
    return matches.length > 0 || status === "invalid" ? { matches, more, note } : yield* byPart(text, note)
  })

const byPart = (text: string, note: string | null) =>
  Effect.gen(function* () {
    const client = yield* ChemClient.ChemClient
    const { hits, truncated } = yield* client.search.contain(text)
    return {
      matches: hits.map(matchOfHit).sort(byRankAndLength).slice(0, maxMatches),
      more: truncated === undefined ? Math.max(0, hits.length - maxMatches) : null,
      note: "No substance has exactly this name or identifier. These names contain it"
    }
  }).pipe(Effect.catchTag("NotFound", () => Effect.succeed({ matches: [], more: 0, note })))

/** The service sorts names of one rank by substance. The shortest name is the likeliest. */
const byRankAndLength = (one: Match, other: Match): number =>
  (one.rank ?? 0) - (other.rank ?? 0) || one.name.length - other.name.length

type CompactRecord = Partial<DetailRecord.DetailRecord<"compact">>

const compactRecordOf = (record: RawRecord.RawRecord | undefined): CompactRecord => {
  const parsed = record === undefined ? undefined : RawRecord.parse(record)
  return parsed?._tag === "Success" ? (parsed.success as CompactRecord) : {}
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const matchOf = (
  record: { readonly [Field in keyof CompactRecord]?: unknown },
  matched: string,
  rank: number | null
): Match => {
  const id = textOf(record.dtxsid) ?? ""
  return {
    id,
    name: textOf(record.preferredName) ?? id,
    casrn: textOf(record.casrn),
    formula: textOf(record.molFormula),
    smiles: textOf(record.smiles),
    matched,
    rank
  }
}

const matchOfHit = (hit: SearchHit.SearchHit): Match => {
  const matched = [textOf(hit.searchName), textOf(hit.searchValue)].filter((part) => part !== null)
  const rank = typeof hit.rank === "number" ? hit.rank : null
  return matchOf({ ...hit, dtxsid: hit.dtxsid ?? hit.dtxcid }, matched.join(": "), rank)
}

/** The maximum number of suggestions while a person types. */
export const maxSuggestions = 8

/** The minimum number of characters for suggestions. */
export const minSuggestionLength = 2

/** A name or identifier that starts with the typed text. */
export interface Suggestion {
  readonly id: string
  readonly value: string
  readonly name: string
}

/** Sorts the shortest name first, so that an equal name comes before all that begin with it. */
export const bestFirst = (suggestions: ReadonlyArray<Suggestion>): ReadonlyArray<Suggestion> =>
  suggestions.toSorted(
    (one, other) =>
      one.value.length - other.value.length ||
      one.name.length - other.name.length ||
      (one.value < other.value ? -1 : 1)
  )

/** Returns the names and identifiers that start with a text, the shortest first. */
export const suggest = (
  text: string
): Effect.Effect<ReadonlyArray<Suggestion>, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    if (text.length < minSuggestionLength || massOf(text) !== undefined) return []
    const client = yield* ChemClient.ChemClient
    const { hits } = yield* client.search.startWith(text)
    const suggestions = hits.map((hit) => {
      const { id, name } = matchOfHit(hit)
      return { id, name, value: textOf(hit.searchValue) ?? name }
    })
    return bestFirst(suggestions).slice(0, maxSuggestions)
  }).pipe(Effect.catchTag(["NotFound", "InvalidIdentifier"], () => Effect.succeed([])))
