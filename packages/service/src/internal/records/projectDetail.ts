/**
 * Applies a projection to the bytes of a stored detail record. Numbers and strings keep their text.
 *
 * The default projection is the record as imported, with unknown fields, but without the fields that only other
 * projections have. The store keeps those fields apart, so the default projection costs nothing. Every other
 * projection has exactly its own fields in the documented order; a missing field is null (docs/service.md, section
 * 5.1).
 */
import { DetailProjection } from "@chemstream/api"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredDetail } from "../../Store.ts"
import { joinDetail } from "./joinDetail.ts"

/**
 * Returns the text of a record in a projection. Throws if the stored text is not an object: a defect of the store.
 */
export const project = (
  stored: StoredDetail,
  projection: DetailProjection.DetailProjection = DetailProjection.defaultProjection
): Uint8Array =>
  projection === DetailProjection.defaultProjection
    ? stored.record
    : RawRecord.toBytes(Result.getOrThrow(pickers[projection](RawRecord.fromBytes(joinDetail(stored)))))

/**
 * Splits a record into the default projection and the other fields. Throws `RawJsonError` if the text is not an
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
