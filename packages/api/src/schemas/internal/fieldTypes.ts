/**
 * The field types of record schemas. A field may be absent or null, and has a description.
 *
 * Records of every kind have nulls, and lack fields that do not apply (docs/service.md, section 5), so the types
 * allow both.
 */
import { Schema } from "effect"

const nullable = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))

export const text = (description: string): Schema.optionalKey<Schema.NullOr<Schema.String>> =>
  nullable(Schema.String.annotate({ description }))

/** A text; some services send a number. */
export const textOrNumber = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.Union<readonly [Schema.String, Schema.Finite]>>> =>
  nullable(Schema.Union([Schema.String, Schema.Finite]).annotate({ description }))

/** True or false; some services send a text. */
export const flagOrText = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.Union<readonly [Schema.Boolean, Schema.String]>>> =>
  nullable(Schema.Union([Schema.Boolean, Schema.String]).annotate({ description }))

/** A text; some services send a list of texts. */
export const textOrTexts = (
  description: string
): Schema.optionalKey<
  Schema.NullOr<Schema.Union<readonly [Schema.String, Schema.$Array<Schema.NullOr<Schema.String>>]>>
> =>
  nullable(
    Schema.Union([Schema.String, Schema.Array(Schema.NullOr(Schema.String))]).annotate({ description })
  )

/** Returns the annotations of a number: its meaning, its unit, and the model or method behind it. */
const quantity = (meaning: string, unit?: string, source?: string) => ({
  description: [meaning, unit, source].filter((part) => part !== undefined).join(", "),
  ...(unit === undefined ? {} : { "x-unit": unit }),
  ...(source === undefined ? {} : { "x-source": source })
})

/** A number that JSON can hold: neither infinite nor NaN. An integer may be written `3850.0`. */
export const number = (
  meaning: string,
  unit?: string,
  source?: string
): Schema.optionalKey<Schema.NullOr<Schema.Finite>> =>
  nullable(Schema.Finite.annotate(quantity(meaning, unit, source)))

/** A whole number of at most 64 bits. Only the `format` states this; a number with a fraction still decodes. */
export const integer = (description: string): Schema.optionalKey<Schema.NullOr<Schema.Finite>> =>
  nullable(Schema.Finite.annotate({ description, format: "int64" }))

export const flag = (description: string): Schema.optionalKey<Schema.NullOr<Schema.Boolean>> =>
  nullable(Schema.Boolean.annotate({ description }))

/** A list of texts; null instead of an empty list. */
export const texts = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.$Array<Schema.NullOr<Schema.String>>>> =>
  nullable(Schema.Array(Schema.NullOr(Schema.String)).annotate({ description }))

/** A list of numbers, parallel to other lists of its record. Unknown numbers are null. */
export const numbers = (
  meaning: string,
  unit?: string
): Schema.optionalKey<Schema.NullOr<Schema.$Array<Schema.NullOr<Schema.Finite>>>> =>
  nullable(Schema.Array(Schema.NullOr(Schema.Finite)).annotate(quantity(meaning, unit)))

/** Numbers by name, e.g. the parameters of a fitted model. */
export const numbersByName = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.$Record<Schema.String, Schema.NullOr<Schema.Finite>>>> =>
  nullable(Schema.Record(Schema.String, Schema.NullOr(Schema.Finite)).annotate({ description }))
