/** Checks or decodes lines with a schema. */
import type { Schema } from "effect"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { enable } from "effect/schema/SchemaJITCompiler"
import { type Drift, make as makeDrift, type Validate } from "../../raw/Drift.ts"
import type { DecodeOptions } from "./badLines.ts"
import type { Handler } from "./lineCutter.ts"
import { values } from "./parsedLines.ts"

type Decoder<A> = (value: unknown) => Result.Result<A, SchemaIssue.Issue>

const formatIssue = SchemaIssue.makeFormatterDefault()
const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

// The formatter's text for a missing key.
const MISSING = "Missing key"

/** The options of decoding lines with a schema. */
export interface SchemaOptions extends DecodeOptions {
  /**
   * `strict`: values are decoded; a mismatch is a bad line. `warn`: values pass unchanged; mismatches are added to
   * `drift`. `off`: the schema is not used. Default: `strict`.
   */
  readonly validate?: Validate | undefined
  /** The tally of `warn`. */
  readonly drift?: Drift | undefined
}

/** Handles lines as the options say. */
export const schemaLines = (
  schema: Schema.ConstraintDecoder<unknown>,
  options: SchemaOptions | undefined
): Handler<unknown> => {
  switch (options?.validate) {
    case "off":
      return values
    case "warn":
      return checkedValues(schema, options.drift ?? makeDrift())
    default:
      return decodedValues(schema)
  }
}

/** Decodes every value. A mismatch is a bad line. */
const decodedValues = (schema: Schema.ConstraintDecoder<unknown>): Handler<unknown> => {
  // Compiles the decoder, which is much faster. Where code generation is forbidden, the schema is interpreted.
  enable(schema.ast)
  const decode: Decoder<unknown> = SchemaParser.decodeUnknownResult(schema)
  const parsed: Array<unknown> = []
  return {
    maxBytes: values.maxBytes,
    line: (bytes, start, end, out, number) => {
      parsed.length = 0
      const refusal = values.line(bytes, start, end, parsed, number)
      if (refusal !== undefined) return refusal
      const decoded = decode(parsed[0])
      if (Result.isFailure(decoded)) {
        const detail = `it does not fit the schema: ${formatIssue(decoded.failure).replace(/\s*\n\s*/g, " ")}`
        return { reason: "schema-mismatch", detail }
      }
      out.push(decoded.success)
      return undefined
    },
    run: (bytes, start, end, out) => {
      parsed.length = 0
      const handled = values.run?.(bytes, start, end, parsed) ?? 0
      const before = out.length
      for (let i = 0; i < parsed.length; i++) {
        const decoded = decode(parsed[i])
        if (Result.isFailure(decoded)) {
          // Continues line by line, because only `line` knows the position.
          out.length = before
          return { lines: 0, bytes: 0 }
        }
        out.push(decoded.success)
      }
      return handled
    }
  }
}

/** Passes every value unchanged, and adds mismatches to the drift. */
const checkedValues = (schema: Schema.ConstraintDecoder<unknown>, drift: Drift): Handler<unknown> => {
  enable(schema.ast)
  const decode: Decoder<unknown> = SchemaParser.decodeUnknownResult(schema)
  const explain: Decoder<unknown> = SchemaParser.decodeUnknownResult(schema, { errors: "all" })
  const check = (value: unknown): void => {
    drift.addRecords(1)
    if (Result.isSuccess(decode(value))) return
    const explained = explain(value)
    if (Result.isSuccess(explained)) return
    for (const { path = [], message } of listIssues(explained.failure).issues) {
      const keys = path.map((part) => (typeof part === "object" ? part.key : part))
      const expected = message === MISSING ? "a value" : message.replace(/^Expected /, "")
      drift.add(fieldOf(keys), expected, seenAt(value, keys))
    }
  }
  return {
    maxBytes: values.maxBytes,
    line: (bytes, start, end, out, number) => {
      const before = out.length
      const refusal = values.line(bytes, start, end, out, number)
      if (out.length > before) check(out[before])
      return refusal
    },
    run: (bytes, start, end, out) => {
      const before = out.length
      const handled = values.run?.(bytes, start, end, out) ?? 0
      for (let i = before; i < out.length; i++) check(out[i])
      return handled
    }
  }
}

// All members of an array count as one field.
const fieldOf = (keys: ReadonlyArray<PropertyKey>): string | undefined =>
  keys.length === 0
    ? undefined
    : keys.map((key, n) => (typeof key === "number" ? "[]" : `${n > 0 ? "." : ""}${String(key)}`)).join("")

const seenAt = (value: unknown, keys: ReadonlyArray<PropertyKey>): string => {
  let at = value
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return "absent"
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return at === null ? "null" : Array.isArray(at) ? "array" : typeof at
}
