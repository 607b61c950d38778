/**
 * Converts the fields of a record, a value or raw, to cells: the kind of each value and its text.
 *
 * `encodeTable.ts` makes rows of them.
 */
import * as Result from "effect/Result"
import { findUnencodable, isEncodable } from "../../codec/internal/unencodable.ts"
import { decodeString } from "../../internal/decodeText.ts"
import { isScalar } from "../../raw/internal/jsonGrammar.ts"
import { entries, isRawRecord, type Kind, type RawRecord, toText } from "../../raw/RawRecord.ts"
import type { TableReason } from "../Table.ts"

/** The text of a value: the string itself, or the JSON text. */
export interface Cell {
  readonly kind: Kind
  readonly text: string
}

/** The cells of a record by field, in the order of the record. */
export type Cells = ReadonlyMap<string, Cell>

/** Why a record has no cells. `detail` continues "Record 3 cannot be written: ". */
export interface Fault {
  readonly reason: TableReason
  readonly field?: string
  readonly detail: string
  readonly cause?: unknown
}

const NULL: Cell = { kind: "null", text: "null" }

/**
 * Returns the cells of a value, or of a raw record. Fields that `JSON.stringify` omits have none; values that it writes as `null` are
 * `null`.
 */
export const cellsOf = (record: unknown): Cells | Fault => {
  if (isRawRecord(record)) return cellsOfRaw(record)
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    return notAnObject(record === null ? "null" : Array.isArray(record) ? "an array" : `a ${typeof record}`)
  }
  const cells = new Map<string, Cell>()
  for (const field of Object.keys(record)) {
    const cell = cellOf((record as Record<string, unknown>)[field])
    if (cell === undefined) continue
    if (!("text" in cell)) return { ...cell, field }
    cells.set(field, cell)
  }
  return cells
}

/** Returns the cells of a raw record. Numbers keep their digits. Of duplicate keys the last value counts. */
export const cellsOfRaw = (record: RawRecord): Cells | Fault => {
  const fields = entries(record)
  if (Result.isFailure(fields)) {
    const cause = fields.failure
    return cause.reason === "not-an-object"
      ? notAnObject("not an object")
      : { reason: "malformed", detail: `it is not well-formed JSON. ${cause.message}`, cause }
  }
  const cells = new Map<string, Cell>()
  for (const { key, kind, value } of fields.success) {
    const { bytes, start, end } = value
    if (kind === "string") {
      try {
        cells.set(key, { kind, text: decodeString(bytes, start + 1, end - 1) })
      } catch (cause) {
        return { reason: "malformed", field: key, detail: `the string in ${quote(key)} is not valid`, cause }
      }
    } else if (kind === "array" || kind === "object") {
      cells.set(key, { kind, text: toText(value) })
    } else if (isScalar(bytes, start, end)) {
      // The text is ASCII, and this is faster for ASCII.
      cells.set(key, { kind, text: decodeString(bytes, start, end) })
    } else {
      return {
        reason: "malformed",
        field: key,
        detail: `${quote(key)} is ${toText(value)}, which is not JSON`
      }
    }
  }
  return cells
}

/** Makes the fault of a field with half a surrogate pair. */
export const loneSurrogate = (field: string): Fault => ({
  reason: "lone-surrogate",
  field,
  detail: `the text in ${quote(field)} has half a surrogate pair, which UTF-8 cannot encode. Correct the text, or write NDJSON`
})

/** Returns a field as a member of a JSON object. */
export const member = (name: string, { kind, text }: Cell): string =>
  `${JSON.stringify(name)}:${kind === "string" ? JSON.stringify(text) : text}`

/** Quotes a name for a message. */
export const quote = (name: string): string => JSON.stringify(name)

const cellOf = (value: unknown): Cell | Fault | undefined => {
  switch (typeof value) {
    case "string":
      return { kind: "string", text: value }
    case "number":
      return Number.isFinite(value) ? { kind: "number", text: JSON.stringify(value) } : NULL
    case "bigint":
      return { kind: "number", text: value.toString() }
    case "boolean":
      return { kind: "boolean", text: value ? "true" : "false" }
    case "undefined":
      return undefined
    case "object":
      return value === null ? NULL : nestedCell(value)
    default:
      return notEncodable(`a ${typeof value}`)
  }
}

const nestedCell = (value: object): Cell | Fault | undefined => {
  const problem = isEncodable(value) ? undefined : findUnencodable(value, false)
  if (problem !== undefined) return notEncodable(`${problem.reason} at ${problem.path} of the field`)
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    return { ...notEncodable("a value that JSON cannot encode"), cause }
  }
  if (text === undefined) return undefined
  // `toJSON` may return a scalar, e.g. a string for a Date.
  return text.startsWith("{") || text.startsWith("[")
    ? { kind: text.startsWith("{") ? "object" : "array", text }
    : cellOf(JSON.parse(text))
}

const notAnObject = (what: string): Fault => ({
  reason: "not-an-object",
  detail: `it is ${what}, but a row needs an object. Omit it`
})

const notEncodable = (what: string): Fault => ({
  reason: "not-encodable",
  detail: `a field has ${what}. Omit the field, or write it as text`
})
