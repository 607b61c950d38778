/**
 * One JSON value as a view over bytes: the value of a key, the kinds of the fields, some of the fields, one line of
 * NDJSON, all from the text and without building the object, so that numbers keep their digits and strings their
 * escapes.
 *
 * Cutting a body into records is `RawArray`, cutting lines is `Ndjson`. Only top-level keys are addressed. Functions
 * check what they walk over (quotes, brackets, colons, commas), not the grammar inside nested values: `parse` does.
 */
import * as Result from "effect/Result"
import { CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from "../internal/ascii.ts"
import { occurrences as occurrencesIn } from "../internal/find.ts"
import { decodeKey, decodeLenient, decodeStrict, invalidUtf8At, sameKey } from "../internal/text.ts"
import { breaksLine, compact } from "./internal/compact.ts"
import { fieldSpans, findField, found, lastField, whyNot } from "./internal/fields.ts"
import { type Fault, check as firstFault } from "./internal/grammar.ts"
import { refuse } from "./internal/rawError.ts"
import { skipSpace } from "./internal/skip.ts"
import { kindAt, scalarAt, type Kind as ValueKind } from "./internal/value.ts"
import type { RawJsonError } from "./RawJsonError.ts"

const TypeId = "~@chemstream/ndjson/RawRecord"

const encoder = new TextEncoder()
const NULL = encoder.encode("null")

/**
 * The text of one JSON value: `bytes[start, end)`, white space around it allowed.
 *
 * A view: it keeps all of `bytes` alive, and the bytes must not be changed. `JSON.stringify` of a record gives the
 * value parsed and written again; `toText`, `toBytes` and `toLine` give the text as it was. `A` is the type of the value
 * where the source of the text says it: it types `value` and `parse`, and checks nothing.
 */
export class RawRecord<out A = unknown> {
  /** The type of the value. For the compiler alone: no record has it. */
  declare readonly "~value"?: A
  // Declared only: a field that is initialised first is written twice, and millions of records are made.
  declare readonly bytes: Uint8Array
  declare readonly start: number
  declare readonly end: number

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  get [TypeId](): typeof TypeId {
    return TypeId
  }

  toJSON(): A {
    return Result.getOrThrow(parse(this))
  }

  toString(): string {
    return toText(this)
  }
}

/** The kind of a JSON value, as its first byte tells. */
export type Kind = ValueKind

/** The names of the fields of a value of type `A`: any text where that is not known. */
export type Field<A> = A extends unknown
  ? unknown extends A
    ? string
    : A extends object
      ? keyof A & string
      : never
  : never

/** The type of the value of a record. */
export type Contents<R> = R extends RawRecord<infer A> ? A : never

/** What `value` gives of a field `F`: a scalar as it is, an array or object as a `RawRecord`. */
export type Value<A, F = string> = A extends unknown
  ? unknown extends A
    ? string | number | boolean | null | RawRecord | undefined
    : A extends object
      ? F extends keyof A
        ? Viewed<A[F]> | (A extends Read<F & string> ? never : undefined)
        : undefined
      : undefined
  : never

declare const known: unique symbol

/** A value whose field `F` was read before, so that it is there. For the compiler alone. */
export interface Read<F extends string> {
  readonly [known]: { readonly [K in F]: true }
}

type Viewed<V> = unknown extends V ? Value<unknown> : V extends object ? RawRecord<V> : V

/** One top-level field of an object: its key, escapes decoded, and its value as a view over the same bytes. */
export interface Entry {
  readonly key: string
  readonly kind: Kind
  readonly value: RawRecord
}

/** What `pick` does with a field the record does not have: leave it out, or write it as `null`. */
export interface PickOptions {
  readonly missing: "omit" | "null"
}

/** Whether a value is a `RawRecord`. */
export const isRawRecord = (u: unknown): u is RawRecord => typeof u === "object" && u !== null && TypeId in u

/** The record whose text is `bytes[start, end)`; checks nothing, copies nothing. */
export const make = <A = unknown>(bytes: Uint8Array, start: number, end: number): RawRecord<A> =>
  new RawRecord(bytes, start, end)

/** The record whose text is all of `bytes`; checks nothing, copies nothing. */
export const fromBytes = <A = unknown>(bytes: Uint8Array): RawRecord<A> =>
  new RawRecord(bytes, 0, bytes.length)

/** The record of a JSON text; checks nothing. */
export const fromText = <A = unknown>(text: string): RawRecord<A> => fromBytes(encoder.encode(text))

/** The text as it was. Bytes that are not UTF-8 show as U+FFFD. */
export const toText = (record: RawRecord): string => decodeLenient(record.bytes, record.start, record.end)

/**
 * Counts how often a text stands in the bytes, in keys and values alike, without parsing them.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const body = RawRecord.fromText('[{"id":1},{"id":2,"of":"id"}]')
 * RawRecord.occurrences(body, '"id":') // => 2
 * ```
 */
export const occurrences = ({ bytes, start, end }: RawRecord, text: string): number =>
  occurrencesIn(bytes, encoder.encode(text), start, end)

/** The bytes as they were, without a copy. */
export const toBytes = (record: RawRecord): Uint8Array => record.bytes.subarray(record.start, record.end)

/**
 * The value of the text, as `JSON.parse` makes it.
 *
 * Fails with `invalid-utf8`, or with the reason and offset of the first thing that is not JSON (RFC 8259).
 */
export const parse = <A>(record: RawRecord<A>): Result.Result<A, RawJsonError> => {
  let text: string
  try {
    text = decodeStrict(record.bytes, record.start, record.end)
  } catch {
    return notUtf8(record)
  }
  try {
    return Result.succeed(JSON.parse(text))
  } catch (cause) {
    return refuse(
      record,
      firstFault(record.bytes, record.start, record.end) ?? refusedByEngine(record, cause)
    )
  }
}

/**
 * Checks that the text is one JSON value in UTF-8 (RFC 8259), down to every number and escape, without building it,
 * so that it leaves nothing behind. Fails as `parse` does.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const checked = RawRecord.check(RawRecord.fromText('{"mass":01}'))
 * Result.isFailure(checked) && checked.failure.offset // => 9
 * ```
 */
export const check = (record: RawRecord): Result.Result<void, RawJsonError> => {
  try {
    decodeStrict(record.bytes, record.start, record.end)
  } catch {
    return notUtf8(record)
  }
  const fault = firstFault(record.bytes, record.start, record.end)
  return fault === undefined ? Result.void : refuse(record, fault)
}

/**
 * The value of a top-level key, one of those of the record's type where that is known: a string (escapes decoded), number, boolean or null, or a `RawRecord` for an array or
 * object. The last one where a key occurs twice, as `JSON.parse` has it.
 *
 * Undefined when the record does not have the key, is not an object, or is not well formed: use `entries` or `parse`
 * to tell why. A number is the nearest double; `entries` gives its digits. To read a field that a typed record is not said
 * to have, name the type away: `const any: RawRecord.RawRecord = record`.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const record = RawRecord.fromText('{"dtxsid":"DTXSID7020182","mass":228.11503,"links":[1,2]}')
 * RawRecord.value(record, "dtxsid") // => "DTXSID7020182"
 * RawRecord.value(record, "mass") // => 228.11503
 * String(RawRecord.value(record, "links")) // => "[1,2]"
 * RawRecord.value(record, "casrn") // => undefined
 * ```
 */
export const value = <R extends RawRecord, F extends string & Field<Contents<R>>>(
  record: R,
  key: F
): Value<Contents<R>, F> => read(record, key) as Value<Contents<R>, F>

const read = (record: RawRecord, key: string): Value<unknown> => {
  const { bytes } = record
  if (findField(bytes, record.start, record.end, key) !== true) return undefined
  const { end, start } = found
  const first = bytes[start]
  return first === OPEN_OBJECT || first === OPEN_ARRAY
    ? new RawRecord(bytes, start, end)
    : scalarAt(bytes, start, end)
}

/**
 * The top-level fields of an object in the order of the text, duplicate keys included.
 *
 * Fails with `not-an-object`, or with the reason and offset of what is not well formed.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const record = RawRecord.fromText('{"mass":3850.0,"name":null}')
 * const entries = Result.getOrThrow(RawRecord.entries(record))
 * entries.map((entry) => [entry.key, entry.kind, RawRecord.toText(entry.value)])
 * // => [["mass", "number", "3850.0"], ["name", "null", "null"]]
 * ```
 */
export const entries = (record: RawRecord): Result.Result<ReadonlyArray<Entry>, RawJsonError> => {
  const fields = fieldSpans(record.bytes, record.start, record.end)
  if (!Array.isArray(fields)) return refuse(record, fields)
  const { bytes } = record
  const out: Array<Entry> = []
  try {
    for (let k = 0; k < fields.length; k += 4) {
      const start = fields[k + 2] as number
      out.push({
        key: decodeKey(bytes, fields[k] as number, fields[k + 1] as number),
        kind: kindAt(bytes[start] as number),
        value: new RawRecord(bytes, start, fields[k + 3] as number)
      })
    }
  } catch {
    return refuse(record, whyNot(bytes, record.start, record.end))
  }
  return Result.succeed(out)
}

/**
 * The kind of the value of every top-level key: what a check for drift needs. Fails as `entries` does.
 */
export const kinds = (record: RawRecord): Result.Result<ReadonlyMap<string, Kind>, RawJsonError> => {
  const fields = fieldSpans(record.bytes, record.start, record.end)
  if (!Array.isArray(fields)) return refuse(record, fields)
  const { bytes } = record
  const out = new Map<string, Kind>()
  try {
    for (let k = 0; k < fields.length; k += 4) {
      const key = decodeKey(bytes, fields[k] as number, fields[k + 1] as number)
      out.set(key, kindAt(bytes[fields[k + 2] as number] as number))
    }
  } catch {
    return refuse(record, whyNot(bytes, record.start, record.end))
  }
  return Result.succeed(out)
}

/**
 * An object of exactly the fields named, in the order named, each value's text as it was. A name given twice counts
 * once; of a key that occurs twice the last value is taken. Fails as `entries` does.
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
  const spans = fieldSpans(record.bytes, record.start, record.end)
  if (!Array.isArray(spans)) return refuse(record, spans)
  const { bytes } = record
  const out: Array<Member> = []
  for (let f = 0; f < fields.length; f++) {
    const field = fields[f] as string
    if (fields.indexOf(field) !== f) continue
    const k = lastField(bytes, spans, field)
    if (k >= 0) out.push(fieldAt(bytes, spans, k))
    else if (options.missing === "null") out.push({ key: encoder.encode(JSON.stringify(field)), value: NULL })
  }
  return Result.succeed(object(out))
}

/**
 * The object without the fields named: the others in their own order, each value's text as it was. Fails as `entries`
 * does.
 */
export const omit = (
  record: RawRecord,
  fields: ReadonlyArray<string>
): Result.Result<RawRecord, RawJsonError> => {
  const spans = fieldSpans(record.bytes, record.start, record.end)
  if (!Array.isArray(spans)) return refuse(record, spans)
  const { bytes } = record
  const out: Array<Member> = []
  for (let k = 0; k < spans.length; k += 4) {
    const named = fields.some((field) => sameKey(bytes, spans[k] as number, spans[k + 1] as number, field))
    if (!named) out.push(fieldAt(bytes, spans, k))
  }
  return Result.succeed(object(out))
}

/**
 * The object with other fields in front of its own, the text of all of them as it was. A key that it has as well then
 * occurs twice. Fails with `not-an-object`; walks over nothing.
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
  const { bytes, end } = record
  const start = skipSpace(bytes, record.start, end)
  if (bytes[start] !== OPEN_OBJECT) return refuse(record, whyNot(bytes, record.start, end))
  if (fields.length === 0) return Result.succeed(record)
  const isEmpty = bytes[skipSpace(bytes, start + 1, end)] === CLOSE_OBJECT
  const own = fields.map(([key, value]) => ({
    key: encoder.encode(JSON.stringify(key)),
    value: toBytes(value)
  }))
  const front = object(own)
  const size = front.end - 1 + (isEmpty ? 0 : 1)
  const out = new Uint8Array(size + end - start - 1)
  out.set(front.bytes.subarray(0, front.end - 1))
  if (!isEmpty) out[size - 1] = COMMA
  out.set(bytes.subarray(start + 1, end), size)
  return Result.succeed(new RawRecord(out, 0, out.length))
}

/**
 * The bytes of one NDJSON line, without its newline: a view of the text as it was when it holds no line break, else a
 * copy without the white space between its tokens (strings and numbers keep their text).
 *
 * The result never holds a CR or LF, whatever the record: where a text is not JSON and has a line break inside a
 * string, its escape is written.
 */
export const toLine = (record: RawRecord): Uint8Array =>
  breaksLine(record.bytes, record.start, record.end)
    ? compact(record.bytes, record.start, record.end)
    : toBytes(record)

interface Member {
  /** With its quotes. */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

const fieldAt = (bytes: Uint8Array, spans: ReadonlyArray<number>, k: number): Member => ({
  key: bytes.subarray((spans[k] as number) - 1, (spans[k + 1] as number) + 1),
  value: bytes.subarray(spans[k + 2] as number, spans[k + 3] as number)
})

const object = (fields: ReadonlyArray<Member>): RawRecord => {
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

const refusedByEngine = (record: RawRecord, cause: unknown): Fault => ({
  reason: "unexpected-byte",
  index: record.start,
  detail: cause instanceof Error ? cause.message : String(cause)
})

const notUtf8 = (record: RawRecord): Result.Result<never, RawJsonError> => {
  const index = invalidUtf8At(record.bytes, record.start, record.end)
  return refuse(record, { reason: "invalid-utf8", index, detail: "the bytes are not UTF-8" })
}
