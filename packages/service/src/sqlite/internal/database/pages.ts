/**
 * Reads the records of a batch page by page, however they are distributed over its values.
 *
 * Each page is a snapshot of its own, so no transaction stays open between pages. If the database has changed since
 * the previous page, the page fails: a response is of one moment, or is cut off.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { type Cursor, type Page, type StoredRecord, StoreError } from "../../../Store.ts"
import { arraysOf, inSnapshot } from "./statements.ts"

/** The size of a full page: 256 KiB, which take less than a millisecond to read and block the thread meanwhile. */
export const pageBytes: number = 256 * 1024

/** The number of a record, which sorts the records of one value, and the record. */
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
          message: `An import has changed the database ${file} while a long response was read from it. Send the request again.`
        })
      }
      const { next, records } = page(select, values, from)
      return { records, next: next === undefined ? undefined : { ...next, version: now } }
    })
}

/**
 * Reads a page.
 *
 * The statement selects number and record of the records of a value (first parameter) with a number above the
 * second parameter, in order; it returns arrays.
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
    after = 0
  }
  return { records, next: undefined }
}
