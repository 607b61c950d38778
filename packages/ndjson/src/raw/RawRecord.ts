/**
 * One JSON value as a view over bytes: the value of a key, the kinds of the fields, some of the fields, one line of
 * NDJSON, all from the text and without building the object, so that numbers keep their digits and strings their
 * escapes.
 *
 * Cutting a body into records is `RawArray`, cutting lines is `Ndjson`. Only top-level keys are addressed. Functions
 * check what they walk over (quotes, brackets, colons, commas), not the grammar inside nested values: `parse` does.
 */
import * as Result from "effect/Result"
import { OPEN_ARRAY, OPEN_OBJECT } from "../internal/ascii.ts"
import { occurrences as occurrencesIn } from "../internal/find.ts"
import { decodeKey } from "../internal/text.ts"
import { breaksLine, compact } from "./internal/compact.ts"
import { faultOf, fieldSpans, findField, match } from "./internal/fields.ts"
import { refuse } from "./internal/rawError.ts"
import type { Contents, Entry, Field, Kind, Value } from "./internal/recordTypes.ts"
import { RawRecord, toBytes } from "./internal/recordView.ts"
import { kindAt, scalarAt } from "./internal/value.ts"
import type { RawJsonError } from "./RawJsonError.ts"

export { omit, type PickOptions, pick, prepend } from "./internal/recordEdit.ts"
export type { Contents, Entry, Field, HasField, Kind, Value } from "./internal/recordTypes.ts"
export { check, isRawRecord, parse, RawRecord, toBytes, toText } from "./internal/recordView.ts"

const encoder = new TextEncoder()

/** The record whose text is `bytes[start, end)`; checks nothing, copies nothing. */
export const make = <A = unknown>(bytes: Uint8Array, start: number, end: number): RawRecord<A> =>
  new RawRecord(bytes, start, end)

/** The record whose text is all of `bytes`; checks nothing, copies nothing. */
export const fromBytes = <A = unknown>(bytes: Uint8Array): RawRecord<A> =>
  new RawRecord(bytes, 0, bytes.length)

/** The record of a JSON text; checks nothing. */
export const fromText = <A = unknown>(text: string): RawRecord<A> => fromBytes(encoder.encode(text))

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
  const { end, start } = match
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
    return refuse(record, faultOf(bytes, record.start, record.end))
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
    return refuse(record, faultOf(bytes, record.start, record.end))
  }
  return Result.succeed(out)
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
