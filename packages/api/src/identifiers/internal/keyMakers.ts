/**
 * The interface of the keys of endpoints, and the makers of keys of texts and whole numbers. `Key.ts` has the keys of the contract.
 */
import { Result, Schema } from "effect"
import { argument } from "../../internal/checkArgument.ts"
import { type InvalidIdentifier, malformed, trimmed } from "../InvalidIdentifier.ts"
import type { Kind } from "./repairs.ts"

type Parsed<A> = Result.Result<A, InvalidIdentifier>

/** A key of endpoints. `F` are the fields of a request for one value. */
export interface Key<out F extends Schema.Struct.Fields = Schema.Struct.Fields> {
  /** The name, which is also that of its field, e.g. `dtxsid`. */
  readonly name: string
  /** The field of a detail record or hit that has it. Default: its name. */
  readonly recordField?: string
  /** One value in words, e.g. `a substance`. */
  readonly one: string
  /** Several values in words. */
  readonly many: string
  /** Several values in help. Default: `many`, with the example. */
  readonly values?: string
  /** An example, as text. */
  readonly example: string
  /**
   * The kinds of identifiers that a value may be. Damaged ones are repaired, and placeholders refused (`Repair.readKey`).
   * Default: none; values are read as they are.
   */
  readonly kinds?: ReadonlyArray<Kind> | undefined
  /** Returns the canonical spelling of a value, or why the text is not one. */
  readonly parse: (text: string) => Parsed<string>
  /** Checks the check digit of a parsed value. A value without a check digit passes. */
  readonly verify: (value: string) => Parsed<string>
  /** The fields of a request for one value: parameters of its path or query. */
  readonly fields: F
  /** Returns these fields for a parsed value. */
  readonly toFields: (value: string) => Readonly<Record<string, unknown>>
}

/** The check of values without a check digit: each passes. */
export const unverified = { verify: Result.succeed }

/**
 * Makes the key of a text without a form of its own, e.g. the name of a list.
 *
 * @example
 * ```ts
 * import { Key } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const medium = Key.text("medium", { one: "a medium", many: "media", example: "surface water" })
 * Result.getOrThrow(medium.parse(" surface water ")) // => "surface water"
 * ```
 */
export const textKey = <const N extends string>(
  name: N,
  words: Words & { readonly description?: string }
): Key<{ readonly [P in N]: Schema.String }> => {
  const { description = words.one, ...rest } = argument("words", wordTexts, words)
  return {
    ...unverified,
    ...rest,
    name: argument("name", "a text", name),
    parse: (text) => parseText(name, words.one, text),
    fields: { [name]: Schema.NonEmptyString.annotate({ description }) } as {
      readonly [P in N]: Schema.String
    },
    toFields: (value) => ({ [name]: value })
  }
}

/** Reads a text without a form of its own. */
export const parseText = (name: string, noun: string, text: string): Parsed<string> =>
  trimmed(text) !== "" && text.isWellFormed()
    ? Result.succeed(text.trim())
    : malformed(name, noun, text, "it contains half a character")

type Words = Pick<Key, "one" | "many" | "example">

const wordTexts = "an object of the texts one, many and example"

const largest = 2 ** 31 - 1

/**
 * Makes the key of a positive whole number of 32 bits. JSON and tables also write it as 8.0 and 8e0.
 *
 * @example
 * ```ts
 * import { Key } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const study = Key.integer("studyId", { one: "a study", many: "studies", example: "12" })
 * Result.getOrThrow(study.parse("12.0")) // => "12"
 * ```
 */
export const integer = <const N extends string>(
  name: N,
  words: Words
): Key<{ readonly [P in N]: Schema.Int }> => {
  const schema = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largest })).annotate({
    description: argument("words", wordTexts, words).one
  })
  return number(argument("name", "a text", name), schema, (text) => parseInteger(text, words.one), words)
}

const parseInteger = (text: string, kind: string): Parsed<number> => {
  const value = /^\d+$/.test(trimmed(text)) ? Number(text) : 0
  return value >= 1 && value <= largest
    ? Result.succeed(value)
    : malformed(kind, kind, text, `it must be a whole number from 1 to ${largest}`)
}

/** Makes the key of a number, with its schema and parser. */
export const number = <const N extends string, S extends Schema.Top & { readonly Type: number }>(
  name: N,
  schema: S,
  parse: (text: string) => Parsed<number>,
  words: Words
): Key<{ readonly [P in N]: S }> => ({
  ...unverified,
  ...words,
  name,
  parse: (text) => Result.map(parse(wholeNumber(text)), String),
  fields: { [name]: schema } as { readonly [P in N]: S },
  toFields: (value) => ({ [name]: Number(value) })
})

/** Returns the parts of a text between commas. */
export const split = (text: string): ReadonlyArray<string> => trimmed(text).split(/\s*,\s*/)

const wholeNumber = (text: string): string =>
  /^\d+(?:\.0+|(?:\.\d+)?e\+?\d+)$/i.test(trimmed(text)) ? String(Number(text)) : text
