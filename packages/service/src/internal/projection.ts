/**
 * What a projection leaves of a stored detail record, on its bytes: a number or string keeps its text.
 *
 * The default projection answers the record as it was imported, less the fields that the specification puts in others
 * only; so fields the specification does not name are kept. Every other projection is exactly its field set, in the
 * order of the specification, and a field that the record lacks is null (wire facts, Records).
 */
import { DetailProjection } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../Store.ts"

/** The text of a record in a projection. Throws where the stored text is not an object: a defect of the store. */
export const project = (
  stored: StoredRecord,
  projection: DetailProjection.DetailProjection = DetailProjection.defaultProjection
): Uint8Array => {
  const record = RawRecord.fromBytes(stored)
  const projected =
    projection === DetailProjection.defaultProjection
      ? RawRecord.omit(record, elsewhere)
      : RawRecord.pick(record, fieldNames[projection], { missing: "null" })
  return RawRecord.toBytes(Result.getOrThrow(projected))
}

/** The text of the array of some records in a projection. */
export const projectAll = (
  stored: ReadonlyArray<StoredRecord>,
  projection?: DetailProjection.DetailProjection
): Uint8Array => {
  const records = stored.map((record) => project(record, projection))
  let size = 2 + Math.max(records.length - 1, 0)
  for (const record of records) size += record.length
  const text = new Uint8Array(size)
  let end = 0
  text[end++] = 0x5b // [
  for (const record of records) {
    if (end > 1) text[end++] = 0x2c // ,
    text.set(record, end)
    end += record.length
  }
  text[end] = 0x5d // ]
  return text
}

const fieldNames = Object.fromEntries(
  DetailProjection.names.map((name) => [name, DetailProjection.fieldNames(name)])
) as Record<DetailProjection.DetailProjection, ReadonlyArray<string>>

const inDefault = new Set(fieldNames[DetailProjection.defaultProjection])

const elsewhere = Object.keys(DetailProjection.everyField).filter((field) => !inDefault.has(field))
