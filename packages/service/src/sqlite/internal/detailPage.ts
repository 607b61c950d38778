/**
 * A page of all detail records, as JSON: loaded by the search threads, as a page of 10,000 records is some 30 MB to walk
 * over.
 */
import type { DatabaseSync } from "node:sqlite"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import { whole } from "../../internal/storedDetail.ts"

type Row = readonly [Uint8Array | null, Uint8Array]

/** Makes the bytes of the array of some fields of the records of a page. */
export const reader = (
  database: DatabaseSync
): ((page: number, size: number, fields: ReadonlyArray<string>) => Uint8Array<ArrayBuffer>) => {
  const bounds = database.prepare("SELECT count(*) AS count, max(id) AS last FROM details")
  const fromRow = database.prepare("SELECT others, record FROM details WHERE id > ? ORDER BY id LIMIT ?")
  const rowAt = database.prepare("SELECT id FROM details ORDER BY id LIMIT 1 OFFSET ?")
  fromRow.setReturnArrays(true)
  return (page, size, fields) => {
    const { count, last } = bounds.get() as { readonly count: number; readonly last: number | null }
    const before = (page - 1) * size
    // Numbers are given without gaps, unless there are synonyms of substances without a detail record.
    const after =
      count === last || before === 0 ? before : ((rowAt.get(before - 1)?.["id"] ?? last ?? 0) as number)
    const pick = RawProjection.picker(fields, { missing: "null" })
    const parts: Array<Uint8Array> = []
    let length = 1
    for (const row of fromRow.iterate(after, size)) {
      const [others, record] = row as unknown as Row
      const text = RawRecord.toBytes(Result.getOrThrow(pick(RawRecord.fromBytes(whole({ record, others })))))
      parts.push(text)
      length += text.length + 1
    }
    const bytes = new Uint8Array(Math.max(length, 2))
    bytes[0] = 0x5b // [
    let end = 1
    for (const part of parts) {
      if (end > 1) bytes[end++] = 0x2c // ,
      bytes.set(part, end)
      end += part.length
    }
    bytes[end] = 0x5d // ]
    return bytes
  }
}
