/**
 * The SQL of searches by formula, mass and MS-ready form. Runs in the search threads: a response may have as many
 * identifiers as are answered at most.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { arraysOf, inSnapshot } from "../database/statements.ts"
import { fold } from "../search/fold.ts"
import { compoundKind } from "../search/groups.ts"

/** Identifiers of substances, as the bytes of a JSON array; none when there are more than are answered. */
export interface Found {
  readonly json: Uint8Array<ArrayBuffer>
  readonly isTooLong: boolean
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

/** Prepares the questions; `most`: how many identifiers an answer has, of all its lists together. */
export const queries = (database: DatabaseSync, most: number): FormulaQueries => {
  const arrays = arraysOf(database)
  // Put together by SQLite: so many strings here would be garbage of megabytes.
  const list = (rows: string) =>
    arrays(
      `SELECT count(*), group_concat(dtxsid, '","') FROM (SELECT dtxsid FROM substances WHERE ${rows} LIMIT ?)`
    )
  const by = (column: string) => list(`${column} = ? ORDER BY dtxsid`)
  const count = (column: string) => arrays(`SELECT count(*) FROM substances WHERE ${column} = ?`)
  const formula = by("formula")
  const formulas = count("formula")
  const msFormula = by("ms_formula")
  const msFormulas = count("ms_formula")
  const mass = list("ms_mass BETWEEN ? AND ? ORDER BY ms_mass, dtxsid")
  const form = list(
    `ms_smiles IN (
       SELECT ms_smiles FROM substances JOIN terms ON terms.substance = substances.id
       WHERE terms.kind = ${compoundKind} AND terms.term = ?
     ) ORDER BY dtxsid`
  )
  const countOf = (statement: StatementSync, value: string): number =>
    (statement.get(value) as unknown as readonly [number])[0]
  // One list for each row of parameters. Where they get too long together, the last one says so.
  const lists = (
    statement: StatementSync,
    parameters: ReadonlyArray<ReadonlyArray<string | number>>
  ): ReadonlyArray<Found> =>
    inSnapshot(database, () => {
      const found: Array<Found> = []
      let room = most
      for (const values of parameters) {
        const [count, dtxsids] = statement.get(...values, room + 1) as unknown as readonly [
          number,
          string | null
        ]
        room -= count
        if (room < 0) return [...found, tooLong]
        // An identifier has no character that JSON escapes.
        found.push({ json: encoder.encode(dtxsids === null ? "[]" : `["${dtxsids}"]`), isTooLong: false })
      }
      return found
    })
  const one = (statement: StatementSync, value: string): Found => lists(statement, [[value]])[0] as Found
  return {
    byExactFormula: (value) => one(formula, value),
    countByExactFormula: (value) => countOf(formulas, value),
    msreadyByFormula: (value) => one(msFormula, value),
    countByMsreadyFormula: (value) => countOf(msFormulas, value),
    msreadyByDtxcid: (dtxcids) =>
      lists(
        form,
        dtxcids.map((dtxcid) => [fold(dtxcid)])
      ),
    msreadyByMass: (ranges) =>
      lists(
        mass,
        ranges.map(({ start, end }) => [start, end])
      )
  }
}

const encoder = new TextEncoder()

const tooLong: Found = { json: encoder.encode("[]"), isTooLong: true }
