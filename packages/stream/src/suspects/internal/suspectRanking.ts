/**
 * Ranks the matches of a feature: which of them are one suspect, and their order.
 */
import { RawRecord, TextNumbers } from "@chemstream/ndjson"
import type { Match } from "./massMatch.ts"

/** A substance that may explain a feature. */
export interface Suspect extends Match {
  /** Its place among the suspects of the feature, from 1. */
  readonly rank: number
  /** The DTXSIDs of the other matches with the same skeleton, if such matches are merged. */
  readonly merged: ReadonlyArray<string>
  /** The number of suspects of the feature that were left out. */
  readonly more: number
}

/** The fields that rank suspects by default: data sources, literature, assay hits, exposure. */
export const defaultRanks: ReadonlyArray<string> = [
  "sourcesCount",
  "pubmedCount",
  "activeAssays",
  "expocatMedianPrediction"
]

/** Returns a number of a record for the ranking. A text with a number counts. */
const numberOf = (record: RawRecord.RawRecord, field: string): number => {
  const value = RawRecord.value(record, field)
  const number = typeof value === "string" ? TextNumbers.parse(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : Number.NEGATIVE_INFINITY
}

/** How the matches of a feature are put in order. */
export interface Order {
  /** The fields of detail records, the most important first. Larger values come first. */
  readonly rankBy: ReadonlyArray<string>
  /** The most suspects of a feature. Default: all. */
  readonly best?: number | undefined
  /** What matches have in common that are one suspect. Default: nothing. */
  readonly merge?: "skeleton" | undefined
}

/**
 * Puts matches in order, and ranks them. Substances with a matching mass come before those with a matching form. The fields decide
 * next, and then the smaller error.
 */
export const ranked = (
  matches: ReadonlyArray<Match>,
  { best = matches.length, merge, rankBy }: Order
): ReadonlyArray<Suspect> => {
  const sorted = matches
    .map((match) => ({ match, keys: sortKeys(match, rankBy) }))
    .sort((one, other) => compare(one.keys, other.keys) || (one.match.dtxsid < other.match.dtxsid ? -1 : 1))
    .map(({ match }) => match)
  const groups = [...Map.groupBy(sorted, merge === undefined ? (one) => one : groupOf).values()]
  return groups.slice(0, best).map(([first, ...rest], at) => ({
    ...(first as Match),
    rank: at + 1,
    merged: [...new Set(rest.map(({ dtxsid }) => dtxsid))].filter((dtxsid) => dtxsid !== first?.dtxsid),
    more: Math.max(0, groups.length - best)
  }))
}

/** Returns the numbers by which a match is sorted, smaller first. */
const sortKeys = ({ error, matchedBy, record }: Match, rankBy: ReadonlyArray<string>) => [
  Number(matchedBy !== "mass"),
  ...rankBy.map((field) => -numberOf(record, field)),
  Math.abs(error?.ppm ?? Number.MAX_VALUE)
]

const compare = (ones: ReadonlyArray<number>, others: ReadonlyArray<number>): number => {
  const at = ones.findIndex((one, index) => one !== others[index])
  return at < 0 ? 0 : (ones[at] ?? 0) < (others[at] ?? 0) ? -1 : 1
}

/** Returns the skeleton of the form that matched, and the adduct. A match without an InChIKey is a group of its own. */
const groupOf = (match: Match): unknown => {
  const { adduct, matchedForm, record } = match
  const inchikey = matchedForm?.inchikey ?? RawRecord.value(record, "inchikey")
  return typeof inchikey === "string" && /^[A-Z]{14}/.test(inchikey)
    ? `${inchikey.slice(0, 14)} ${adduct}`
    : match
}
