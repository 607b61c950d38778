/** Reads pages of all detail records as JSON. The search threads run it, because 10,000 records are about 30 MB. */
import type { DatabaseSync } from "node:sqlite"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import { joinDetail } from "../../../internal/records/joinDetail.ts"
import { inSnapshot } from "../database/sqlReads.ts"

type Row = readonly [id: number, others: Uint8Array | null, record: Uint8Array]

/** A page of the list, as the bytes of a JSON array. `last` is the number of its last record. */
export interface ListPage {
  readonly json: Uint8Array<ArrayBuffer>
  readonly last: number | undefined
}

/** Reads the list: a page by its number, or the records after one with a given `id`. */
export interface Reader {
  readonly page: (page: number, size: number, fields: ReadonlyArray<string>) => Uint8Array<ArrayBuffer>
  /** Each record has its number as `id` before its fields. */
  readonly after: (after: number, size: number, fields: ReadonlyArray<string>) => ListPage
}

/** Prepares reading on an open database. */
export const reader = (database: DatabaseSync): Reader => {
  const bounds = database.prepare("SELECT count(*) AS count, max(id) AS last FROM details")
  const fromRow = database.prepare("SELECT id, others, record FROM details WHERE id > ? ORDER BY id LIMIT ?")
  const rowAt = database.prepare("SELECT id FROM details ORDER BY id LIMIT 1 OFFSET ?")
  fromRow.setReturnArrays(true)
  return {
    page: (page, size, fields) =>
      inSnapshot(database, () => list(numberBefore(page, size), size, fields, (_, record) => record).json),
    after: (after, size, fields) => list(after, size, fields, withId)
  }

  function numberBefore(page: number, size: number): number {
    const { count, last } = bounds.get() as { readonly count: number; readonly last: number | null }
    const rows = (page - 1) * size
    // Numbers have gaps only for substances without a detail record.
    return count === last || rows === 0 ? rows : ((rowAt.get(rows - 1)?.["id"] ?? last ?? 0) as number)
  }

  function list(
    after: number,
    size: number,
    fields: ReadonlyArray<string>,
    toElement: (id: number, record: RawRecord.RawRecord) => RawRecord.RawRecord
  ): ListPage {
    const pick = RawProjection.picker(fields, { missing: "null" })
    const parts: Array<RawRecord.RawRecord> = []
    let last: number | undefined
    for (const row of fromRow.iterate(after, size)) {
      const [id, others, record] = row as unknown as Row
      const picked = Result.getOrThrow(pick(RawRecord.fromBytes(joinDetail({ record, others }))))
      parts.push(toElement(id, picked))
      last = id
    }
    return { json: RawRecord.fromElements(parts).bytes as Uint8Array<ArrayBuffer>, last }
  }
}

// Inserts `id` as the first field.
const withId = (id: number, record: RawRecord.RawRecord): RawRecord.RawRecord =>
  Result.getOrThrow(RawRecord.prepend(record, [["id", RawRecord.fromText(String(id))]]))
