/**
 * Makes the result of a row of the input from the outcome of its lookup, and words its note. `tables/ResolvedRows.ts` makes rows of a table
 * of it.
 */
import { IdentifierKind } from "@chemstream/api"
import { Result } from "effect"
import { absence, withSuggestions } from "../../runs/internal/missingMessages.ts"
import type { Outcome, Surplus } from "../../runs/Outcome.ts"
import type { Candidate } from "./candidate.ts"
import type { Resolution } from "./combineFindings.ts"
import * as RowEncoding from "./rowEncoding.ts"

/** The status of a row. */
export type Status = "found" | "ambiguous" | "conflict" | "missing" | "invalid" | "failed"

/** What the values of one row resolve to, with the candidates and the reason. */
export interface RowResult {
  /** The identifier as given. Several columns are joined with bars. */
  readonly input: string
  /** The line of the input, or the position of the value, from 1. */
  readonly line: number
  /** The kind of the identifier. Null: it has none. */
  readonly kind: IdentifierKind.Name | null
  readonly status: Status
  /**
   * What was repaired, why there is no candidate, or which similar names exist. In a row of several identifiers, it
   * names each one that confirms nothing, because it is unknown or invalid.
   */
  readonly note: string | null
  /** How the first damaged identifier of the row is read. Null: none is damaged. */
  readonly repair: string | null
  /** The substances that the row may mean, best rank first. A found row has one. */
  readonly candidates: ReadonlyArray<Candidate>
  /** The number of candidates left out. */
  readonly more: number
  /** The data of the caller (`Identifier`). */
  readonly carried?: unknown
}

/** The outcome of a row. */
export type RowOutcome = Exclude<Outcome<Resolution, { readonly message: string }>, Surplus>

/** Makes the result of a row, and words its note: what was read, repaired, left out, or not found. */
export const rowResult = (outcome: RowOutcome, options: RowEncoding.Columns): RowResult => {
  const text = outcome.given ?? outcome.id
  const cells = RowEncoding.cells(text, options)
  const readings = cells.flatMap(({ classified }) =>
    Result.isSuccess(classified) ? [...classified.success.first] : []
  )
  const repairs = readings.flatMap(({ note }) => note ?? [])
  const faults = cells.flatMap((cell) =>
    Result.isFailure(cell.classified) ? [RowEncoding.unconfirmed(cell, cell.classified.failure.message)] : []
  )
  // The reading that counts is the one whose note the resolution has, or else each of the first kind.
  const used = outcome._tag === "Found" ? outcome.records[0]?.notes : undefined
  const isUsed = ({ kind, note }: IdentifierKind.Reading): boolean =>
    used === undefined ? kind === readings[0]?.kind : note !== undefined && used.includes(note)
  const [repair = null] = cells.flatMap(({ classified }) => {
    const { first = [], otherwise = [] } = Result.isSuccess(classified) ? classified.success : {}
    const note = [...first, ...otherwise].find(isUsed)?.note
    return note?.startsWith("read as ") ? note : []
  })
  const base = {
    input: RowEncoding.displayText(text),
    repair,
    line: outcome.line,
    kind: readings[0]?.kind ?? null,
    candidates: [],
    more: 0,
    ...(outcome.carried === undefined ? {} : { carried: outcome.carried })
  }
  switch (outcome._tag) {
    case "Found": {
      const [{ candidates, kind, more, notes, status }] = outcome.records as [Resolution]
      const count = more > 0 ? [`${more} more ${more === 1 ? "candidate" : "candidates"}`] : []
      if (more === 0 && status === "ambiguous") count.push(`${candidates.length} candidates`)
      const [only, ...others] = cells.length === 1 ? readings : []
      const reading =
        only !== undefined && others.length > 0 ? [`read as ${IdentifierKind.withArticle(kind)}`] : []
      return { ...base, kind, status, candidates, more, note: noteOf([...reading, ...notes, ...count]) }
    }
    case "Missing":
      return {
        ...base,
        status: "missing",
        note: noteOf([...repairs, ...faults, withSuggestions(absence(base.input), outcome.suggestions)])
      }
    case "Failed":
      return { ...base, status: "failed", note: outcome.error.message }
    case "Invalid":
      return { ...base, repair: null, status: "invalid", note: outcome.error.message }
  }
}

const noteOf = (notes: ReadonlyArray<string>): string | null =>
  notes.length === 0 ? null : [...new Set(notes)].join("; ")
