/**
 * The SQL of searches by formula, mass and MS-ready form. Runs in the search threads: an answer may be of any length.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { fold } from "./fold.ts"
import { compoundKind } from "./groups.ts"
import { arraysOf } from "./statements.ts"

/** Identifiers of substances, as the bytes of a JSON array. */
export interface Found {
  readonly count: number
  readonly json: Uint8Array<ArrayBuffer>
}

/** The questions, to be asked of an open database. */
export interface FormulaQueries {
  readonly byExactFormula: (formula: string) => Found
  readonly countByExactFormula: (formula: string) => number
  readonly msreadyByFormula: (formula: string) => Found
  readonly countByMsreadyFormula: (formula: string) => number
  readonly msreadyByDtxcid: (dtxcids: ReadonlyArray<string>) => ReadonlyArray<Found>
  readonly msreadyByMass: (
    ranges: ReadonlyArray<{ readonly start: number; readonly end: number }>
  ) => ReadonlyArray<Found>
}

export const queries = (database: DatabaseSync): FormulaQueries => {
  const arrays = arraysOf(database)
  // Put together by SQLite: an answer may have a million identifiers, which would be as many strings here.
  const list = (rows: string) => arrays(`SELECT count(*), group_concat(dtxsid, '","') FROM (${rows})`)
  const by = (column: string) => list(`SELECT dtxsid FROM substances WHERE ${column} = ? ORDER BY dtxsid`)
  const count = (column: string) => arrays(`SELECT count(*) FROM substances WHERE ${column} = ?`)
  const formula = by("formula")
  const formulas = count("formula")
  const msFormula = by("ms_formula")
  const msFormulas = count("ms_formula")
  const mass = list("SELECT dtxsid FROM substances WHERE ms_mass BETWEEN ? AND ? ORDER BY ms_mass, dtxsid")
  const form = list(
    `SELECT dtxsid FROM substances WHERE ms_smiles IN (
       SELECT ms_smiles FROM substances JOIN terms ON terms.substance = substances.id
       WHERE terms.kind = ${compoundKind} AND terms.term = ?
     ) ORDER BY dtxsid`
  )
  const countOf = (statement: StatementSync, value: string): number =>
    (statement.get(value) as unknown as readonly [number])[0]
  return {
    byExactFormula: (value) => found(formula.get(value)),
    countByExactFormula: (value) => countOf(formulas, value),
    msreadyByFormula: (value) => found(msFormula.get(value)),
    countByMsreadyFormula: (value) => countOf(msFormulas, value),
    msreadyByDtxcid: (dtxcids) => dtxcids.map((dtxcid) => found(form.get(fold(dtxcid)))),
    msreadyByMass: (ranges) => ranges.map(({ start, end }) => found(mass.get(start, end)))
  }
}

const encoder = new TextEncoder()

// An identifier has no character that JSON escapes.
const found = (row: unknown): Found => {
  const [count, dtxsids] = row as readonly [number, string | null]
  return { count, json: encoder.encode(dtxsids === null ? "[]" : `["${dtxsids}"]`) }
}
