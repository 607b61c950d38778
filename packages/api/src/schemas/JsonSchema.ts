/**
 * JSON Schema (draft 2020-12) of a record, for programs that read records without this library.
 *
 * It is made from the contract's own schemas and has their descriptions. Units are in `x-unit`, the source of a value
 * in `x-source`, and the fields that identify a record in `x-primary-key`. The module of a record has its schema
 * (`DetailRecord`, `SearchHit` …).
 */
import { JsonSchema as Core, Schema } from "effect"
import { argumentAs, isObject } from "../internal/checkArgument.ts"

/** A JSON Schema: an object of its keywords. */
export type JsonSchema = Core.JsonSchema

/** The identifier and title of the document. */
export interface Options {
  /** The URI of the document, `$id`. Default: none. */
  readonly id?: string | undefined
  /** Default: the title of the schema, if it has one. */
  readonly title?: string | undefined
}

/**
 * Returns the JSON Schema of a schema. Records may have more fields than it names.
 *
 * It describes the JSON that a service sends: nothing is transformed, and the type of a nullable field includes null.
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
  const { id, title: own } = argumentAs("options", "an object of id and title", options, isTitled)
  const document = Schema.toJsonSchemaDocument(argumentAs("schema", "a schema", schema, Schema.isSchema), {
    includeAnnotationKey: (key) => key.startsWith("x-")
  })
  const { title, ...rest } = tidy(document.schema) as JsonSchema
  const names = { ...(id === undefined ? {} : { $id: id }), title: own ?? title }
  const definitions =
    Object.keys(document.definitions).length === 0 ? {} : { $defs: tidy(document.definitions) as JsonSchema }
  return {
    $schema: Core.META_SCHEMA_URI_DRAFT_2020_12,
    ...(names.title === undefined ? {} : names),
    ...rest,
    ...definitions
  }
}

const isTitled = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).every((name) => name === "id" || name === "title")

/** Simplifies a JSON Schema: merges nullable types, and drops parts that accept any object. */
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

/** Returns whether a schema accepts any object. The outer schema already requires an object. */
const isAnyObject = (schema: object): boolean =>
  JSON.stringify(schema) === '{"type":"object","additionalProperties":{}}'

/** Merges null into the other member of a union, unless that member is an enum or a constant. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, none] = anyOf as ReadonlyArray<JsonSchema>
  if (value === undefined || none?.["type"] !== "null" || "enum" in value || "const" in value) return schema
  if (Array.isArray(value["anyOf"])) return { ...value, anyOf: [...value["anyOf"], none], ...rest }
  return typeof value["type"] === "string" ? { ...value, type: [value["type"], "null"], ...rest } : schema
}
