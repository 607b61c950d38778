/** Makes objects with fewer or more fields, and objects and lists of values, from the text of raw records. Values keep their text. */
import * as Result from "effect/Result"
import { argument } from "../../internal/argumentChecks.ts"
import { sameKey } from "../../internal/decodeText.ts"
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from "../../internal/jsonBytes.ts"
import type { RawJsonError } from "../RawJsonError.ts"
import { faultOf, fieldSpans, lastField } from "./fieldSpans.ts"
import { refuse } from "./rawError.ts"
import { bytesOf, RawRecord, toBytes } from "./rawRecordClass.ts"
import { skipSpace } from "./skipJson.ts"

const encoder = new TextEncoder()
const NULL = encoder.encode("null")

/** How `pick` treats a field that the record lacks: omit it, or write `null`. */
export interface PickOptions {
  readonly missing: "omit" | "null"
}

/**
 * Makes an object of exactly these fields, in this order. Each value keeps its text. A repeated name counts once; of
 * duplicate keys the last value counts. Fails as `entries` does.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const record = RawRecord.fromText('{"id": 1, "mass": 3850.0, "name": "x"}')
 * const picked = Result.getOrThrow(RawRecord.pick(record, ["mass", "casrn"], { missing: "null" }))
 * RawRecord.toText(picked) // => '{"mass":3850.0,"casrn":null}'
 * ```
 */
export const pick = (
  record: RawRecord,
  fields: ReadonlyArray<string>,
  options: PickOptions
): Result.Result<RawRecord, RawJsonError> => {
  const bytes = bytesOf(record)
  const writesNull = argument("options", "an object", options).missing === "null"
  argument("fields", "a list of texts", fields)
  const spans = fieldSpans(bytes, record.start, record.end)
  if (!Array.isArray(spans)) return refuse(record, spans)
  const out: Array<Member> = []
  for (let f = 0; f < fields.length; f++) {
    const field = fields[f] as string
    if (fields.indexOf(field) !== f) continue
    const k = lastField(bytes, spans, field)
    if (k >= 0) out.push(fieldAt(bytes, spans, k))
    else if (writesNull) out.push({ key: encoder.encode(JSON.stringify(field)), value: NULL })
  }
  return Result.succeed(objectOf(out))
}

/**
 * Makes an object without these fields. The others keep their order, and each value its text. Fails as `entries`
 * does.
 */
export const omit = (
  record: RawRecord,
  fields: ReadonlyArray<string>
): Result.Result<RawRecord, RawJsonError> => {
  argument("fields", "a list of texts", fields)
  const bytes = bytesOf(record)
  const spans = fieldSpans(bytes, record.start, record.end)
  if (!Array.isArray(spans)) return refuse(record, spans)
  const out: Array<Member> = []
  for (let k = 0; k < spans.length; k += 4) {
    const isNamed = fields.some((field) => sameKey(bytes, spans[k] as number, spans[k + 1] as number, field))
    if (!isNamed) out.push(fieldAt(bytes, spans, k))
  }
  return Result.succeed(objectOf(out))
}

/**
 * Makes an object with more fields before its own. Every value keeps its text. If the object already has a key, the
 * key occurs twice. Fails with `not-an-object`. Reads only the first bracket.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const record = RawRecord.fromText('{"mass":3850.0}')
 * const longer = Result.getOrThrow(RawRecord.prepend(record, [["id", RawRecord.fromText('"x"')]]))
 * RawRecord.toText(longer) // => '{"id":"x","mass":3850.0}'
 * ```
 */
export const prepend = (
  record: RawRecord,
  fields: ReadonlyArray<readonly [key: string, value: RawRecord]>
): Result.Result<RawRecord, RawJsonError> => {
  const bytes = bytesOf(record)
  const { end } = record
  const start = skipSpace(bytes, record.start, end)
  if (bytes[start] !== OPEN_OBJECT) return refuse(record, faultOf(bytes, record.start, end))
  if (argument("fields", "a list of pairs", fields).length === 0) return Result.succeed(record)
  const isEmpty = bytes[skipSpace(bytes, start + 1, end)] === CLOSE_OBJECT
  const front = fromFields(fields)
  const size = front.end - 1 + (isEmpty ? 0 : 1)
  const out = new Uint8Array(size + end - start - 1)
  out.set(front.bytes.subarray(0, front.end - 1))
  if (!isEmpty) out[size - 1] = COMMA
  out.set(bytes.subarray(start + 1, end), size)
  return Result.succeed(new RawRecord(out, 0, out.length))
}

/**
 * Makes an object of values, each with its text.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const masses = RawRecord.fromElements([RawRecord.fromText("228.0"), RawRecord.fromText("null")])
 * RawRecord.toText(RawRecord.fromFields([["masses", masses]])) // => '{"masses":[228.0,null]}'
 * ```
 */
export const fromFields = (fields: ReadonlyArray<readonly [key: string, value: RawRecord]>): RawRecord =>
  objectOf(
    argument("fields", "a list of pairs", fields).map(([key, value]) => ({
      key: encoder.encode(JSON.stringify(key)),
      value: toBytes(value)
    }))
  )

/** Makes a list of values, each with its text. */
export const fromElements = (elements: ReadonlyArray<RawRecord>): RawRecord => {
  argument("elements", "a list of RawRecords", elements)
  const bytes = new Uint8Array(
    elements.reduce((size, { end, start }) => size + end - start, 1 + Math.max(elements.length, 1))
  )
  bytes[0] = OPEN_ARRAY
  let length = 1
  for (const element of elements) {
    if (length > 1) bytes[length++] = COMMA
    bytes.set(toBytes(element), length)
    length += element.end - element.start
  }
  bytes[length] = CLOSE_ARRAY
  return new RawRecord(bytes, 0, bytes.length)
}

interface Member {
  /** With its quotes. */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** Returns the field at an index of `fieldSpans`, which has four positions for each: of the key without quotes, and of the value. */
const fieldAt = (bytes: Uint8Array, spans: ReadonlyArray<number>, k: number): Member => ({
  key: bytes.subarray((spans[k] as number) - 1, (spans[k + 1] as number) + 1),
  value: bytes.subarray(spans[k + 2] as number, spans[k + 3] as number)
})

const objectOf = (fields: ReadonlyArray<Member>): RawRecord => {
  let size = 1 + Math.max(fields.length, 1)
  for (const field of fields) size += field.key.length + 1 + field.value.length
  const bytes = new Uint8Array(size)
  bytes[0] = OPEN_OBJECT
  let o = 1
  for (const field of fields) {
    if (o > 1) bytes[o++] = COMMA
    bytes.set(field.key, o)
    o += field.key.length
    bytes[o++] = COLON
    bytes.set(field.value, o)
    o += field.value.length
  }
  bytes[o] = CLOSE_OBJECT
  return new RawRecord(bytes, 0, size)
}
