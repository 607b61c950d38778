/** Defines the class of raw records, and the functions on the whole text: text, bytes, `parse` and `check`. */
import * as Result from "effect/Result"
import { InvalidOption } from "../../InvalidOption.ts"
import { decodeLenient, decodeStrict, invalidUtf8At } from "../../internal/decodeText.ts"
import type { RawJsonError } from "../RawJsonError.ts"
import { type Fault, check as firstFault } from "./jsonGrammar.ts"
import { refuse } from "./rawError.ts"

const TypeId = "~@chemstream/ndjson/RawRecord"

/**
 * The text of one JSON value: `bytes[start, end)`, with optional white space around it.
 *
 * It is a view: it keeps all of `bytes` in memory, and the bytes must not be changed. `JSON.stringify` of a record
 * parses the text and writes it again; `toText`, `toBytes` and `toLine` return the original text.
 *
 * `A` is the type of the value, if the source says so. It types `value` and `parse`, and checks nothing.
 */
export class RawRecord<out A = unknown> {
  /** The type of the value. It exists only for the compiler. */
  declare readonly "~value"?: A
  // Only declared, because an initialised field is written twice, and there are millions of records.
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

/** Whether a value is a `RawRecord`. */
export const isRawRecord = (u: unknown): u is RawRecord => typeof u === "object" && u !== null && TypeId in u

/** Returns the bytes of a record. Throws `InvalidOption` for another value. */
export const bytesOf = (record: RawRecord): Uint8Array => {
  const bytes = (record as RawRecord | null | undefined)?.bytes
  if (ArrayBuffer.isView(bytes)) return bytes
  throw new InvalidOption("record", "must be a RawRecord", record)
}

/** Returns the original text. Bytes that are not UTF-8 become U+FFFD. */
export const toText = (record: RawRecord): string => decodeLenient(bytesOf(record), record.start, record.end)

/** Returns the original bytes, without a copy. */
export const toBytes = (record: RawRecord): Uint8Array => bytesOf(record).subarray(record.start, record.end)

/**
 * Parses the text with `JSON.parse`.
 *
 * Fails with `invalid-utf8`, or with the reason and offset of the first fault (RFC 8259).
 */
export const parse = <A>(record: RawRecord<A>): Result.Result<A, RawJsonError> => {
  const bytes = bytesOf(record)
  let text: string
  try {
    text = decodeStrict(bytes, record.start, record.end)
  } catch {
    return notUtf8(record)
  }
  try {
    return Result.succeed(JSON.parse(text))
  } catch (cause) {
    return refuse(record, firstFault(bytes, record.start, record.end) ?? refusedByEngine(record, cause))
  }
}

/**
 * Checks that the text is one JSON value in UTF-8 (RFC 8259), with every number and escape. Builds nothing. Fails as
 * `parse` does.
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
  const bytes = bytesOf(record)
  try {
    decodeStrict(bytes, record.start, record.end)
  } catch {
    return notUtf8(record)
  }
  const fault = firstFault(bytes, record.start, record.end)
  return fault === undefined ? Result.void : refuse(record, fault)
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
