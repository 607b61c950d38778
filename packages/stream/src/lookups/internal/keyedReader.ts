/**
 * Reads responses to a batch: arrays of objects with their identifier in a field, e.g. `[{"dtxsid":"DTXSID7020182",…}]`.
 *
 * One pass cuts the body into raw records, and reads the identifier and the kinds of values of each record. Before an identifier
 * is called missing, the body is searched for records that damaged text hides. The client matches names and words
 * (`recordsByWord.ts`), because several spellings are one word.
 */
import type { Key } from "@chemstream/api"
import { Outcome as Core, Reconcile } from "@chemstream/batch"
import type { BodyReader } from "@chemstream/client"
import { RawRecord, RawShape } from "@chemstream/ndjson"
import { Result, type Schema } from "effect"
import { bodyFault, cutRecords } from "./jsonBody.ts"
import type { ResponseReader, ResponseRecords } from "./ResponseReader.ts"

type Raw = RawRecord.RawRecord

/** Reads an array of objects with their identifier in `field`. `schema` defines the kinds of the fields. */
export const keyedReader = <A>(
  field: string,
  toCanonical: (value: unknown) => string | undefined,
  schema: Schema.Schema<A>
): ResponseReader<A> => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  // Without the first quote, because a search for a quote stops at every string.
  const endOfField = JSON.stringify(field).slice(1)
  const matchRecords = (
    ids: ReadonlyArray<string>,
    read: ReadonlyArray<RawShape.Reading>
  ): Result.Result<ResponseRecords, BodyReader.BodyFault> => {
    const isRequested = Reconcile.requested(ids)
    const records: Array<Reconcile.Keyed<Raw>> = []
    const surplus: Array<Core.Surplus> = []
    // Whether a record was requested. Otherwise the response is to another request.
    let isExpected = read.length === 0
    for (const record of read) {
      // Most services keep the requested spelling.
      const received = record.key
      const isKnown = typeof received === "string" && isRequested(received)
      const key = isKnown ? received : toCanonical(received)
      if (key === undefined) {
        surplus.push(Core.surplus("unidentified", record))
        continue
      }
      isExpected ||= isKnown || isRequested(key)
      records.push({ key, record })
    }
    return isExpected
      ? Result.succeed({ records, surplus })
      : Result.fail({ path: field, reason: "no record has a requested identifier" })
  }
  return {
    read: (ids, validate) => (body) =>
      Result.flatMap(cutRecords(body, validate === "off" ? unchecked : shape), (cut) =>
        Result.flatMap(matchRecords(ids, cut), (read) =>
          !lacksAny(ids, read.records) || hidesNone(body, endOfField, cut.length)
            ? Result.succeed(read)
            : checkEach(cut, read)
        )
      ),
    schema,
    key: field
  }
}

/** Returns an identifier in the canonical spelling of `parse`, or as it is if it does not parse. Undefined: it is none. */
export const canonicalBy =
  (parse: Key.Key["parse"]) =>
  (value: unknown): string | undefined =>
    typeof value === "string" || typeof value === "number"
      ? Result.getOrElse(parse(String(value)), () => String(value))
      : undefined

/** Whether an identifier lacks a record. Avoids a set if the response is short or in the requested order. */
const lacksAny = (ids: ReadonlyArray<string>, records: ReadonlyArray<Reconcile.Keyed<unknown>>): boolean => {
  if (records.length < ids.length) return true
  if (ids.every((id, at) => id === records[at]?.key)) return false
  const read = new Set(records.map(({ key }) => key))
  return ids.some((id) => !read.has(id))
}

/**
 * Whether no record is hidden inside another one. A damaged quote hides the end of its record and the record
 * after it. The identifier field of the hidden record still occurs in the body, so the body has more such
 * fields than records.
 */
const hidesNone = (body: Uint8Array, endOfField: string, records: number): boolean =>
  RawRecord.occurrences(RawRecord.fromBytes(body), endOfField) === records

/** Checks the complete JSON text of each record, before an identifier is called missing. */
const checkEach = <A>(
  cut: ReadonlyArray<RawShape.Reading>,
  read: A
): Result.Result<A, BodyReader.BodyFault> => {
  for (const record of cut) {
    const checked = RawRecord.check(record)
    if (Result.isFailure(checked)) return Result.fail(bodyFault(checked.failure))
  }
  return Result.succeed(read)
}
