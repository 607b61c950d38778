/**
 * What the identifiers of a row mean together: one substance, several, or two that contradict each other.
 *
 * Ambiguity is never resolved silently: a choice keeps the status, and says how many candidates it leaves out.
 */
import type { IdentifierKind } from "@chemstream/api"
import { type Candidate, distinct, identity, rankOf } from "./candidate.ts"

/** What is done about several candidates: keep all, those of the best rank, or none. */
export type Pick = "all" | "best" | "unique"

/** The meaning of a row for which at least one candidate was found. */
export interface Resolution {
  readonly status: "found" | "ambiguous" | "conflict"
  /** What the identifier that counts was read as. */
  readonly kind: IdentifierKind.Name
  /** The candidates that `pick` and `maxCandidates` keep, best rank first. None of an ambiguous row with `unique`. */
  readonly candidates: ReadonlyArray<Candidate>
  /** How many more there are. */
  readonly more: number
  /** What was repaired, narrowed or left out, for people. */
  readonly notes: ReadonlyArray<string>
}

/** What was found for one identifier of a row. */
export interface Cell {
  /** What people call it: its column, or its text. */
  readonly label: string
  readonly candidates: ReadonlyArray<Candidate>
  readonly notes: ReadonlyArray<string>
}

/** How the candidates of a row are chosen. */
export interface Choice {
  readonly pick: Pick
  readonly maxCandidates: number
}

/** The meaning of a row, whose identifiers stand in order of preference. Undefined where none of them is known. */
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
      return chosen(
        { status: "conflict", kind, candidates, notes: [...notes, note] },
        { maxCandidates, pick }
      )
    }
    if (both.length < common.length) notes.push(`narrowed from ${common.length} candidates by ${other.label}`)
    common = both
  }
  const status = common.length === 1 ? "found" : "ambiguous"
  return chosen({ status, kind, candidates: common, notes }, { maxCandidates, pick })
}

const chosen = (all: Omit<Resolution, "more">, { maxCandidates, pick }: Choice): Resolution => {
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
