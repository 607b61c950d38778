/**
 * Writes synonym records. `substances` writes their names. Imports few modules, because the writing thread loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type { SynonymRow } from "../database/rows.ts"

/** The writes. The caller has a transaction open. */
export interface Writes {
  readonly putSynonyms: (rows: ReadonlyArray<SynonymRow>) => void
}

export const writes = (database: DatabaseSync): Writes => {
  const insert = database.prepare(
    `INSERT INTO synonyms (dtxsid, record) VALUES (?, ?)
     ON CONFLICT (dtxsid) DO UPDATE SET record = excluded.record`
  )
  return {
    putSynonyms: (rows) => {
      for (const { dtxsid, record } of rows) insert.run(dtxsid, record)
    }
  }
}
