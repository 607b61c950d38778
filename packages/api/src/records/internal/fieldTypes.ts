/**
 * The building blocks of record schemas: a field that a record may lack or hold as null, with its meaning.
 *
 * Records of every kind have nulls, and lack fields that do not apply (docs/service.md, section 5), so both are part of
 * the type.
 */
import { Schema } from "effect"

const maybe = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))

export const text = (description: string): Schema.optionalKey<Schema.NullOr<Schema.String>> =>
  maybe(Schema.String.annotate({ description }))

/** A text, or a number where a service writes one. */
export const textOrNumber = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.Union<readonly [Schema.String, Schema.Finite]>>> =>
  maybe(Schema.Union([Schema.String, Schema.Finite]).annotate({ description }))

/** A text, or a list of texts where a service has several. */
export const textOrTexts = (
  description: string
): Schema.optionalKey<
  Schema.NullOr<Schema.Union<readonly [Schema.String, Schema.$Array<Schema.NullOr<Schema.String>>]>>
> =>
  maybe(Schema.Union([Schema.String, Schema.Array(Schema.NullOr(Schema.String))]).annotate({ description }))

/** What a number is: its meaning, its unit, and the model or method that it comes from. */
const measured = (meaning: string, unit?: string, source?: string) => ({
  description: [meaning, unit, source].filter((part) => part !== undefined).join(", "),
  ...(unit === undefined ? {} : { "x-unit": unit }),
  ...(source === undefined ? {} : { "x-source": source })
})

/** A number as JSON can hold it: neither infinite nor NaN. An integer may be written `3850.0`. */
export const number = (
  meaning: string,
  unit?: string,
  source?: string
): Schema.optionalKey<Schema.NullOr<Schema.Finite>> =>
  maybe(Schema.Finite.annotate(measured(meaning, unit, source)))

/**
 * A whole number of at most 64 bits, by its format. It is not checked for being whole: a service that sends something
 * else is to be heard.
 */
export const integer = (description: string): Schema.optionalKey<Schema.NullOr<Schema.Finite>> =>
  maybe(Schema.Finite.annotate({ description, format: "int64" }))

export const flag = (description: string): Schema.optionalKey<Schema.NullOr<Schema.Boolean>> =>
  maybe(Schema.Boolean.annotate({ description }))

/** A list of texts; null where it would be empty. */
export const texts = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.$Array<Schema.NullOr<Schema.String>>>> =>
  maybe(Schema.Array(Schema.NullOr(Schema.String)).annotate({ description }))

/** A list of numbers, parallel to others of its record; null where one is not known. */
export const numbers = (
  meaning: string,
  unit?: string
): Schema.optionalKey<Schema.NullOr<Schema.$Array<Schema.NullOr<Schema.Finite>>>> =>
  maybe(Schema.Array(Schema.NullOr(Schema.Finite)).annotate(measured(meaning, unit)))

/** Numbers by name, e.g. the parameters of a fitted model. */
export const numbersByName = (
  description: string
): Schema.optionalKey<Schema.NullOr<Schema.$Record<Schema.String, Schema.NullOr<Schema.Finite>>>> =>
  maybe(Schema.Record(Schema.String, Schema.NullOr(Schema.Finite)).annotate({ description }))
