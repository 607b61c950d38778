/**
 * Makes the candidates of an identifier from search hits and detail records.
 */
import type { IdentifierKind } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"

type Raw = RawRecord.RawRecord

/** A substance that an identifier may mean. */
export interface Candidate {
  readonly dtxsid: string | null
  readonly dtxcid: string | null
  readonly casrn: string | null
  readonly preferredName: string | null
  /** The kind that the identifier was read as. */
  readonly kind: IdentifierKind.Name
  /** The kind of name that matched, e.g. `Approved Name`, as the service calls it. */
  readonly foundBy: string
  /** The rank of that kind of name. A smaller one is better. Null: the service sent none. */
  readonly rank: number | null
  /** The detail record if it was requested, or a search hit with all fields that are needed. */
  readonly record?: Raw | undefined
}

/** The fields that a hit and a detail record have alike. */
const shared: ReadonlySet<string> = new Set(["dtxsid", "dtxcid", "casrn", "preferredName", "smiles"])

/** How an identifier was found. */
export interface Found {
  readonly kind: IdentifierKind.Name
  readonly foundBy: string
  readonly rank: number | null
}

const text = (record: Raw, field: string): string | null => {
  const value = RawRecord.value(record, field)
  return typeof value === "string" && value !== "" ? value : null
}

const fields = (record: Raw): Pick<Candidate, "casrn" | "dtxcid" | "dtxsid" | "preferredName"> => ({
  dtxsid: text(record, "dtxsid"),
  dtxcid: text(record, "dtxcid"),
  casrn: text(record, "casrn"),
  preferredName: text(record, "preferredName")
})

/** Makes the candidate of a record. */
export const make = (record: Raw, found: Found): Candidate => ({ ...fields(record), ...found })

/**
 * Makes the candidate of a search hit. The hit is its record if it has all the `needed` fields. Undefined: the hit is never the
 * record, because none is needed, or a whole one.
 */
export const ofHit = (
  hit: Raw,
  kind: IdentifierKind.Name,
  needed: ReadonlyArray<string> | undefined
): Candidate => {
  const rank = RawRecord.value(hit, "rank")
  const candidate = make(hit, {
    kind,
    foundBy: text(hit, "searchName") ?? kind,
    rank: typeof rank === "number" ? rank : null
  })
  const isEnough =
    needed?.every((field) => shared.has(field) && RawRecord.value(hit, field) !== undefined) === true
  return isEnough ? { ...candidate, record: hit } : candidate
}

/** Adds the detail record to a candidate. Its values replace those of the search hit. */
export const withRecord = (candidate: Candidate, record: Raw): Candidate => {
  const own = fields(record)
  return {
    ...candidate,
    dtxcid: own.dtxcid ?? candidate.dtxcid,
    casrn: own.casrn ?? candidate.casrn,
    preferredName: own.preferredName ?? candidate.preferredName,
    record
  }
}

/** Returns the identity of a candidate: its substance, or else its compound, or else its CAS number and name. */
export const identity = ({ casrn, dtxcid, dtxsid, preferredName }: Candidate): string =>
  dtxsid ?? dtxcid ?? `${casrn} ${preferredName}`

/** Returns each substance once, with its best rank, in order of rank. */
export const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const sorted = [...candidates].sort((one, other) => rankOf(one) - rankOf(other))
  const seen = new Set<string>()
  return sorted.filter((candidate) => {
    const id = identity(candidate)
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}

/** Returns the rank for comparison. A candidate without a rank comes last. */
export const rankOf = ({ rank }: Candidate): number => rank ?? Number.MAX_SAFE_INTEGER
