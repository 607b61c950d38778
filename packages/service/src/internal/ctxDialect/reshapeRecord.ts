/**
 * Changes stored records to those of the public service: other names, units and formats of numbers. `ctxRecords.ts` defines
 * the fields of each record.
 */
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../../Store.ts"

/** A field of a record of the public service. */
export interface Field {
  readonly name: string
  /** The names to look for in a stored record, in order. Default: `name`. */
  readonly from?: ReadonlyArray<string> | undefined
  /**
   * Converts the JSON text of a value that is not null. `record` has the texts of all fields. Default: no conversion.
   */
  readonly convert?: ((text: string, record: ReadonlyMap<string, string>) => string) | undefined
}

/** Returns a function that makes a record with exactly these fields, as text. A missing field is null. */
export const reshape =
  (fields: ReadonlyArray<Field>): ((stored: StoredRecord) => string) =>
  (stored) => {
    const texts = textsOf(stored)
    return object(
      fields.map(({ convert, from, name }) => {
        const source = from?.find((given) => texts.has(given)) ?? name
        const text = texts.get(source) ?? "null"
        return [name, convert === undefined || text === "null" ? text : convert(text, texts)]
      })
    )
  }

/**
 * Returns the JSON texts of the fields of an object, by name. Throws if the text is not an object: a defect of the
 * store.
 */
export const textsOf = (record: Uint8Array | string): ReadonlyMap<string, string> => {
  const raw = typeof record === "string" ? RawRecord.fromText(record) : RawRecord.fromBytes(record)
  const entries = Result.getOrThrow(RawRecord.entries(raw))
  return new Map(entries.map(({ key, value }) => [key, RawRecord.toText(value)]))
}

/** Returns a field that is a string. Otherwise: an empty string. */
export const textOf = (record: Uint8Array, name: string): string => {
  const value = RawRecord.value(RawRecord.fromBytes(record), name)
  return typeof value === "string" ? value : ""
}

/** Makes the JSON text of an object from the texts of its values. */
export const object = (entries: ReadonlyArray<readonly [string, string]>): string =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`

/**
 * Formats a number as the public service writes a double, e.g. `228.0`. From 1e7 on and below 1e-3 it has an
 * exponent, e.g. `1.0E7`.
 */
export const double = (value: number): string => {
  const size = Math.abs(value)
  if (value === 0 || (size >= 1e-3 && size < 1e7))
    return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits = "", exponent] = value.toExponential().split("e")
  return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`
}

/** Returns a function that converts the JSON text of a number, or of each number in an array. Other values stay. */
export const numbers =
  (convert: (value: number) => number) =>
  (text: string): string => {
    const value: unknown = JSON.parse(text)
    const one = (item: unknown): string => {
      const converted = typeof item === "number" ? convert(item) : undefined
      return converted !== undefined && Number.isFinite(converted) ? double(converted) : JSON.stringify(item)
    }
    return Array.isArray(value) ? `[${value.map(one).join(",")}]` : one(value)
  }

/** Formats the JSON text of a whole number as a double. */
export const asDouble = (text: string): string => (/^-?\d+$/.test(text) ? double(Number(text)) : text)
