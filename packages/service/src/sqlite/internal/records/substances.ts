/**
 * Writes substances and detail records: `substances` with the values of formula and mass searches, `details`, and
 * the index of names.
 *
 * `rows` makes the rows of a record.
 */
import type { DatabaseSync } from "node:sqlite"
import type { DetailRow, SynonymRow } from "../database/rows.ts"
import { createSubstanceIndexes, dropSubstanceIndexes } from "../database/schema.ts"
import { group } from "../search/groups.ts"
import type { Names } from "../search/nameIndex.ts"

/** The write side, within a transaction of the caller. */
export interface Substances {
  /** Forgets the unfinished work of an earlier transaction. */
  readonly begin: () => void
  readonly putDetails: (rows: ReadonlyArray<DetailRow>) => void
  /** Indexes the names of synonym records. `synonyms` stores the records. */
  readonly putSynonyms: (rows: ReadonlyArray<SynonymRow>) => void
  /** Creates the indexes that a first import omits. */
  readonly finish: () => void
}

export const writer = (database: DatabaseSync, names: Names): Substances => {
  const find = database.prepare("SELECT id FROM substances WHERE dtxsid = ?")
  const any = database.prepare("SELECT 1 FROM substances LIMIT 1")
  const add = database.prepare("INSERT INTO substances (dtxsid) VALUES (?)")
  const describe = database.prepare(
    `INSERT INTO substances (dtxsid, formula, ms_formula, ms_mass, ms_smiles) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (dtxsid) DO UPDATE SET
       formula = excluded.formula, ms_formula = excluded.ms_formula, ms_mass = excluded.ms_mass,
       ms_smiles = excluded.ms_smiles
     RETURNING id`
  )
  describe.setReturnArrays(true)
  const insert = database.prepare("INSERT OR REPLACE INTO details (id, others, record) VALUES (?, ?, ?)")
  let unindexed = false

  const start = (): void => {
    if (unindexed || any.get() !== undefined) return
    // Sorted at the end: random inserts into four growing trees would cost more than the records themselves.
    database.exec(dropSubstanceIndexes)
    unindexed = true
  }

  return {
    begin: () => {
      unindexed = false
    },
    putDetails: (rows) => {
      start()
      for (const { dtxsid, formula, msFormula, msMass, msSmiles, identifiers, shown, ...row } of rows) {
        const [id] = describe.get(dtxsid, formula, msFormula, msMass, msSmiles) as unknown as readonly [
          number
        ]
        insert.run(id, row.others, row.record)
        names.put(group.identifiers, id, identifiers)
        const showsOther = names.show(id, shown)
        names.put(group.approved, id, shown.approved, showsOther)
      }
    },
    putSynonyms: (rows) => {
      start()
      for (const { dtxsid, registry, valid, good, other } of rows) {
        const found = find.get(dtxsid)?.["id"]
        const id = found === undefined ? Number(add.run(dtxsid).lastInsertRowid) : (found as number)
        names.put(group.registry, id, registry)
        names.put(group.valid, id, valid)
        names.put(group.good, id, good)
        names.put(group.other, id, other)
      }
    },
    finish: () => {
      if (unindexed) database.exec(createSubstanceIndexes)
      unindexed = false
    }
  }
}
