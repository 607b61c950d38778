/**
 * What a search finds: the substances of an identifier, a name, a formula or a structure (`Resolve`), those of a mass, or
 * else those whose names contain the text.
 */
import type { DetailRecord, SearchHit } from "@chemstream/api"
import { ChemClient, type ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Resolve } from "@chemstream/stream"
import { Effect, Option, Stream } from "effect"

/** A substance that was found. */
export interface Match {
  readonly id: string
  readonly name: string
  readonly casrn: string | null
  readonly formula: string | null
  readonly smiles: string | null
  /** What matched, in words. */
  readonly matched: string
  readonly rank: number | null
}

/** What was found, the best first. */
export interface Found {
  readonly matches: ReadonlyArray<Match>
  /** How many further ones there are; null where that is not known. */
  readonly more: number | null
  /** What was repaired, or why nothing was found. */
  readonly note: string | null
}

/** The most substances that are shown. */
export const most = 100

/** The tolerance of a mass, in parts per million, where none is given. */
const defaultPpm = 5

const massForm =
  /^(\d+\.\d+|\d+(?=\s*(?:da|±|\+\/-)))\s*(?:da)?\s*(?:(?:±|\+\/-)\s*(\d+(?:\.\d+)?)\s*(ppm|da))?$/i

/** A mass in dalton with its tolerance. */
export interface Mass {
  readonly mass: number
  readonly tolerance: number
  readonly words: string
}

/** A text as a mass, e.g. `228.115`, `228.115 ± 10 ppm` or `228 Da ± 0.5 Da`; undefined where it is none. */
export const massOf = (text: string): Mass | undefined => {
  const [, value, amount = String(defaultPpm), unit = "ppm"] = massForm.exec(text.trim()) ?? []
  if (value === undefined) return undefined
  const mass = Number(value)
  const tolerance = unit.toLowerCase() === "ppm" ? (mass * Number(amount)) / 1e6 : Number(amount)
  return { mass, tolerance, words: `${value} Da ± ${amount} ${unit}` }
}

/** What a text finds. */
export const find = (
  text: string
): Effect.Effect<Found, { readonly message: string }, ChemClient.ChemClient> => {
  const mass = massOf(text)
  return mass === undefined ? byIdentifier(text) : byMass(mass)
}

const byMass = ({ mass, tolerance, words }: Mass) =>
  Effect.gen(function* () {
    const client = yield* ChemClient.ChemClient
    const ids = yield* client.msready.byMass(mass - tolerance, mass + tolerance)
    const records = yield* client.details.byDtxsidBatch(ids.slice(0, most), { projection: "compact" })
    return {
      matches: records
        .map((record) => matchOf(record, `MS-ready mass within ${words}`, null))
        .sort((one, other) => one.id.localeCompare(other.id)),
      more: Math.max(0, ids.length - most),
      note: ids.length === 0 ? `No substance has an MS-ready mass of ${words}` : null
    }
  })

const byIdentifier = (text: string) =>
  Effect.gen(function* () {
    const resolved = yield* Identifiers.fromIterable([text]).pipe(
      Resolve.outcomes({ maxCandidates: most, projection: "compact", availability: { wait: 0 } }),
      Stream.runHead
    )
    if (Option.isNone(resolved)) return { matches: [], more: 0, note: null }
    const { candidates, more, note, status } = resolved.value
    if (status === "failed") return yield* Effect.fail({ message: note ?? "The search failed" })
    const matches = candidates.map((candidate) => ({
      ...matchOf(shownOf(candidate.record), candidate.foundBy, candidate.rank),
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
      matches: hits.slice(0, most).map(matchOfHit),
      more: truncated === undefined ? Math.max(0, hits.length - most) : null,
      note: "No substance has exactly this name or identifier. These have it as a part"
    }
  }).pipe(Effect.catchTag("NotFound", () => Effect.succeed({ matches: [], more: 0, note })))

type Shown = Partial<DetailRecord.DetailRecord<"compact">>

const shownOf = (record: RawRecord.RawRecord | undefined): Shown => {
  const parsed = record === undefined ? undefined : RawRecord.parse(record)
  return parsed?._tag === "Success" ? (parsed.success as Shown) : {}
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const matchOf = (record: Shown, matched: string, rank: number | null): Match => {
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
  const id = hit.dtxsid ?? hit.dtxcid ?? ""
  return {
    id,
    name: textOf(hit.preferredName) ?? id,
    casrn: textOf(hit.casrn),
    formula: null,
    smiles: textOf(hit.smiles),
    matched: [textOf(hit.searchName), textOf(hit.searchValue)].filter((part) => part !== null).join(": "),
    rank: typeof hit.rank === "number" ? hit.rank : null
  }
}

/** How many names are suggested while a person types. */
export const mostSuggestions = 8

/** The fewest characters for which names are suggested. */
export const shortestStart = 2

/** A name that starts with what was typed. */
export interface Suggestion {
  readonly id: string
  readonly value: string
  readonly name: string
}

/** The names and identifiers that start with a text, the best first; none where there are none. */
export const suggest = (
  text: string
): Effect.Effect<ReadonlyArray<Suggestion>, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    if (text.length < shortestStart || massOf(text) !== undefined) return []
    const client = yield* ChemClient.ChemClient
    const { hits } = yield* client.search.startWith(text)
    return hits.slice(0, mostSuggestions).map((hit) => {
      const { id, name } = matchOfHit(hit)
      return { id, name, value: textOf(hit.searchValue) ?? name }
    })
  }).pipe(
    Effect.catchTag("NotFound", () => Effect.succeed([])),
    Effect.catchTag("InvalidIdentifier", () => Effect.succeed([]))
  )
