/**
 * Reads the records of a batch page by page. A page may have records of several values, or some of one.
 *
 * Each page reads its own snapshot, so no transaction stays open between pages. If the database has changed since the
 * previous page, the page fails: a response never mixes two states.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { type Cursor, type Page, type StoredRecord, StoreError, start } from "../../../Store.ts"
import { arraysOf, inSnapshot } from "./sqlReads.ts"

/** The size of a page, in bytes: small, because reading a page blocks the thread. */
export const pageBytes: number = 256 * 1024

/** The number of a record and the record. The number is the sort key within a value. */
type Row = readonly [number, StoredRecord]

/** Reads a page of a database; see `page`. */
export const pager = (file: string, database: DatabaseSync) => {
  const version = arraysOf(database)("PRAGMA data_version")
  return (select: StatementSync, values: ReadonlyArray<string | number>, from: Cursor): Page =>
    inSnapshot(database, () => {
      const [now] = version.get() as unknown as readonly [number]
      if (from.version !== undefined && from.version !== now) {
        throw new StoreError({
          database: file,
          reason: "changed",
          message: `An import changed the database ${file} during a long response. Send the request again.`
        })
      }
      const { next, records } = page(select, values, from)
      return { records, next: next === undefined ? undefined : { ...next, version: now } }
    })
}

/**
 * Reads a page.
 *
 * The statement returns arrays of number and record. Its parameters are a value and a number: it selects the records
 * of the value with larger numbers, in order.
 */
export const page = (
  select: StatementSync,
  values: ReadonlyArray<string | number>,
  from: Cursor,
  bytes: number = pageBytes
): Page => {
  const records: Array<StoredRecord> = []
  let size = 0
  let after = from.after
  const seen = new Set(values.slice(0, from.index))
  for (let index = from.index; index < values.length; index++) {
    const value = values[index] as string | number
    if (seen.has(value)) continue
    seen.add(value)
    for (const row of select.iterate(value, after)) {
      if (size >= bytes) return { records, next: { index, after } }
      const [number, record] = row as unknown as Row
      records.push(record)
      size += record.length
      after = number
    }
    after = start.after
  }
  return { records, next: undefined }
}
