/**
 * How synonym records are written; their names are `substances`'. Loads as little as it can: the thread that writes loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type { SynonymRow } from "../database/rows.ts"

/** What is written, within a transaction of the caller's. */
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
