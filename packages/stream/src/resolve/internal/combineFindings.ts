/**
 * Combines the findings of a row of the input: one substance, several (ambiguous), or two that contradict each other (conflict). Words the
 * note about a conflict; the line of the errors file is `runs/Problem.ts`. `identity` of `candidate.ts` says which candidates are one
 * substance.
 *
 * Choosing one candidate does not hide ambiguity: the result keeps the status and the number of candidates left out.
 */
import type { IdentifierKind } from "@chemstream/api"
import { type Candidate, distinct, identity, rankOf } from "./candidate.ts"

/** What to do with several candidates: keep all, those of the best rank, or none. */
export type Pick = "all" | "best" | "unique"

/** The meaning of a row with at least one candidate. */
export interface Resolution {
  readonly status: "found" | "ambiguous" | "conflict"
  /** The kind of the identifier that counts. */
  readonly kind: IdentifierKind.Name
  /**
   * The candidates that `pick` and `maxCandidates` keep, best rank first. With `unique`, an ambiguous row has
   * none.
   */
  readonly candidates: ReadonlyArray<Candidate>
  /** The number of candidates left out. */
  readonly more: number
  /** What was repaired, narrowed or left out, for people. */
  readonly notes: ReadonlyArray<string>
}

/** The findings of one identifier of a row. */
export interface Cell {
  /** Its name for people: its column, or its text. */
  readonly label: string
  readonly candidates: ReadonlyArray<Candidate>
  /** What was repaired, or why it has no candidate. */
  readonly notes: ReadonlyArray<string>
}

/** Which candidates of a row are kept. */
export interface Choice {
  readonly pick: Pick
  readonly maxCandidates: number
}

/** Combines the identifiers of a row, in order of preference. Undefined: none is known. */
export const make = (cells: ReadonlyArray<Cell>, { maxCandidates, pick }: Choice): Resolution | undefined => {
  const known = cells.filter(({ candidates }) => candidates.length > 0)
  const [first, ...others] = known.map((cell) => ({ ...cell, candidates: distinct(cell.candidates) }))
  const kind = first?.candidates[0]?.kind
  if (first === undefined || kind === undefined) return undefined
  const notes = cells.flatMap((cell) => cell.notes)
  let common = first.candidates
  for (const other of others) {
    const ids = new Set(other.candidates.map(identity))
    const both = common.filter((candidate) => ids.has(identity(candidate)))
    if (both.length === 0) {
      const candidates = distinct([...common, ...other.candidates])
      const note = `${first.label} and ${other.label} are different substances`
      return choose(
        { status: "conflict", kind, candidates, notes: [...notes, note] },
        { maxCandidates, pick }
      )
    }
    if (both.length < common.length) notes.push(`narrowed from ${common.length} candidates by ${other.label}`)
    common = both
  }
  const status = common.length === 1 ? "found" : "ambiguous"
  return choose({ status, kind, candidates: common, notes }, { maxCandidates, pick })
}

const choose = (all: Omit<Resolution, "more">, { maxCandidates, pick }: Choice): Resolution => {
  if (all.status === "found") return { ...all, more: 0 }
  const [best] = all.candidates
  const picked =
    pick === "unique"
      ? []
      : pick === "best" && all.status === "ambiguous" && best !== undefined
        ? all.candidates.filter((candidate) => rankOf(candidate) === rankOf(best))
        : all.candidates
  const candidates = picked.slice(0, maxCandidates)
  return { ...all, candidates, more: all.candidates.length - candidates.length }
}
