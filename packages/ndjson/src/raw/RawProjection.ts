/**
 * Prepares functions that pick fields, read values or split objects, for many objects with about the same fields.
 * Each object is scanned once.
 *
 * For a few records, or fields that differ between records, use `RawRecord.pick` and `omit`.
 */
import * as Result from "effect/Result"
import { argument } from "../internal/argumentChecks.ts"
import { copyBytes } from "../internal/copyBytes.ts"
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT } from "../internal/jsonBytes.ts"
import { fieldSpans } from "./internal/fieldSpans.ts"
import { KeyTable } from "./internal/keyTable.ts"
import { refuse } from "./internal/rawError.ts"
import { bytesOf } from "./internal/rawRecordClass.ts"
import type { RawJsonError } from "./RawJsonError.ts"
import * as RawRecord from "./RawRecord.ts"

const encoder = new TextEncoder()
const NULL = encoder.encode("null")

/** The two objects of a `splitter`: the fields that it names, and the others. */
export interface Split {
  readonly named: RawRecord.RawRecord
  readonly rest: RawRecord.RawRecord
}

/** A record with the positions of its fields (`spansOf`). */
class IndexedRecord extends RawRecord.RawRecord {
  declare readonly spans: Array<number>
}

/**
 * Returns the same record with the positions of its fields, so that the functions of this module do not scan it
 * again. Use it to apply several of them to one record. Fails as `RawRecord.entries` does.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawProjection, RawRecord } from "@chemstream/ndjson"
 *
 * const read = RawProjection.reader(["id"])
 * const split = RawProjection.splitter(["mass"])
 * const record = Result.getOrThrow(RawProjection.index(RawRecord.fromText('{"id":1,"mass":3850.0}')))
 * Result.getOrThrow(read(record)).map((id) => id && RawRecord.toText(id)) // => ['1']
 * RawRecord.toText(Result.getOrThrow(split(record)).rest) // => '{"id":1}'
 * ```
 */
export const index = (record: RawRecord.RawRecord): Result.Result<RawRecord.RawRecord, RawJsonError> => {
  const spans = spansOf(record)
  const { bytes, start, end } = record
  return Array.isArray(spans)
    ? Result.succeed(Object.assign(new IndexedRecord(bytes, start, end), { spans }))
    : refuse(record, spans)
}

/** Returns four positions for each field: start and end of its key (without quotes), start and end of its value (`fieldSpans.ts`). */
const spansOf = (record: RawRecord.RawRecord): ReturnType<typeof fieldSpans> =>
  record instanceof IndexedRecord ? record.spans : fieldSpans(bytesOf(record), record.start, record.end)

/**
 * Prepares `RawRecord.pick` for many records. Each record is scanned once, for any number of fields. The result and
 * the errors are those of `pick`.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawProjection, RawRecord } from "@chemstream/ndjson"
 *
 * const pick = RawProjection.picker(["mass", "casrn"], { missing: "null" })
 * const picked = Result.getOrThrow(pick(RawRecord.fromText('{"id": 1, "mass": 3850.0}')))
 * RawRecord.toText(picked) // => '{"mass":3850.0,"casrn":null}'
 * ```
 */
