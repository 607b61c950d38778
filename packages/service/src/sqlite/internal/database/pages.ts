/**
 * A batch of records read page by page: as many records as a page may have, whatever the values they belong to.
 *
 * Each page is a snapshot of its own, so nothing is held open between two of them, however slowly they are read. Where the
 * database has changed between two pages, the second one fails: an answer is of one moment, or breaks off.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { type Cursor, type Page, type StoredRecord, StoreError } from "../../../Store.ts"
import { arraysOf, inSnapshot } from "./statements.ts"

/** From how many bytes on a page is full: 256 KiB are read in less than a millisecond, during which nothing else runs. */
export const pageBytes: number = 256 * 1024

/** The number of a record, which orders the records of one value, and the record. */
type Row = readonly [number, StoredRecord]

/** Reads a page of a database: see `page`. */
export const pager = (file: string, database: DatabaseSync) => {
  const version = arraysOf(database)("PRAGMA data_version")
  return (select: StatementSync, values: ReadonlyArray<string | number>, from: Cursor): Page =>
    inSnapshot(database, () => {
      const [now] = version.get() as unknown as readonly [number]
      if (from.version !== undefined && from.version !== now) {
        throw new StoreError({
          database: file,
          reason: "changed",
          message: `An import has changed the database ${file} while a long response was read from it. The client has to send the request again.`
        })
      }
      const { next, records } = page(select, values, from)
      return { records, next: next === undefined ? undefined : { ...next, version: now } }
    })
}

/**
 * Reads a page. The statement selects the number and the record of those of a value (its first parameter) whose number
 * is above its second, in their order; it returns arrays.
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
