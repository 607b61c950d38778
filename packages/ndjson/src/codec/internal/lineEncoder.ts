/**
 * Encodes values and raw records as lines. Joins many lines into one piece (an array of bytes), because each write has a cost.
 */
import { InvalidOption } from "../../InvalidOption.ts"
import { linePieces } from "../../raw/internal/joinLines.ts"
import { isRawRecord, type RawRecord } from "../../raw/RawRecord.ts"
import type { Feeder } from "../../streams/internal/pushParser.ts"
import { NdjsonEncodeError } from "./ndjsonError.ts"
import { findUnencodable, isEncodable, type Unencodable } from "./unencodable.ts"

/** The size of a piece, in characters or bytes: large enough to make the cost of a write small. */
const PIECE_LENGTH = 64 * 1024

const encoder = new TextEncoder()

/** The form of a BigInt: refused, a number with all its digits, or a string of them. */
export type BigInts = "refuse" | "number" | "string"

/** Encodes values as lines. */
export const encodeValues = (bigints: BigInts): Feeder<unknown, Uint8Array, NdjsonEncodeError> => {
  let index = 0
  let text = ""
  const flush = (out: Array<Uint8Array>): void => {
    if (text !== "") out.push(encoder.encode(text))
    text = ""
  }
  return {
    push: (value, out) => {
      const line = writeLine(value, index, bigints)
      if (typeof line !== "string") {
        flush(out)
        return line
      }
      index++
      text += line
      text += "\n"
      if (text.length >= PIECE_LENGTH) flush(out)
      return undefined
    },
    flush,
    end: () => undefined
  }
}

/** Encodes raw records as lines. */
export const encodeRecords = (): Feeder<RawRecord, Uint8Array, never> => {
  let records: Array<RawRecord> = []
  let length = 0
  const flush = (out: Array<Uint8Array>): void => {
    linePieces(records, out)
    records = []
    length = 0
  }
  return {
    push: (record, out) => {
      if (!isRawRecord(record))
        throw new InvalidOption(
          "the records",
          "must be raw records, e.g. of Ndjson.decodeRaw. Write objects with encode",
          record
        )
      records.push(record)
      length += record.end - record.start
      if (length >= PIECE_LENGTH) flush(out)
      return undefined
    },
    flush,
    end: () => undefined
  }
}

/** Returns the JSON text of a value, or the error of a value without one. */
const writeLine = (value: unknown, index: number, bigints: BigInts): string | NdjsonEncodeError => {
  const plain = isEncodable(value)
  let found = plain ? undefined : findUnencodable(value, bigints !== "refuse")
  let cause: unknown
  if (found === undefined) {
    try {
      const line = plain ? JSON.stringify(value) : stringify(value, bigints)
      if (line !== undefined) return line
      found = { reason: "undefined", path: "$" }
    } catch (thrown) {
      cause = thrown
      found = findUnencodable(value, bigints !== "refuse") ?? {
        reason: thrown instanceof RangeError ? "too-deep" : "to-json",
        path: "$"
      }
    }
  }
  const message = `Value ${index} cannot be written as JSON: ${found.path} ${WHAT[found.reason]}`
  return new NdjsonEncodeError({ reason: found.reason, path: found.path, index, message, cause })
}

// The TypeScript library does not declare JSON.rawJSON yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

const stringify = (value: unknown, bigints: BigInts): string | undefined => {
  switch (bigints) {
    case "refuse":
      return JSON.stringify(value)
    case "number":
      return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? rawJSON(String(inner)) : inner))
    case "string":
      return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner))
  }
}

const WHAT: Record<Unencodable["reason"], string> = {
  undefined: "is undefined. Leave the value out, or write null",
  function: "is a function. Leave it out of the value",
  symbol: "is a symbol. Write its description instead",
  bigint: "is a BigInt. Set bigints to write it as a number or a string",
  cycle: "refers back to something that contains it. Write an identifier instead",
  "too-deep": "is nested too deeply, or too long for one string. Split the value",
  "to-json": "has a toJSON method that threw. See the cause"
}
