/**
 * The schema of a record that is made when it is first read, so that a program pays only for the records that it reads.
 *
 * The fields are declared as in `fieldTypes`, and made with the record.
 */
import { Schema } from "effect"
import * as fieldTypes from "./fieldTypes.ts"
import { type OpenStruct, openStruct, type RecordAnnotations } from "./openStruct.ts"

/** Fields that are made later, by name. */
export type LazyFields = Readonly<Record<string, () => Schema.Top>>

/** The fields of a record, made. */
export type Made<F extends LazyFields> = { readonly [K in keyof F]: ReturnType<F[K]> }

/** The schema of a record that is made at the first call. */
export type LazyRecord<F extends LazyFields> = () => OpenStruct<Made<F>>

/** The type of the records of a lazy schema. */
export type RecordOf<R extends () => Schema.Top> = ReturnType<R>["Type"]

/** Declares a record. */
export const lazyRecord = <const F extends LazyFields>(
  about: RecordAnnotations,
  fields: F
): LazyRecord<F> => {
  const schema = openStruct(() => madeOf(fields), about)
  return () => schema as OpenStruct<Made<F>>
}

const madeOf = <F extends LazyFields>(fields: F): Made<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, make]) => [name, make()])) as Made<F>

const later =
  <Args extends ReadonlyArray<unknown>, S>(make: (...args: Args) => S) =>
  (...args: Args) =>
  (): S =>
    make(...args)

export const text = /* @__PURE__ */ later(fieldTypes.text)
export const textOrNumber = /* @__PURE__ */ later(fieldTypes.textOrNumber)
export const textOrTexts = /* @__PURE__ */ later(fieldTypes.textOrTexts)
export const number = /* @__PURE__ */ later(fieldTypes.number)
export const integer = /* @__PURE__ */ later(fieldTypes.integer)
export const flag = /* @__PURE__ */ later(fieldTypes.flag)
export const flagOrText = /* @__PURE__ */ later(fieldTypes.flagOrText)
export const texts = /* @__PURE__ */ later(fieldTypes.texts)
export const numbers = /* @__PURE__ */ later(fieldTypes.numbers)

/** A list of objects; null instead of an empty list. */
export const objects =
  <const F extends LazyFields>(description: string, fields: F) =>
  (): Schema.optionalKey<Schema.NullOr<Schema.$Array<OpenStruct<Made<F>>>>> =>
    Schema.optionalKey(Schema.NullOr(Schema.Array(openStruct(madeOf(fields))).annotate({ description })))

/** An object with these fields. */
export const object =
  <const F extends LazyFields>(description: string, fields: F) =>
  (): Schema.optionalKey<Schema.NullOr<OpenStruct<Made<F>>>> =>
    Schema.optionalKey(
      Schema.NullOr(openStruct(madeOf(fields)).annotate({ description }) as unknown as OpenStruct<Made<F>>)
    )

/** A list of objects in which a service writes null for none; null instead of an empty list. */
export const objectsOrNulls =
  <const F extends LazyFields>(description: string, fields: F) =>
  (): Schema.optionalKey<Schema.NullOr<Schema.$Array<Schema.NullOr<OpenStruct<Made<F>>>>>> =>
    Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.NullOr(openStruct(madeOf(fields)))).annotate({ description }))
    )

/** An object, or a list of objects. */
export const objectOrObjects =
  <const F extends LazyFields>(description: string, fields: F) =>
  (): Schema.optionalKey<
    Schema.NullOr<Schema.Union<readonly [OpenStruct<Made<F>>, Schema.$Array<OpenStruct<Made<F>>>]>>
  > => {
    const one = openStruct(madeOf(fields))
    return Schema.optionalKey(
      Schema.NullOr(Schema.Union([one, Schema.Array(one)]).annotate({ description }))
    ) as never
  }
