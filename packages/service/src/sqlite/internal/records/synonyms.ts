/** The SQL of synonym records. `synonymWrites` writes them, `nameSearch` finds substances by synonym. */
import type { DatabaseSync } from "node:sqlite"
import { Option } from "effect"
import type { StoredRecord, SynonymQueries } from "../../../Store.ts"
import { attempt } from "../database/attempt.ts"

type Row = readonly [StoredRecord]

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
