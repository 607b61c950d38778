/**
 * Writes substances and detail records: the tables `substances` and `details`, and the index of names.
 *
 * `recordRows.ts` makes the rows of a record.
 */
import type { DatabaseSync } from "node:sqlite"
import type { DetailRow, SynonymRow } from "../database/recordRows.ts"
import { createSubstanceIndexes, dropSubstanceIndexes } from "../database/schema.ts"
import { groupNumbers } from "../search/nameGroups.ts"
import type { Names } from "../search/nameIndex.ts"

/** The writer. The caller has a transaction open. */
export interface Substances {
  /** Starts a transaction: discards the unfinished work of an earlier one. */
  readonly begin: () => void
  readonly putDetails: (rows: ReadonlyArray<DetailRow>) => void
  /** Indexes the names of synonym records. `recordWrites.ts` stores the records. */
  readonly putSynonyms: (rows: ReadonlyArray<SynonymRow>) => void
  /** Creates the indexes that a first import has dropped. */
  readonly finish: () => void
}

export const writer = (database: DatabaseSync, names: Names): Substances => {
  const find = database.prepare("SELECT id FROM substances WHERE dtxsid = ?")
  const anySubstance = database.prepare("SELECT 1 FROM substances LIMIT 1")
  const add = database.prepare("INSERT INTO substances (dtxsid) VALUES (?)")
  const upsert = database.prepare(
    `INSERT INTO substances (dtxsid, formula, ms_formula, ms_mass, ms_smiles) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (dtxsid) DO UPDATE SET
       formula = excluded.formula, ms_formula = excluded.ms_formula, ms_mass = excluded.ms_mass,
       ms_smiles = excluded.ms_smiles
     RETURNING id`
  )
  upsert.setReturnArrays(true)
  const insert = database.prepare("INSERT OR REPLACE INTO details (id, others, record) VALUES (?, ?, ?)")
  let lacksIndexes = false

  const dropIndexesIfEmpty = (): void => {
    if (lacksIndexes || anySubstance.get() !== undefined) return
    // A first import creates the indexes at its end. Random inserts into four growing trees would cost more than the
    // records.
    database.exec(dropSubstanceIndexes)
    lacksIndexes = true
  }

  return {
    begin: () => {
      lacksIndexes = false
    },
    putDetails: (rows) => {
      dropIndexesIfEmpty()
      for (const { dtxsid, formula, msFormula, msMass, msSmiles, identifiers, hit, ...row } of rows) {
        const [id] = upsert.get(dtxsid, formula, msFormula, msMass, msSmiles) as unknown as readonly [number]
        insert.run(id, row.others, row.record)
        names.put(groupNumbers.identifiers, id, identifiers)
        const hasNewFields = names.putHit(id, hit)
        names.put(groupNumbers.approved, id, hit.approved, hasNewFields)
      }
    },
    putSynonyms: (rows) => {
      dropIndexesIfEmpty()
      for (const { dtxsid, registry, valid, good, other } of rows) {
        const found = find.get(dtxsid)?.["id"]
        const id = found === undefined ? Number(add.run(dtxsid).lastInsertRowid) : (found as number)
        names.put(groupNumbers.registry, id, registry)
        names.put(groupNumbers.valid, id, valid)
        names.put(groupNumbers.good, id, good)
        names.put(groupNumbers.other, id, other)
      }
    },
    finish: () => {
      if (lacksIndexes) database.exec(createSubstanceIndexes)
      lacksIndexes = false
    }
  }
}
