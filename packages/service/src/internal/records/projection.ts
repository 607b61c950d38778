/**
 * What a projection leaves of a stored detail record, on its bytes: a number or string keeps its text.
 *
 * The default projection answers the record as it was imported, less the fields that the contract puts in others
 * only; so fields the contract does not name are kept. The store keeps these two parts apart, so the default costs
 * nothing. Any other projection has its own fields alone, in the documented order, and a field that the
 * record lacks is null (docs/service.md, section 5.1).
 */
import { DetailProjection } from "@chemstream/api"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredDetail } from "../../Store.ts"
import { whole } from "./storedDetail.ts"

/** The text of a record in a projection. Throws where the stored text is not an object: a defect of the store. */
export const project = (
  stored: StoredDetail,
  projection: DetailProjection.DetailProjection = DetailProjection.defaultProjection
): Uint8Array =>
  projection === DetailProjection.defaultProjection
    ? stored.record
    : RawRecord.toBytes(Result.getOrThrow(pickers[projection](RawRecord.fromBytes(whole(stored)))))

/** The text of the array of some records in a projection. */
export const projectAll = (
  stored: ReadonlyArray<StoredDetail>,
  projection?: DetailProjection.DetailProjection
): Uint8Array => {
  const records = stored.map((record) => project(record, projection))
  let size = 2 + Math.max(records.length - 1, 0)
  for (const record of records) size += record.length
  // All of it is written below.
  const text = Buffer.allocUnsafe(size)
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

/**
 * Divides a record into what the default projection answers and the rest. Throws `RawJsonError` where the text is not an
 * object.
 */
export const toStored = (record: RawRecord.RawRecord): StoredDetail => {
  const { named, rest } = Result.getOrThrow(split(record))
  const others = RawRecord.toBytes(named)
  return others.length === 2
    ? { record: RawRecord.toBytes(record), others: null }
    : { record: RawRecord.toBytes(rest), others }
}

const pickers = Object.fromEntries(
  DetailProjection.names.map((name) => [
    name,
    RawProjection.picker(DetailProjection.fieldNames(name), { missing: "null" })
  ])
) as Record<DetailProjection.DetailProjection, ReturnType<typeof RawProjection.picker>>

const inDefault = new Set(DetailProjection.fieldNames(DetailProjection.defaultProjection))

const split = RawProjection.splitter(
  Object.keys(DetailProjection.everyField).filter((field) => !inDefault.has(field))
)
