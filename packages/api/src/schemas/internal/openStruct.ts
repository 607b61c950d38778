/**
 * Makes a record schema that checks the fields it names and keeps all other fields as they came. The schema is made when it is first used.
 *
 * The type of a record is an interface that is generated from its schema (`records/internal/types`). It has the fields of all dialects and
 * no others, so the compiler rejects a misspelt field. Fields that only another dialect sends are not checked.
 */
import { Schema } from "effect"
import { lazy } from "./lazyObject.ts"

/** The schema of records of type `A`. */
export interface OpenStruct<A> extends Schema.Codec<A> {}

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
export const openStruct = <A = unknown>(
  fields: Schema.Struct.Fields | (() => Schema.Struct.Fields),
  about?: RecordAnnotations
): OpenStruct<A> =>
  lazy(() => {
    const struct = Schema.Struct(typeof fields === "function" ? fields() : fields)
    const schema = Schema.StructWithRest(struct, [Schema.Record(Schema.String, Schema.Unknown)])
    if (about === undefined) return schema as never
    const { family, section, ...annotations } = about
    const source = family === undefined ? `docs/service.md, section ${section}` : `docs/families/${family}.md`
    return schema.annotate({ ...annotations, "x-source": source }) as never
  })
