/**
 * Writes records by endpoint and key, and counts them. `recordQueries.ts` reads them. Imports few modules, because the writing thread
 * loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type { RecordEntry } from "../../../StoreWriter.ts"
import type { SynonymRow } from "../database/recordRows.ts"

/** The endpoint of synonyms, which searches by name also read. */
export const synonyms = "synonyms.byDtxsid"

/** The endpoint of AED data. */
export const aed = "bioactivity.aedByDtxsid"

/** Returns the entry of a synonym record. */
export const ofSynonyms = ({ dtxsid, record }: SynonymRow): RecordEntry => ({
  endpoint: synonyms,
  key: dtxsid,
  number: 0,
  record
})

/** The writes. The caller has a transaction open. */
export const writer = (
  database: DatabaseSync
): { readonly put: (entries: ReadonlyArray<RecordEntry>) => void } => {
  const insert = database.prepare(
    `INSERT INTO records VALUES (?, ?, ?, ?)
     ON CONFLICT (endpoint, key, number) DO UPDATE SET record = excluded.record`
  )
  const append = database.prepare(
    `INSERT INTO records SELECT ?1, ?2, 1 + coalesce(max(number), 0), ?3
     FROM records WHERE endpoint = ?1 AND key = ?2
     HAVING coalesce(max(record = ?3), 0) = 0`
  )
  return {
    put: (entries) => {
      for (const { endpoint, key, number, record } of entries) {
        if (number === undefined) append.run(endpoint, key, record)
        else insert.run(endpoint, key, number, record)
      }
    }
  }
}

/** Returns the number of records of an endpoint. */
export const count = (database: DatabaseSync, endpoint: string): number =>
  Number(database.prepare("SELECT count(*) AS n FROM records WHERE endpoint = ?").get(endpoint)?.["n"])

/** Returns the numbers of records by endpoint. */
export const counts = (database: DatabaseSync): Readonly<Record<string, number>> =>
  Object.fromEntries(
    database
      .prepare("SELECT endpoint, count(*) AS n FROM records GROUP BY endpoint")
      .all()
      .map(({ endpoint, n }) => [String(endpoint), Number(n)])
  )
