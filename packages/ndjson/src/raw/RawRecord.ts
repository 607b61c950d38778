/**
 * Reads one JSON value as a view over its bytes: fields, kinds, and the text as an NDJSON line. No object is built,
 * so numbers keep their digits and strings their escapes.
 *
 * Only top-level keys are addressed. The functions check the structure (quotes, brackets, colons, commas); `parse`
 * checks the whole grammar. `RawArray` cuts a body into records; `Ndjson` cuts lines.
 */
import * as Result from "effect/Result"
import { argument } from "../internal/argumentChecks.ts"
import { occurrences as occurrencesIn } from "../internal/byteSearch.ts"
import { decodeKey, decodeLenient } from "../internal/decodeText.ts"
import { OPEN_ARRAY, OPEN_OBJECT } from "../internal/jsonBytes.ts"
import { breaksLine, compact } from "./internal/compactJson.ts"
import { faultOf, fieldSpans, findField, match } from "./internal/fieldSpans.ts"
import { refuse } from "./internal/rawError.ts"
import { bytesOf, check, RawRecord, toBytes } from "./internal/rawRecordClass.ts"
import type { Contents, Entry, Field, Value } from "./internal/recordTypes.ts"
import { scalarAt } from "./internal/scalarValue.ts"
import { kindAt } from "./internal/valueKind.ts"
import type { RawJsonError } from "./RawJsonError.ts"

export { check, isRawRecord, parse, RawRecord, toBytes, toText } from "./internal/rawRecordClass.ts"
export { fromElements, fromFields, omit, type PickOptions, pick, prepend } from "./internal/recordEdit.ts"
export type { Contents, Entry, Field, HasField, Kind, Value } from "./internal/recordTypes.ts"

const encoder = new TextEncoder()

/** Makes the record with the text `bytes[start, end)`. Checks nothing, copies nothing. */
export const make = <A = unknown>(bytes: Uint8Array, start: number, end: number): RawRecord<A> =>
  new RawRecord(bytes, start, end)

/** Makes the record with the text `bytes`. Checks nothing, copies nothing. */
export const fromBytes = <A = unknown>(bytes: Uint8Array): RawRecord<A> =>
  new RawRecord(argument("bytes", "a Uint8Array", bytes), 0, bytes.length)

/** Makes the record of a JSON text. Checks nothing. */
export const fromText = <A = unknown>(text: string): RawRecord<A> => fromBytes(encoder.encode(text))

/**
 * Counts the occurrences of a text in the bytes, in keys and values. Parses nothing. Throws `InvalidOption` for an empty text.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * const body = RawRecord.fromText('[{"id":1},{"id":2,"of":"id"}]')
 * RawRecord.occurrences(body, '"id":') // => 2
 * ```
 */
export const occurrences = (record: RawRecord, text: string): number =>
  occurrencesIn(
    bytesOf(record),
    encoder.encode(argument("text", "a text that is not empty", text)),
    record.start,
    record.end
  )

/**
 * Returns the value of a top-level key. A string (with decoded escapes), number, boolean or null is the value itself;
 * an array or object is a `RawRecord`. Of duplicate keys the last value counts, as in `JSON.parse`.
 *
 * Undefined: the record lacks the key, is not an object, or is malformed; `entries` and `parse` tell these apart. A
 * number is the nearest double; `entries` gives its digits. If the type of the record is known, the key must be one
 * of its fields. To read another field, drop the type: `const any: RawRecord.RawRecord = record`.
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
  const bytes = bytesOf(record)
  if (findField(bytes, record.start, record.end, key) !== true) return undefined
  const { end, start } = match
  const first = bytes[start]
  return first === OPEN_OBJECT || first === OPEN_ARRAY
    ? new RawRecord(bytes, start, end)
    : scalarAt(bytes, start, end)
}

/**
 * Returns the top-level fields of an object in the order of the text, with duplicate keys.
 *
 * Fails with `not-an-object`, or with the reason and offset of the first malformed part.
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
  const bytes = bytesOf(record)
  const fields = fieldSpans(bytes, record.start, record.end)
  if (!Array.isArray(fields)) return refuse(record, fields)
  const out: Array<Entry> = []
  // Four positions for each field: start and end of its key, start and end of its value.
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
 * Returns the bytes of one NDJSON line, without its newline. A text without a line break is a view; any other text is
 * a copy without the white space between tokens. Strings and numbers keep their text.
 *
 * The result never has a CR or LF, even if the text is not JSON: a line break inside a string becomes its escape.
 */
export const toLine = (record: RawRecord): Uint8Array =>
  breaksLine(bytesOf(record), record.start, record.end)
    ? compact(record.bytes, record.start, record.end)
    : toBytes(record)

/**
 * Returns a record as the text of one NDJSON line, to keep it beside other values. A text that is not valid JSON becomes a JSON string.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 *
 * RawRecord.toJson(RawRecord.fromText('{"mass": 3850.0}')) // => '{"mass": 3850.0}'
 * RawRecord.toJson(RawRecord.fromText('{"mass": 03}')) // => '"{\\"mass\\": 03}"'
 * ```
 */
export const toJson = (record: RawRecord): string => {
  const line = toLine(record)
  const text = decodeLenient(line, 0, line.length)
  return Result.isSuccess(check(record)) ? text : JSON.stringify(text)
}
