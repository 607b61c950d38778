/**
 * The SQL of synonym records. Finding substances by a synonym is `search`'s.
 */
import type { DatabaseSync } from "node:sqlite"
import { Option } from "effect"
import type { StoredRecord, SynonymQueries } from "../../Store.ts"
import type { SubstanceEntry } from "../../StoreWriter.ts"
import { attempt } from "./attempt.ts"

type Row = readonly [StoredRecord]

/** The layout: records as they were imported, byte for byte. */
export const layout = `CREATE TABLE synonyms (
     dtxsid TEXT NOT NULL UNIQUE,
     record BLOB NOT NULL
   ) STRICT`

export const queries = (file: string, database: DatabaseSync): SynonymQueries => {
  const select = database.prepare("SELECT record FROM synonyms WHERE dtxsid = ?")
  select.setReturnArrays(true)
  const selectAll = database.prepare(
    "SELECT record FROM synonyms WHERE dtxsid IN (SELECT value FROM json_each(?))"
  )
  selectAll.setReturnArrays(true)
  return {
    synonym: (dtxsid) =>
      attempt(file, () => {
        const row = select.get(dtxsid) as unknown as Row | undefined
        return row === undefined ? Option.none() : Option.some(row[0])
      }),
    synonyms: (dtxsids) =>
      attempt(file, () => selectAll.all(JSON.stringify(dtxsids)).map((row) => (row as unknown as Row)[0]))
  }
}

/** What is written, within a transaction of the caller's. */
export interface Writes {
  readonly putSynonyms: (entries: ReadonlyArray<SubstanceEntry>) => void
}

export const writes = (database: DatabaseSync): Writes => {
  const insert = database.prepare(
    `INSERT INTO synonyms (dtxsid, record) VALUES (?, ?)
     ON CONFLICT (dtxsid) DO UPDATE SET record = excluded.record`
  )
  return {
    putSynonyms: (entries) => {
      for (const { dtxsid, record } of entries) insert.run(dtxsid, record)
    }
  }
}
