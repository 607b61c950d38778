/**
 * Reads the keys that records are compared by: one or several fields or functions, of an object or a raw record.
 *
 * A key is a scalar. `null`, `NaN` and an absent field mean "no key". Numbers of raw records are compared by all
 * digits. `sort/sortOrder.ts` orders keys.
 */

import { InvalidOption } from "../../InvalidOption.ts"
import { decodeStrict } from "../../internal/decodeText.ts"
import { faultOf, findField, match } from "../../raw/internal/fieldSpans.ts"
import { isScalar } from "../../raw/internal/jsonGrammar.ts"
import { scalarAt } from "../../raw/internal/scalarValue.ts"
import { kindAt } from "../../raw/internal/valueKind.ts"
import type * as RawRecord from "../../raw/RawRecord.ts"
import { type LongNumber, numberName, numberOf } from "./exactNumber.ts"
import { type Field, isRaw, ownValue, unreadableRecord } from "./recordFields.ts"
import { failure, type TransformError } from "./transformError.ts"

/** A key of a record. */
export type Key = string | number | boolean | null | undefined

/** A key by the name of a field or by a function of the record. */
export type By<A> = Field<A> | ((record: A) => Key)

/** One key, or several keys that are compared in this order. */
export type Keys<A> = By<A> | ReadonlyArray<By<A>>

/** A key in its compared form. Undefined: no key. */
export type Scalar = string | number | boolean | LongNumber | undefined

/** Prepares reading the keys of records. Returns one scalar for each key, or the error of the record. */
export const keyReader = <A>(
  transform: string,
  keys: Keys<A>
): ((record: A, index: number | undefined) => ReadonlyArray<Scalar> | TransformError) => {
  const all = (Array.isArray(keys) ? keys : [keys]) as ReadonlyArray<By<A>>
  if (all.length === 0)
    throw new InvalidOption(transform, "needs at least one field or function to compare by")
  return (record, index) => {
    const raw = isRaw(record) ? record : undefined
    const out: Array<Scalar> = []
    for (const by of all) {
      let scalar: Scalar | typeof NOT_JSON | typeof NOT_SCALAR
      if (typeof by === "function") scalar = scalarOf(by(record))
      else if (raw === undefined) scalar = scalarOf(ownValue(record as object, by))
      else {
        const isFound = findField(raw.bytes, raw.start, raw.end, by)
        if (typeof isFound !== "boolean") return unreadableRecord(transform, index, raw, isFound)
        scalar = isFound ? rawScalar(raw.bytes, match.start, match.end) : undefined
      }
      if (scalar === NOT_JSON) {
        const { bytes, start, end } = raw as RawRecord.RawRecord
        return unreadableRecord(transform, index, raw as RawRecord.RawRecord, faultOf(bytes, start, end))
      }
      if (scalar === NOT_SCALAR) return notAKey(transform, index, typeof by === "string" ? by : undefined)
      out.push(scalar)
    }
    return out
  }
}

/** Returns a text that is equal only for equal keys. Undefined: every part has no key. */
export const keyName = (scalars: ReadonlyArray<Scalar>): string | undefined => {
  if (scalars.length === 1) return scalars[0] === undefined ? undefined : nameOf(scalars[0])
  if (scalars.every((scalar) => scalar === undefined)) return undefined
  return JSON.stringify(scalars.map((scalar) => (scalar === undefined ? null : nameOf(scalar))))
}

const nameOf = (scalar: Exclude<Scalar, undefined>): string => {
  if (typeof scalar === "string") return `s${scalar}`
  if (typeof scalar === "boolean") return `b${scalar}`
  return `n${numberName(scalar)}`
}

const NOT_SCALAR = Symbol("not a scalar")
const NOT_JSON = Symbol("not JSON")

/** Returns the compared form of a value. */
export const scalarOf = (value: unknown): Scalar | typeof NOT_SCALAR => {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value
    case "number":
      return Number.isNaN(value) ? undefined : value
    default:
      return value === null ? undefined : NOT_SCALAR
  }
}

const rawScalar = (
  bytes: Uint8Array,
  start: number,
  end: number
): Scalar | typeof NOT_SCALAR | typeof NOT_JSON => {
  const kind = kindAt(bytes[start] as number)
  if (kind === "array" || kind === "object") return NOT_SCALAR
  if (kind === "number")
    return isScalar(bytes, start, end) ? numberOf(decodeStrict(bytes, start, end)) : NOT_JSON
  const value = scalarAt(bytes, start, end)
  return value === undefined ? NOT_JSON : (value ?? undefined)
}

const notAKey = (transform: string, index: number | undefined, field: string | undefined): TransformError => {
  const what = field === undefined ? "the function's result" : `field ${JSON.stringify(field)}`
  return failure(
    transform,
    "not-a-key",
    `${what} of record ${index ?? "from a temporary file"} is not a string, number, boolean or null. Compare by another field, or by a function`,
    { index, field }
  )
}
