/**
 * JSON Schema (draft 2020-12) of a record, for those who read records without this library.
 *
 * Made from the contract's own schemas: descriptions are theirs, units are in `x-unit`, what a value comes from is in
 * `x-source`, and the fields that tell records apart are in `x-primary-key`. Which schema a record has is its module's
 * (`DetailRecord`, `SearchHit` …).
 */
import { JsonSchema as Core, Schema } from "effect"

/** A JSON Schema: an object of its keywords. */
export type JsonSchema = Core.JsonSchema

/** What the document says of itself. */
export interface Options {
  /** The URI of the document, `$id`. Default: none. */
  readonly id?: string | undefined
  /** Default: the title of the schema, if it has one. */
  readonly title?: string | undefined
}

/**
 * The JSON Schema of a schema. Records may have more fields than it names.
 *
 * It describes the JSON that a service sends: nothing is transformed, and a field that may be null says so in its type.
 *
 * @example
 * ```ts
 * import { DetailRecord, JsonSchema } from "@chemstream/api"
 *
 * const schema = JsonSchema.of(DetailRecord.schemas.compact)
 * schema["title"] // => "Chemical detail record, projection compact"
 * schema["x-primary-key"] // => ["dtxsid"]
 * ```
 */
export const of = (schema: Schema.Constraint, options: Options = {}): JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema, {
    includeAnnotationKey: (key) => key.startsWith("x-")
  })
  const { title, ...rest } = tidy(document.schema) as JsonSchema
  const names = { ...(options.id === undefined ? {} : { $id: options.id }), title: options.title ?? title }
  const definitions =
    Object.keys(document.definitions).length === 0 ? {} : { $defs: tidy(document.definitions) as JsonSchema }
  return {
    $schema: Core.META_SCHEMA_URI_DRAFT_2020_12,
    ...(names.title === undefined ? {} : names),
    ...rest,
    ...definitions
  }
}

/** The same in the form in which people write it: a value or null is one type, and what refuses nothing is left out. */
const tidy = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(tidy)
  if (typeof schema !== "object" || schema === null) return schema
  const { allOf = [], ...own } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, tidy(value)])
  )
  const parts = (allOf as ReadonlyArray<object>).filter((part) => !isAnyObject(part))
  const flat: JsonSchema = parts.every((part) => Object.keys(part).every((key) => !(key in own)))
    ? Object.assign({}, own, ...parts)
    : { ...own, allOf: parts }
  return nullable(flat)
}

/** Whether a schema says only that a value is an object: what it is part of says so, too. */
const isAnyObject = (schema: object): boolean =>
  JSON.stringify(schema) === '{"type":"object","additionalProperties":{}}'

/** Takes null into the other member of a union, unless that lists its values. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, none] = anyOf as ReadonlyArray<JsonSchema>
  if (value === undefined || none?.["type"] !== "null" || "enum" in value || "const" in value) return schema
  if (Array.isArray(value["anyOf"])) return { ...value, anyOf: [...value["anyOf"], none], ...rest }
  return typeof value["type"] === "string" ? { ...value, type: [value["type"], "null"], ...rest } : schema
}