export const picker = (
  fields: ReadonlyArray<string>,
  options: RawRecord.PickOptions
): ((record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, RawJsonError>) => {
  const names = new KeyTable(fields)
  const keys = names.keys.map((key) => encoder.encode(JSON.stringify(key)))
  const writesNull = argument("options", "an object", options).missing === "null"
  const positions = new Int32Array(names.keys.length)
  return (record) => {
    const spans = spansOf(record)
    if (!Array.isArray(spans)) return refuse(record, spans)
    const { bytes } = record
    positions.fill(-1)
    for (let k = 0; k < spans.length; k += 4) {
      const slot = names.find(bytes, spans[k] as number, spans[k + 1] as number)
      if (slot !== -1) positions[slot] = k
    }
    let size = 2
    for (let slot = 0; slot < positions.length; slot++) {
      const k = positions[slot] as number
      // Without the field: its quoted key, a colon, `null` and a comma.
      if (k >= 0) size += sizeOf(spans, k)
      else if (writesNull) size += (keys[slot] as Uint8Array).length + 6
    }
    const out = new Uint8Array(size)
    out[0] = OPEN_OBJECT
    let o = 1
    for (let slot = 0; slot < positions.length; slot++) {
      const k = positions[slot] as number
      if (k < 0 && !writesNull) continue
      if (o > 1) out[o++] = COMMA
      if (k >= 0) {
        o = copyBytes(bytes, (spans[k] as number) - 1, (spans[k + 1] as number) + 1, out, o)
        out[o++] = COLON
        o = copyBytes(bytes, spans[k + 2] as number, spans[k + 3] as number, out, o)
      } else {
        const key = keys[slot] as Uint8Array
        o = copyBytes(key, 0, key.length, out, o)
        out[o++] = COLON
        o = copyBytes(NULL, 0, 4, out, o)
      }
    }
    out[o++] = CLOSE_OBJECT
    return Result.succeed(RawRecord.make(out, 0, o))
  }
}

/**
 * Prepares reading the values of some fields. Returns them in the order of the fields, as views over the record.
 * Undefined: the record lacks the field. Of duplicate keys the last value counts. Fails as `entries` does.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawProjection, RawRecord } from "@chemstream/ndjson"
 *
 * const read = RawProjection.reader(["mass", "casrn"])
 * const [mass, casrn] = Result.getOrThrow(read(RawRecord.fromText('{"id": 1, "mass": 3850.0}')))
 * mass && RawRecord.toText(mass) // => '3850.0'
 * casrn // => undefined
 * ```
 */
export const reader = (
  fields: ReadonlyArray<string>
): ((
  record: RawRecord.RawRecord
) => Result.Result<ReadonlyArray<RawRecord.RawRecord | undefined>, RawJsonError>) => {
  const names = new KeyTable(fields)
  const order = fields.map((field) => names.keys.indexOf(field))
  return (record) => {
    const spans = spansOf(record)
    if (!Array.isArray(spans)) return refuse(record, spans)
    const { bytes } = record
    const values: Array<RawRecord.RawRecord | undefined> = names.keys.map(() => undefined)
    for (let k = 0; k < spans.length; k += 4) {
      const slot = names.find(bytes, spans[k] as number, spans[k + 1] as number)
      if (slot !== -1) values[slot] = RawRecord.make(bytes, spans[k + 2] as number, spans[k + 3] as number)
    }
    return Result.succeed(order.map((slot) => values[slot]))
  }
}

/**
 * Prepares splitting objects in two: the named fields, and the rest. Both keep the order of the text, and each value
 * its text. The rest is the same as the result of `omit`. Fails as `entries` does.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawProjection, RawRecord } from "@chemstream/ndjson"
 *
 * const split = RawProjection.splitter(["mass"])
 * const { named, rest } = Result.getOrThrow(split(RawRecord.fromText('{"id":1,"mass":3850.0}')))
 * RawRecord.toText(named) // => '{"mass":3850.0}'
 * RawRecord.toText(rest) // => '{"id":1}'
 * ```
 */
export const splitter = (
  fields: ReadonlyArray<string>
): ((record: RawRecord.RawRecord) => Result.Result<Split, RawJsonError>) => {
  const names = new KeyTable(fields)
  return (record) => {
    const spans = spansOf(record)
    if (!Array.isArray(spans)) return refuse(record, spans)
    const { bytes } = record
    const named: Array<number> = []
    const rest: Array<number> = []
    for (let k = 0; k < spans.length; k += 4) {
      const isNamed = names.find(bytes, spans[k] as number, spans[k + 1] as number) !== -1
      if (isNamed) named.push(k)
      else rest.push(k)
    }
    return Result.succeed({ named: objectOf(bytes, spans, named), rest: objectOf(bytes, spans, rest) })
  }
}

/** Makes the object of some fields. `fields` are their indexes in `spans`. */
const objectOf = (
  bytes: Uint8Array,
  spans: ReadonlyArray<number>,
  fields: ReadonlyArray<number>
): RawRecord.RawRecord => {
  let size = 2
  for (const k of fields) size += sizeOf(spans, k)
  const out = new Uint8Array(fields.length === 0 ? 2 : size - 1)
  out[0] = OPEN_OBJECT
  let o = 1
  for (let i = 0; i < fields.length; ) {
    if (i > 0) out[o++] = COMMA
    const first = fields[i] as number
    if (!isCompact(spans, first)) {
      o = copyBytes(bytes, (spans[first] as number) - 1, (spans[first + 1] as number) + 1, out, o)
      out[o++] = COLON
      o = copyBytes(bytes, spans[first + 2] as number, spans[first + 3] as number, out, o)
      i++
      continue
    }
    // Neighbouring fields without white space between them are copied as one piece. Most records have two or three
    // pieces.
    let last = first
    while (++i < fields.length && fields[i] === last + 4 && isAdjacent(spans, last, last + 4)) last += 4
    o = copyBytes(bytes, (spans[first] as number) - 1, spans[last + 3] as number, out, o)
  }
  out[o++] = CLOSE_OBJECT
  return RawRecord.make(out, 0, o)
}

// The number of bytes of a field: two quotes, its key, a colon, its value and a comma.
const sizeOf = (spans: ReadonlyArray<number>, k: number): number =>
  (spans[k + 1] as number) - (spans[k] as number) + (spans[k + 3] as number) - (spans[k + 2] as number) + 4

// Whether only a colon is between the key of a field and its value: its quote and the colon are two bytes.
const isCompact = (spans: ReadonlyArray<number>, k: number): boolean =>
  (spans[k + 2] as number) - (spans[k + 1] as number) === 2

// Whether only a comma is between a field and the next one, which is compact too: the comma and a quote are two bytes.
const isAdjacent = (spans: ReadonlyArray<number>, k: number, next: number): boolean =>
  (spans[next] as number) - (spans[k + 3] as number) === 2 && isCompact(spans, next)
