/**
 * What the transforms need of a record, be it an object or a raw record: its kind, its fields, a rough size.
 *
 * Objects are read by their own properties only, and `__proto__` is a field like any other.
 */
import * as Result from "effect/Result"
import { faultOf, findField, match } from "../../raw/internal/fields.ts"
import type { Fault } from "../../raw/internal/grammar.ts"
import { refuse } from "../../raw/internal/rawError.ts"
import { kindAt, scalarAt } from "../../raw/internal/value.ts"
import * as RawRecord from "../../raw/RawRecord.ts"
import { TransformError } from "./transformError.ts"

/** The names of a record's fields: any text for a raw record whose type is not known. */
export type Field<A> = A extends RawRecord.RawRecord<infer V> ? RawRecord.Field<V> : keyof A & string

/** What a field holds: for a raw record what `RawRecord.value` gives. */
export type Value<A, F> =
  A extends RawRecord.RawRecord<infer V> ? RawRecord.Value<V, F> : F extends keyof A ? A[F] : never

/** The same type, written out. */
export type Simple<T> = { [K in keyof T]: T[K] } & {}

/** The value that a raw record has the text of; any other value as it is. */
export type Parsed<V> = V extends RawRecord.RawRecord<infer A> ? A : V

/**
 * Whether a record is raw. Looks at the bytes too: the mark alone could be a key of somebody's JSON.
 */
export const isRaw = (record: unknown): record is RawRecord.RawRecord =>
  RawRecord.isRawRecord(record) && record.bytes instanceof Uint8Array

/** Whether a value is an object of the kind `JSON.parse` makes. */
export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The value of an own field, else `undefined`. */
export const ownValue = (record: object, field: string): unknown =>
  Object.hasOwn(record, field) ? (record as Record<string, unknown>)[field] : undefined

/** Sets a field; an assignment to `__proto__` would change the prototype instead. */
export const setField = (record: Record<string, unknown>, field: string, value: unknown): void => {
  if (field === "__proto__") {
    Object.defineProperty(record, field, { value, writable: true, enumerable: true, configurable: true })
  } else record[field] = value
}

/** The error of a raw record that cannot be read. */
export const malformedRecord = (
  transform: string,
  index: number | undefined,
  cause: { readonly message: string }
): TransformError =>
  new TransformError({
    reason: "malformed",
    transform,
    index,
    cause,
    message: `${transform}: record ${index ?? "from a temporary file"} cannot be read. ${cause.message}`
  })

/** `malformed`, from what is wrong with the text. */
export const unreadableRecord = (
  transform: string,
  index: number | undefined,
  record: RawRecord.RawRecord,
  fault: Fault
): TransformError => malformedRecord(transform, index, Result.getOrThrow(Result.flip(refuse(record, fault))))

/** What a field of a record holds, or why it cannot be read. */
export const fieldValue = (
  transform: string,
  record: unknown,
  index: number,
  field: string
): { readonly value: unknown } | TransformError => {
  if (!isRaw(record)) return { value: ownValue(record as object, field) }
  const { bytes, start, end } = record
  const isFound = findField(bytes, start, end, field)
  if (typeof isFound !== "boolean") return unreadableRecord(transform, index, record, isFound)
  if (!isFound) return { value: undefined }
  const { end: valueEnd, start: valueStart } = match
  const kind = kindAt(bytes[valueStart] as number)
  if (kind === "array" || kind === "object") return { value: RawRecord.make(bytes, valueStart, valueEnd) }
  const value = scalarAt(bytes, valueStart, valueEnd)
  return value === undefined
    ? unreadableRecord(transform, index, record, faultOf(bytes, start, end))
    : { value }
}

// Bytes of bookkeeping for a record, a field or an item that is held in memory.
const OVERHEAD = 64

// What is nested more deeply is not followed: it may contain itself.
const MAX_DEPTH = 10_000

/** What a record costs in memory, and whether JSON text gives it back as it is. */
export interface Weight {
  /** About the bytes of its text, and 64 for each field, item and the record itself. */
  readonly bytes: number
  /** `exact`: it comes back; `negative-zero`: it does if `-0` is written with its sign; `lossy`: it does not. */
  readonly text: "exact" | "negative-zero" | "lossy"
}

/** Weighs a record without building its text. */
export const weigh = (record: unknown): Weight => {
  if (isRaw(record)) return { bytes: record.end - record.start + OVERHEAD, text: "exact" }
  let bytes = 0
  let text: Weight["text"] = "exact"
  const values: Array<unknown> = [record]
  const depths: Array<number> = [0]
  while (values.length > 0) {
    const value = values.pop()
    const depth = depths.pop() as number
    bytes += OVERHEAD
    if (typeof value === "string") bytes += value.length
    else if (typeof value === "number") {
      if (!Number.isFinite(value)) text = "lossy"
      else if (Object.is(value, -0) && text === "exact") text = "negative-zero"
    } else if (typeof value === "object" && value !== null) {
      if (depth === MAX_DEPTH) return { bytes, text: "lossy" }
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) {
          values.push(value[i])
          depths.push(depth + 1)
        }
      } else {
        if (!isPlain(value) || hasToJson(value)) text = "lossy"
        for (const key of Object.keys(value)) {
          bytes += key.length
          values.push(ownValue(value, key))
          depths.push(depth + 1)
        }
      }
    } else if (typeof value !== "boolean" && value !== null) text = "lossy"
  }
  return { bytes, text }
}

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === "function"
