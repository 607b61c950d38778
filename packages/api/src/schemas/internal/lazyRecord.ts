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

/** Declares a record of type `A`. Its schema is made at the first call. */
export const lazyRecord = <A>(about: RecordAnnotations, fields: LazyFields): (() => OpenStruct<A>) => {
  const schema = openStruct<A>(() => madeOf(fields), about)
  return () => schema
}

/** Makes the schemas of fields. */
const madeOf = (fields: LazyFields): Schema.Struct.Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, make]) => [name, make()]))

const nullable = (schema: Schema.Top, description: string): Schema.Top =>
  Schema.optionalKey(Schema.NullOr(schema.annotate({ description })))

/** Makes a field whose schema is made later. */
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
export const numbers = /* @__PURE__ */ later(fieldTypes.numbers)

/** A list of objects; null instead of an empty list. */
export const objects = (description: string, fields: LazyFields) => (): Schema.Top =>
  nullable(Schema.Array(openStruct(madeOf(fields))), description)

/** An object with these fields. */
export const object = (description: string, fields: LazyFields) => (): Schema.Top =>
  nullable(openStruct(madeOf(fields)), description)

/** A list of objects in which a service writes null for none; null instead of an empty list. */
export const objectsOrNulls = (description: string, fields: LazyFields) => (): Schema.Top =>
  nullable(Schema.Array(Schema.NullOr(openStruct(madeOf(fields)))), description)

/** An object, or a list of objects. */
export const objectOrObjects = (description: string, fields: LazyFields) => (): Schema.Top => {
  const one = openStruct(madeOf(fields))
  return nullable(Schema.Union([one, Schema.Array(one)]), description)
}
