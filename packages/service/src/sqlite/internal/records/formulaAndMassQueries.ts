/**
 * The SQL of searches by formula, mass and MS-ready form (the neutral, desalted structure that a mass spectrum can show).
 *
 * The search threads run it, because a response may have many thousand identifiers.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { MassRange } from "@chemstream/api"
import { fold } from "@chemstream/api/NameForm"
import type { Identifiers } from "../../../Store.ts"
import { arraysOf, inSnapshot } from "../database/sqlReads.ts"
import { compoundKind } from "../search/nameGroups.ts"

/**
 * Identifiers of substances as the bytes of a JSON array. With `isTooLong`, there are more than the limit of a
 * response, and the array is empty.
 */
export interface IdentifierList extends Identifiers {
  readonly json: Uint8Array<ArrayBuffer>
}

/** The queries on an open database. */
export interface FormulaQueries {
  readonly byExactFormula: (formula: string) => IdentifierList
  readonly countByExactFormula: (formula: string) => number
  readonly msreadyByFormula: (formula: string) => IdentifierList
  readonly countByMsreadyFormula: (formula: string) => number
  readonly msreadyByDtxcid: (dtxcids: ReadonlyArray<string>) => ReadonlyArray<IdentifierList>
  readonly msreadyByMass: (ranges: ReadonlyArray<MassRange.MassRange>) => ReadonlyArray<IdentifierList>
}

/** Prepares the queries. All lists of a response together have at most `maxIdentifiers`. */
export const queries = (database: DatabaseSync, maxIdentifiers: number): FormulaQueries => {
  const arrays = arraysOf(database)
  // SQLite joins the identifiers. As strings they would be megabytes of garbage here.
  const list = (rows: string) =>
    arrays(
      `SELECT count(*), group_concat(dtxsid, '","') FROM (SELECT dtxsid FROM substances WHERE ${rows} LIMIT ?)`
    )
  const listBy = (column: string) => list(`${column} = ? ORDER BY dtxsid`)
  const countBy = (column: string) => arrays(`SELECT count(*) FROM substances WHERE ${column} = ?`)
  const formula = listBy("formula")
  const formulas = countBy("formula")
  const msFormula = listBy("ms_formula")
  const msFormulas = countBy("ms_formula")
  const mass = list("ms_mass BETWEEN ? AND ? ORDER BY ms_mass, dtxsid")
  const form = list(
    `ms_smiles IN (
       SELECT ms_smiles FROM substances JOIN terms ON terms.substance = substances.id
       WHERE terms.kind = ${compoundKind} AND terms.term = ?
     ) ORDER BY dtxsid`
  )
  // Returns a list for each row of parameters. If the lists together exceed the limit, the last one has `isTooLong`.
  const lists = <A>(
    statement: StatementSync,
    values: ReadonlyArray<A>,
    parametersOf: (value: A) => ReadonlyArray<string | number>
  ): ReadonlyArray<IdentifierList> =>
    inSnapshot(database, () => {
      const found: Array<IdentifierList> = []
      let remaining = maxIdentifiers
      for (const value of values) {
        const row: unknown = statement.get(...parametersOf(value), remaining + 1)
        const [count, dtxsids] = row as readonly [number, string | null]
        remaining -= count
        if (remaining < 0) return [...found, tooLong]
        // Identifiers have no characters that JSON escapes.
        found.push({ json: encoder.encode(dtxsids === null ? "[]" : `["${dtxsids}"]`), isTooLong: false })
      }
      return found
    })
  const one = (statement: StatementSync, value: string): IdentifierList =>
    lists(statement, [value], (parameter) => [parameter])[0] as IdentifierList
  return {
    byExactFormula: (value) => one(formula, value),
    countByExactFormula: (value) => countOf(formulas, value),
    msreadyByFormula: (value) => one(msFormula, value),
    countByMsreadyFormula: (value) => countOf(msFormulas, value),
    msreadyByDtxcid: (dtxcids) => lists(form, dtxcids, (dtxcid) => [fold(dtxcid)]),
    msreadyByMass: (ranges) => lists(mass, ranges, ({ start, end }) => [start, end])
  }
}

const countOf = (statement: StatementSync, value: string): number =>
  (statement.get(value) as unknown as readonly [number])[0]

const encoder = new TextEncoder()

const tooLong: IdentifierList = { json: encoder.encode("[]"), isTooLong: true }
