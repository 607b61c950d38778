/**
 * A record schema that types the fields it names and keeps every other as it came.
 *
 * The type of its values has the named fields alone, so that the compiler refuses a misspelt one. At run time other fields
 * pass, because the schema has a rest that its type does not name. `Other` names those that only another dialect sends: they
 * are typed, not checked, and no table has a column for them unless a record has the field.
 */
import { Schema } from "effect"

export type OpenStruct<F extends Schema.Struct.Fields, Other = unknown> = Schema.StructWithRest<
  Schema.Struct<F & Other>,
  readonly []
>

/** What a record is. */
export interface RecordAnnotations {
  readonly title: string
  /** The fields that tell a record from every other of its kind, where it has such fields. */
  readonly "x-primary-key"?: ReadonlyArray<string>
  /** The section of docs/service.md that describes it. */
  readonly section: string
}

export const openStruct = <F extends Schema.Struct.Fields, Other = unknown>(
  struct: F,
  about?: RecordAnnotations
): OpenStruct<F, Other> => {
  const schema = Schema.StructWithRest(Schema.Struct(struct), [Schema.Record(Schema.String, Schema.Unknown)])
  if (about === undefined) return schema as never
  const { section, ...annotations } = about
  return schema.annotate({ ...annotations, "x-source": `docs/service.md, section ${section}` }) as never
}
