/**
 * A record schema that types the fields it names and keeps every other as it came.
 */
import { Schema } from "effect"

export type KeepingUnknown<F extends Schema.Struct.Fields> = Schema.StructWithRest<
  Schema.Struct<F>,
  readonly [Schema.$Record<typeof Schema.String, typeof Schema.Unknown>]
>

export const keepingUnknown = <F extends Schema.Struct.Fields>(struct: F): KeepingUnknown<F> =>
  Schema.StructWithRest(Schema.Struct(struct), [Schema.Record(Schema.String, Schema.Unknown)])
