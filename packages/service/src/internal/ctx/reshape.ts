/**
 * Records under the names, in the units and with the number formats of the public service, made from the bytes of stored
 * records: what is not converted keeps its text. Which fields a record has is `records`'.
 */
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../../Store.ts"

/** A field of a record of the public service. */
export interface Field {
  readonly name: string
  /** The names under which a stored record may have it, the best first. Default: its own name. */
  readonly from?: ReadonlyArray<string> | undefined
  /** Converts its JSON text, which is not null, with those of the other fields at hand. Default: the text as it is stored. */
  readonly convert?: ((text: string, record: ReadonlyMap<string, string>) => string) | undefined
}

/** Makes the text of a record that has exactly these fields; null where the stored record has none of the names. */
export const reshape =
  (fields: ReadonlyArray<Field>): ((stored: StoredRecord) => string) =>
  (stored) => {
    const texts = textsOf(stored)
    return object(
      fields.map(({ convert, from, name }) => {
        const source = from?.find((name) => texts.has(name)) ?? name
        const text = texts.get(source) ?? "null"
        return [name, convert === undefined || text === "null" ? text : convert(text, texts)]
      })
    )
  }

/** The JSON texts of the fields of an object, by name. Throws where the text is not one: a defect of the store. */
export const textsOf = (record: Uint8Array | string): ReadonlyMap<string, string> => {
  const raw = typeof record === "string" ? RawRecord.fromText(record) : RawRecord.fromBytes(record)
  const entries = Result.getOrThrow(RawRecord.entries(raw))
  return new Map(entries.map(({ key, value }) => [key, RawRecord.toText(value)]))
}

/** The text of a field that is one; empty where it is not. */
export const textOf = (record: Uint8Array, name: string): string => {
  const value = RawRecord.value(RawRecord.fromBytes(record), name)
  return typeof value === "string" ? value : ""
}

/** The text of an object, from the texts of its values. */
export const object = (entries: ReadonlyArray<readonly [string, string]>): string =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`

/**
 * A number as the public service writes a double: with a decimal, and from 1e7 on and below 1e-3 with an exponent, e.g.
 * `228.0` and `1.0E7`.
 */
export const double = (value: number): string => {
  const size = Math.abs(value)
  if (value === 0 || (size >= 1e-3 && size < 1e7))
    return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits = "", exponent] = value.toExponential().split("e")
  return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`
}

/** The text of a number, or of an array of them, each converted. Anything else in it stays. */
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

/** The text of a whole number of a field that the public service declares a double. */
export const asDouble = (text: string): string => (/^-?\d+$/.test(text) ? double(Number(text)) : text)
