/** Reads responses to one value: an array of objects, one object, or nothing. */
import { BodyReader } from "@chemstream/client"
import { type RawRecord, RawShape } from "@chemstream/ndjson"
import { Result, type Schema } from "effect"
import type { Inspection } from "./inspection.ts"
import { bodyFault, cutRecords, kindOf, unexpected, withoutMark } from "./jsonBody.ts"
import type { ResponseReader, ResponseRecords } from "./ResponseReader.ts"

type Raw = RawRecord.RawRecord

/**
 * Reads the records of one value: an array of objects or one object. `schema` defines the kinds of the fields.
 * Records without `field` get the requested identifier in it, so that a line names its substance.
 */
export const singleReader = <A, F extends string = never>(
  schema: Schema.Schema<A>,
  field?: F
): ResponseReader<A & { readonly [Name in F]: string | number }> => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  const read = (validate: Inspection["validate"]): BodyReader.BodyReader<ReadonlyArray<RawShape.Reading>> => {
    const expected = validate === "off" ? unchecked : shape
    return (body) => {
      const text = withoutMark(body)
      switch (kindOf(text)) {
        case "array":
          return cutRecords(body, expected)
        case "object":
          return Result.match(RawShape.read(expected, text), {
            onSuccess: (reading) => Result.succeed([reading]),
            onFailure: (error) => Result.fail(bodyFault(error))
          })
        default:
          return Result.fail(unexpected(kindOf(text)))
      }
    }
  }
  return {
    // The reader adds the only field that the schema lacks.
    schema: schema as Schema.Schema<A & { readonly [Name in F]: string | number }>,
    field,
    read: ([id], validate) => recordsOf(id, read(validate))
  }
}

/** Reads an empty body or `null` as no records. Some services send one for an unknown value. */
export const orEmpty = <A>(reader: ResponseReader<A>): ResponseReader<A> => ({
  ...reader,
  read: (ids, validate) => {
    const read = reader.read(ids, validate)
    return (body, truncated) =>
      BodyReader.isNothing(body) ? Result.succeed({ records: [] }) : read(body, truncated)
  }
})

/** Assigns all records to the only value of a batch. */
export const recordsOf =
  (
    id: string | undefined,
    read: BodyReader.BodyReader<ReadonlyArray<Raw>>
  ): BodyReader.BodyReader<ResponseRecords> =>
  (body) =>
    Result.map(read(body), (records) => ({
      records: records.map((record) => ({ key: id as string, record }))
    }))
