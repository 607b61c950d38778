/**
 * A record schema that types the fields it names and keeps all other fields as they came.
 *
 * The type has only the named fields, so the compiler rejects a misspelt field. At run time the schema accepts other
 * fields too. `Other` types the fields that only another dialect sends. They are not checked. A table has a column
 * for them only if a record has the field.
 */
import { Schema } from "effect"
import { lazy } from "./lazy.ts"

export type OpenStruct<F extends Schema.Struct.Fields, Other = unknown> = Schema.StructWithRest<
  Schema.Struct<F & Other>,
  readonly []
>

/** The title, key and source of a record schema. */
export interface RecordAnnotations {
  readonly title: string
  /** The fields that identify a record among its kind, if it has such fields. */
  readonly "x-primary-key"?: ReadonlyArray<string>
  /** The section of docs/service.md that describes it. */
  readonly section?: string
  /** The family of the public service whose page describes it, e.g. `hazard`. */
  readonly family?: string
}

/** Makes the schema of a record. The fields are made with it, when it is first read, if they are a function. */
export const openStruct = <F extends Schema.Struct.Fields, Other = unknown>(
  fields: F | (() => F),
  about?: RecordAnnotations
): OpenStruct<F, Other> =>
  lazy(() => {
    const struct = Schema.Struct(typeof fields === "function" ? fields() : fields)
    const schema = Schema.StructWithRest(struct, [Schema.Record(Schema.String, Schema.Unknown)])
    if (about === undefined) return schema as never
    const { family, section, ...annotations } = about
    const source = family === undefined ? `docs/service.md, section ${section}` : `docs/families/${family}.md`
    return schema.annotate({ ...annotations, "x-source": source }) as never
  })
