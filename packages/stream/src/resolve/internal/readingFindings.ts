/**
 * Makes the finding of a reading from the result of its lookup: candidates, suggestions, and notes for people, e.g. that a name is a
 * synonym. A skeleton is the first block of an InChIKey.
 */
import { IdentifierKind, SearchHit } from "@chemstream/api"
import type { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import type * as Part from "../../lookups/internal/lookupPart.ts"
import { type Candidate, identity, make, ofHit } from "./candidate.ts"

type Reading = IdentifierKind.Reading

/** The result of one reading. */
export interface Finding {
  readonly candidates: ReadonlyArray<Candidate>
  readonly suggestions: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  readonly error?: ChemError.ChemError | undefined
}

/** Which substances and records a finding may have. */
export interface FindingOptions {
  /** Whether an unknown structure also means the substances of its skeleton. */
  readonly match?: "exact" | "skeleton" | undefined
  /** The fields of the records that are needed. */
  readonly fields?: ReadonlyArray<string> | undefined
}

/** The finding of a reading without candidates. */
export const none: Finding = { candidates: [], suggestions: [], notes: [] }

/** Returns the finding of a reading: the candidates that its word found, and notes about them. */
export const findingOf = (
  { kind, value }: Reading,
  word: string,
  { keyOf: keyIn, settled }: Part.PartResult,
  fields: ReadonlyArray<string> | undefined
): Finding => {
  const key = keyIn(word)
  const error = settled.errors.get(key)
  if (error !== undefined) return { ...none, error }
  const records = settled.records.get(key) ?? []
  const { label } = IdentifierKind.kinds[kind]
  const notes = settled.truncated.has(key) ? ["the service has more hits than it sent"] : []
  const all = records.flatMap((record): ReadonlyArray<Candidate> => {
    switch (kind) {
      case "dtxsid":
      case "dtxcid":
        return [{ ...make(record, { kind, foundBy: label, rank: kind === "dtxsid" ? 1 : 2 }), record }]
      case "formula":
        return [make(record, { kind, foundBy: label, rank: null })]
      case "skeleton":
        return isOfSkeleton(record, value) ? [ofHit(record, kind, fields)] : []
      default:
        return [ofHit(record, kind, fields)]
    }
  })
  // The substance with this identifier or approved name is meant, not one with an equal synonym.
  const identified = kind === "name" ? all.filter(({ foundBy }) => SearchHit.isIdentity(foundBy)) : []
  const candidates = identified.length > 0 ? identified : all
  const ids = new Set(candidates.map(identity))
  if (all.some((one) => !ids.has(identity(one)))) notes.push("also a synonym of other substances")
  return { candidates, suggestions: settled.suggestions.get(key) ?? [], notes }
}

const isOfSkeleton = (hit: RawRecord.RawRecord, skeleton: string): boolean => {
  const matched = RawRecord.value(hit, "searchValue")
  return typeof matched === "string" && matched.toUpperCase().startsWith(skeleton)
}

/** Returns the skeleton of an InChIKey. */
export const skeletonOf = (inchikey: string): string => inchikey.slice(0, 14)

/** Returns the substances of the skeleton of an unknown structure: its candidates with `match: "skeleton"`, else suggestions. */
export const nearMiss = (
  { kind }: Reading,
  inchikey: string,
  near: Part.PartResult,
  { fields, match }: FindingOptions
): Finding => {
  const skeleton = skeletonOf(inchikey)
  const found = findingOf({ kind: "skeleton", value: skeleton }, skeleton, near, fields)
  // Without `match`, the service has responded about the InChIKey itself: it is missing.
  if (found.error !== undefined && match !== "skeleton") return none
  if (found.error !== undefined || found.candidates.length === 0)
    return { ...none, ...found, suggestions: [] }
  const hits = near.settled.records.get(near.keyOf(skeleton)) ?? []
  const others = new Map(
    hits
      .filter((hit) => isOfSkeleton(hit, skeleton))
      .map((hit) => [
        RawRecord.value(hit, "dtxsid"),
        `${RawRecord.value(hit, "dtxsid")} ${RawRecord.value(hit, "preferredName")} with ${difference(inchikey, String(RawRecord.value(hit, "searchValue")))}`
      ])
  )
  const texts = [...others.values()]
  if (match !== "skeleton") return { ...none, suggestions: texts }
  return {
    candidates: found.candidates.map((candidate) => ({ ...candidate, kind, foundBy: "InChIKey skeleton" })),
    suggestions: [],
    notes: [`matched by its skeleton: ${texts.join(", ")}`, ...found.notes]
  }
}

/** Names the layers (`missingMessages.ts` knows their wording) in which two InChIKeys of one skeleton differ: the second block has stereo and isotopes, the third the protons. */
const difference = (one: string, other: string): string => {
  const [, layers, protons] = one.split("-")
  const [, otherLayers, otherProtons] = other.toUpperCase().split("-")
  const parts = [
    ...(layers === otherLayers ? [] : ["stereo or isotopes"]),
    ...(protons === otherProtons ? [] : ["charge"])
  ]
  return `other ${parts.join(" and ")}`
}
