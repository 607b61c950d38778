/**
 * Chooses the reader of the responses of an endpoint: of a batch, of records, of scalar values, or of a file.
 *
 * `keyedReader.ts` reads batches, `singleValueReader.ts` the records of one value, `scalarRecord.ts` lists of scalar values.
 * The rarer forms are read here.
 */
import { type Key, Row } from "@chemstream/api"
import { BodyReader } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Result, Schema } from "effect"
import { elements, fieldValue, jsonText, kindOf, unexpected } from "./jsonBody.ts"
import { canonicalBy, keyedReader } from "./keyedReader.ts"
import type { ResponseReader } from "./ResponseReader.ts"
import { listReader, scalarReader, scalarRecord } from "./scalarRecord.ts"
import { orEmpty, recordsOf, singleReader } from "./singleValueReader.ts"

type RecordSchema = Schema.Schema<unknown>

/** Chooses the reader of an endpoint, in a projection (`form`). */
export const readerOf = (
  row: Row.Row,
  key: Key.Key,
  form: string | undefined,
  isBatch: boolean
): ResponseReader => {
  const { record = row.record } = row.forms?.[form ?? row.form ?? ""] ?? {}
  const schema = record() as RecordSchema
  if (row.get.body !== undefined) return fileReader(row.get.body, key.name, schema)
  const field = row.recordKey ?? key.name
  if (isBatch) return keyedReader(field, canonicalBy(key.parse), schema)
  const reader = singleReaderOf(row, form, schema, field)
  return row.miss === "nothing" || row.get.alsoSent?.includes("nothing") === true ? orEmpty(reader) : reader
}

const singleReaderOf = (
  row: Row.Row,
  form: string | undefined,
  schema: RecordSchema,
  field: string
): ResponseReader => {
  if (row.members !== undefined) return memberReader(row.scalar ?? "value", row.members, schema)
  const scalar = Row.scalarOf(row, form)
  if (scalar === undefined) return { ...singleReader(schema, field), schema: withField(schema, field) }
  return row.multiplicity === "many" ? listReader(scalar, schema) : countReader(scalar, schema)
}

/** Reads an image or a text into a record with the identifier. */
const fileReader = (kind: "bytes" | "text", field: string, schema: RecordSchema): ResponseReader => ({
  schema: withField(schema, field),
  field,
  read: ([id]) =>
    recordsOf(id, (body) =>
      Result.map(BodyReader.file(kind)(body), (record) =>
        record === undefined ? [] : [RawRecord.fromText(JSON.stringify(record))]
      )
    )
})

/** Reads the one scalar value of a response into a record. */
const countReader = (name: string, schema: RecordSchema): ResponseReader =>
  scalarReader(name, schema, ([id = ""]) =>
    recordsOf(id, (body) =>
      Result.flatMap(jsonText(body), (text) =>
        kindOf(text) === "bare value"
          ? Result.succeed([scalarRecord(id, name, text)])
          : Result.fail(unexpected(kindOf(text)))
      )
    )
  )

/** Reads the texts in a field of one object into a record each. */
const memberReader = (name: string, field: string, schema: RecordSchema): ResponseReader =>
  scalarReader(name, schema, ([id = ""]) =>
    recordsOf(id, (body) =>
      Result.flatMap(elementsOrOne(body), (objects) => {
        const texts = objects.flatMap((object) => BodyReader.textsIn(fieldValue(object, field)))
        return Result.succeed(
          texts.map((text) => scalarRecord(id, name, RawRecord.fromText(JSON.stringify(text))))
        )
      })
    )
  )

const elementsOrOne: BodyReader.BodyReader<ReadonlyArray<RawRecord.RawRecord>> = (body) =>
  Result.flatMap(jsonText(body), (text) =>
    kindOf(text) === "array" ? elements(body) : Result.succeed([text])
  )

/** Returns the schema of a record with the field of the identifier, which the reader adds. */
const withField = (schema: RecordSchema, field: string): RecordSchema => {
  const { schema: struct } = schema as { readonly schema?: Schema.Struct<Schema.Struct.Fields> }
  if (struct === undefined || field in struct.fields) return schema
  const annotations = Schema.resolveAnnotations(schema) ?? {}
  return Schema.Struct({ [field]: Schema.String, ...struct.fields }).annotate(annotations as never)
}
