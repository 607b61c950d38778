/**
 * A substance that an identifier may mean, as a search or a lookup found it.
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
  /** What the identifier was read as. */
  readonly kind: IdentifierKind.Name
  /** The kind of name that matched, as the service has it, e.g. `Approved Name`. */
  readonly foundBy: string
  /** The rank of that kind of name: smaller is better. Null where the service gives none. */
  readonly rank: number | null
  /** The detail record, where one was asked for. */
  readonly record?: Raw | undefined
}

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

/** The candidate of a record that an identifier led to. */
export const make = (record: Raw, found: Found): Candidate => ({ ...fields(record), ...found })

/** The candidate of the hit of a search. */
export const ofHit = (hit: Raw, kind: IdentifierKind.Name): Candidate => {
  const rank = RawRecord.value(hit, "rank")
  return make(hit, {
    kind,
    foundBy: text(hit, "searchName") ?? kind,
    rank: typeof rank === "number" ? rank : null
  })
}

/** The same candidate with its detail record, which has what the search did not say. */
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

/** What tells two candidates apart: the substance, or the compound where it has none. */
export const identity = ({ casrn, dtxcid, dtxsid, preferredName }: Candidate): string =>
  dtxsid ?? dtxcid ?? `${casrn} ${preferredName}`

/** Each substance once, as its best rank has it; those of a better rank first. */
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

/** For comparison: a candidate without a rank comes last. */
export const rankOf = ({ rank }: Candidate): number => rank ?? Number.MAX_SAFE_INTEGER
