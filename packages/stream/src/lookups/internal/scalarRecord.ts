/** Makes and reads records of scalar values: `{"query":VALUE,NAME:VALUE}`, for services that respond with bare identifiers or counts. */
import type { BodyReader } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Result, Schema } from "effect"
import { elements } from "./jsonBody.ts"
import type { ResponseReader, ResponseRecords } from "./ResponseReader.ts"
import { recordsOf } from "./singleValueReader.ts"

type Raw = RawRecord.RawRecord

/** A record of a requested value and a value of the response. */
export type ScalarRecord<Name extends string, A> = { readonly query: string } & { readonly [N in Name]: A }

/** Makes a record of the requested value and a value of the response, whose JSON text is kept. */
export const scalarRecord = (query: string, name: string, value: Raw): Raw =>
  RawRecord.fromText(`${beginningOf(query)},"${name}":${RawRecord.toText(value).trim()}}`)

/** Reads scalar values of a response into records. `name` is the field of the value. */
export const scalarReader = <const Name extends string, A>(
  name: Name,
  value: Schema.Schema<A>,
  read: (ids: ReadonlyArray<string>) => BodyReader.BodyReader<ResponseRecords>
): ResponseReader<ScalarRecord<Name, A>> => ({
  read,
  schema: Schema.Struct({
    query: Schema.String.annotate({ description: "The requested value, as given" }),
    [name]: value
  }).annotate({ title: "Result for a value" }) as unknown as Schema.Schema<ScalarRecord<Name, A>>,
  restoreSpelling: restoreQuery
})

/** Replaces the requested value of a scalar record by the spelling of the input. */
export const restoreQuery = <A>(
  record: RawRecord.RawRecord<A>,
  id: string,
  given: string
): RawRecord.RawRecord<A> => {
  const text = RawRecord.toText(record)
  const beginning = beginningOf(id)
  return text.startsWith(beginning)
    ? RawRecord.fromText(`${beginningOf(given)}${text.slice(beginning.length)}`)
    : record
}

/** The schema of the substance of a scalar record. */
export const dtxsidSchema = Schema.String.annotate({ description: "Substance identifier (DTXSID…)" })

/** Reads the list of values of one value. Leaves out nulls, which some services send in the list. */
export const listReader = <const Name extends string, A>(
  name: Name,
  schema: Schema.Schema<A>
): ResponseReader<ScalarRecord<Name, A>> =>
  scalarReader(name, schema, ([value = ""]) =>
    recordsOf(value, (body) =>
      Result.map(elements(body), (values) =>
        values.filter((one) => !isNull(one)).map((one) => scalarRecord(value, name, one))
      )
    )
  )

/** Makes the records of values with substances. */
export const dtxsidRecords = (
  found: Iterable<readonly [value: string | number, dtxsids: ReadonlyArray<string>]>
): ResponseRecords => ({
  records: Array.from(found, ([value, dtxsids]) =>
    dtxsids.map((dtxsid) => ({
      key: String(value),
      record: scalarRecord(String(value), "dtxsid", RawRecord.fromText(JSON.stringify(dtxsid)))
    }))
  ).flat()
})

const isNull = (element: Raw): boolean => RawRecord.toText(element).trim() === "null"

const beginningOf = (query: string): string => `{"query":${JSON.stringify(query)}`
