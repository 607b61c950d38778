/**
 * The SQL of records by endpoint and key: the generic table. `recordWrites` writes them.
 *
 * Details and data records have tables of their own, because searches, masses, counts and summaries need them.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Contents, Counts, RecordQueries, StoredRecord } from "../../../Store.ts"
import { pager } from "../database/batchPages.ts"
import { attempt } from "../database/databaseErrors.ts"
import { arraysOf, inSnapshot } from "../database/sqlReads.ts"
import { count, counts } from "../writes/recordWrites.ts"

/** Returns the number of all records of a database. */
export const total = (database: DatabaseSync, { bioactivity, details }: Counts): number =>
  Object.values(counts(database)).reduce((sum, n) => sum + n, details + bioactivity)

// Jumps from name to name in the index, because databases have millions of records.
const endpointNames = `WITH RECURSIVE names (name) AS (
  SELECT min(endpoint) FROM records UNION ALL
  SELECT (SELECT min(endpoint) FROM records WHERE endpoint > name) FROM names WHERE name IS NOT NULL
) SELECT name FROM names WHERE name IS NOT NULL`

const contentsOf = (database: DatabaseSync): Contents => {
  const substances = Number(database.prepare("SELECT count(*) AS n FROM details").get()?.["n"])
  const hasData = database.prepare("SELECT 1 FROM bioactivity LIMIT 1").get() !== undefined
  return {
    substances,
    endpoints: [
      ...(substances > 0 ? ["details.byDtxsid"] : []),
      ...(hasData ? ["bioactivity.byDtxsid"] : []),
      ...database
        .prepare(endpointNames)
        .all()
        .map(({ name }) => String(name))
    ]
  }
}

export const queries = (file: string, database: DatabaseSync): RecordQueries => {
  const readPage = pager(file, database)
  const arrays = arraysOf(database)
  const statements = new Map<string, ReturnType<typeof arrays>>()
  const select = (endpoint: string): ReturnType<typeof arrays> => {
    // The name is a parameter of the statement in quotes, because the pager has two parameters.
    const statement =
      statements.get(endpoint) ??
      arrays(
        `SELECT number, record FROM records
         WHERE endpoint = '${endpoint.replaceAll("'", "''")}' AND key = ? AND number > ? ORDER BY number`
      )
    statements.set(endpoint, statement)
    return statement
  }
  const selectPage = arrays(
    "SELECT record FROM records WHERE endpoint = ? AND key = ? ORDER BY number LIMIT ? OFFSET ?"
  )
  const selectTotal = database.prepare("SELECT count(*) AS n FROM records WHERE endpoint = ? AND key = ?")
  return {
    recordPage: (endpoint, key, page, size) =>
      attempt(file, () =>
        inSnapshot(database, () => ({
          records: (
            selectPage.all(endpoint, key, size, (page - 1) * size) as unknown as ReadonlyArray<[StoredRecord]>
          ).map(([record]) => record),
          total: Number(selectTotal.get(endpoint, key)?.["n"])
        }))
      ),
    records: (endpoint, keys, from) => attempt(file, () => readPage(select(endpoint), keys, from)),
    recordCount: (endpoint) => attempt(file, () => inSnapshot(database, () => count(database, endpoint))),
    contents: () => attempt(file, () => inSnapshot(database, () => contentsOf(database)))
  }
}
