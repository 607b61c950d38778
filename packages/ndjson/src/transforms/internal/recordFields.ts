/**
 * Reads records for the transforms, objects and raw records alike: kind, fields, approximate size.
 *
 * Only own properties of objects count, and `__proto__` is an ordinary field.
 */
import * as Result from "effect/Result"
import { faultOf, findField, match } from "../../raw/internal/fieldSpans.ts"
import type { Fault } from "../../raw/internal/jsonGrammar.ts"
import { refuse } from "../../raw/internal/rawError.ts"
import { scalarAt } from "../../raw/internal/scalarValue.ts"
import { kindAt } from "../../raw/internal/valueKind.ts"
import * as RawRecord from "../../raw/RawRecord.ts"
import { failure, type TransformError } from "./transformError.ts"

/** The names of the fields of a record. Any text, if the type of a raw record is unknown. */
export type Field<A> = A extends RawRecord.RawRecord<infer V> ? RawRecord.Field<V> : keyof A & string

/** The type of the value of a field. For a raw record, as `RawRecord.value` returns it. */
export type Value<A, F> =
  A extends RawRecord.RawRecord<infer V> ? RawRecord.Value<V, F> : F extends keyof A ? A[F] : never

/** The same type, expanded for display. */
export type Simple<T> = { [K in keyof T]: T[K] } & {}

/** The type of the value of a raw record; any other type unchanged. */
export type Parsed<V> = V extends RawRecord.RawRecord<infer A> ? A : V

/** Whether a record is raw. Also checks the bytes, because a JSON object could have the key of the mark. */
export const isRaw = (record: unknown): record is RawRecord.RawRecord =>
  RawRecord.isRawRecord(record) && record.bytes instanceof Uint8Array

/** Whether a value is an object as `JSON.parse` makes it. */
export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns the value of an own field. Undefined: there is none. */
export const ownValue = (record: object, field: string): unknown =>
  Object.hasOwn(record, field) ? (record as Record<string, unknown>)[field] : undefined

/** Sets a field. Assigning `__proto__` would change the prototype. */
export const setField = (record: Record<string, unknown>, field: string, value: unknown): void => {
  if (field === "__proto__") {
    Object.defineProperty(record, field, { value, writable: true, enumerable: true, configurable: true })
  } else record[field] = value
}

/** Makes the error of a malformed raw record. */
export const malformedRecord = (
  transform: string,
  index: number | undefined,
  cause: { readonly message: string }
): TransformError =>
  failure(
    transform,
    "malformed",
    `record ${index ?? "from a temporary file"} cannot be read. ${cause.message}`,
    { index, cause }
  )

/** Makes the error of a malformed raw record from the fault of its text. */
export const unreadableRecord = (
  transform: string,
  index: number | undefined,
  record: RawRecord.RawRecord,
  fault: Fault
): TransformError => malformedRecord(transform, index, Result.getOrThrow(Result.flip(refuse(record, fault))))

/** Returns the value of a field, or the error of a malformed record. */
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

// The overhead of a record, field or item in memory, in bytes.
const OVERHEAD = 64

// Deeper values are not followed, because they may contain themselves.
const MAX_DEPTH = 10_000

/** The size of a record in memory, and whether JSON stores it exactly. */
export interface Weight {
  /** Approximately the bytes of its text, and 64 for the record and each field and item. */
  readonly bytes: number
  /**
   * `exact`: JSON stores it exactly. `negative-zero`: only if `-0` is written with its sign. `lossy`: JSON would
   * change it.
   */
  readonly text: "exact" | "negative-zero" | "lossy"
}

/** Estimates the size of a record, without building its text. */
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
