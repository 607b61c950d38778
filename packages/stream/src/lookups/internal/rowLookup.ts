/**
 * Makes the lookup of a row: of its batch if it has one, else of one value a call.
 *
 * The modules of the families name the lookups, e.g. `Details.byDtxsid`. Special rows have lookups of their own.
 */
import { Key, Operation, type Row } from "@chemstream/api"
import { type BodyReader, type ChemError, Pages } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Schema } from "effect"
import { elements, jsonText, kindOf, unexpected } from "./body.ts"
import { canonical, keyedReader } from "./keyedReader.ts"
import { lookup, type Send } from "./lookup.ts"
import type { Lookup } from "./lookupType.ts"
import type { ResponseReader } from "./ResponseReader.ts"
import { collect, malformedPage, pageReader } from "./rowPages.ts"
import { type ScalarRecord, scalarReader, scalarRecord, substanceReader } from "./scalarRecord.ts"
import { orEmpty, recordsOf, singleReader } from "./singleReader.ts"

/** The projections of a row. */
export type ProjectionOf<R extends Row.Row> = (keyof R["forms"] | R["form"]) & string

/** The record of a lookup, in a projection. The lookup adds the identifier to records that lack it. */
export type RecordOf<R extends Row.Row, P> = R extends { readonly scalar: infer N extends string }
  ? ScalarRecord<N, Row.RecordOf<R>>
  : Identified<R, Row.RecordIn<R, P extends undefined ? R["form"] : P>>

type Identified<R extends Row.Row, A> =
  KeyName<R> extends keyof A ? A : A & { readonly [N in KeyName<R>]: string | number }

type KeyName<R extends Row.Row> = keyof Row.KeyFields<R> & string

/** The parameters of the query that a lookup needs. */
export type Parameters<R extends Row.Row> = R extends { readonly query: infer Q extends Schema.Struct.Fields }
  ? Schema.Struct<Q>["Type"]
  : unknown

/** The options of the lookup of a row. */
export type OptionsOf<R extends Row.Row, P extends ProjectionOf<R> | undefined = undefined> = Parameters<R> &
  (R extends { readonly forms: object }
    ? {
        /** The named set of fields of the records. Default: that of the service. */
        readonly projection?: P
      }
    : unknown)

/** The lookup of a row, in a projection. */
export type LookupOf<R extends Row.Row, P = undefined> = Lookup<RawRecord.RawRecord<RecordOf<R, P>>>

/**
 * Makes the function that makes the lookup of a row, with the type of the generated module. The value of the only
 * parameter of a row may be given alone.
 */
export const rowLookup = <Make>(row: Row.Row): Make => {
  const [parameter = "projection"] = Object.keys(row.query ?? {})
  const make = (options: unknown): Lookup<RawRecord.RawRecord> =>
    of(row, typeof options === "object" && options !== null ? options : { [parameter]: options })
  return make as Make
}

/** The names of the options of a row, each with the values that it accepts, or `true` for others. */
export const acceptedOptions = (row: Row.Row): Readonly<Record<string, ReadonlyArray<string> | true>> => ({
  ...(row.forms === undefined ? {} : { projection: Object.keys(row.forms) }),
  ...Object.fromEntries(Object.keys(row.query ?? {}).map((name) => [name, true] as const))
})

/** Makes the lookup of a row. Options that it does not have are ignored. */
export const of = (row: Row.Row, options: object = {}): Lookup<RawRecord.RawRecord> => {
  const given = Object.entries(options).filter(
    ([name, value]) => name in acceptedOptions(row) && value !== undefined
  )
  const { projection, ...parameters } = Object.fromEntries(given) as { readonly projection?: string }
  const form: Partial<Row.Form> = row.forms?.[projection ?? row.form ?? ""] ?? {}
  // A form with a response of its own is requested for one value.
  const batch = form.answer === undefined ? Operation.batch(row) : undefined
  const operation = batch ?? Operation.single(row)
  const isSent = projection !== undefined && (batch === undefined || batch.batch?.hasForms === true)
  const query = { ...(isSent ? { projection } : {}), ...parameters }
  const { key = Key.word } = operation
  const toFields = (id: string | undefined): Readonly<Record<string, unknown>> => key.toFields(id ?? "")
  const { refusal } = row
  return lookup({
    operation,
    kind: key,
    multiplicity: form.multiplicity ?? row.multiplicity,
    request: (ids) => {
      if (batch !== undefined) return { payload: ids.map((id) => Object.values(toFields(id))[0]), query }
      return row.get.path.includes("{")
        ? { params: toFields(ids[0]), query }
        : { query: { ...toFields(ids[0]), ...query } }
    },
    parameters: Object.keys(query).length === 0 ? undefined : (query as Lookup<unknown>["parameters"]),
    refusal: refusal && ((dialect) => refusal(dialect, projection ?? row.form ?? "")),
    reader: () => readerOf(row, key, (form.record ?? row.record)() as RecordSchema, batch !== undefined),
    ...(batch === undefined && row.page !== undefined ? { send: sendPages(operation, row.page) } : {})
  })
}

/** Requests the pages of one value, one after another. */
const sendPages =
  (operation: Operation.Operation, parameter: string): Send =>
  (client, { query, ...parts }, read) => {
    const readPage = pageReader(
      (body) => Result.map(read(body), ({ records }) => records),
      ({ record }) => record
    )
    const pages = Pages.all({
      endpoint: operation.name,
      request: (page) =>
        client.raw(operation, { ...parts, query: { ...query, [parameter]: page } }, readPage).pipe(
          Effect.catchIf(
            (error): error is ChemError.NotFound => error._tag === "NotFound" && page > 1,
            () =>
              Effect.fail(
                malformedPage(
                  operation.name,
                  `page ${page} was not found, and page ${page - 1} is not the last`
                )
              )
          )
        ),
      toText: ({ record }) => RawRecord.toText(record)
    })
    return Effect.map(
      collect(pages, operation.name, ({ record }) => record),
      (records) => ({ records })
    )
  }

type RecordSchema = Schema.Schema<unknown>

const readerOf = (row: Row.Row, key: Key.Key, schema: RecordSchema, isBatch: boolean): ResponseReader => {
  if (row.members !== undefined) return memberReader(row.scalar ?? "value", row.members, schema)
  if (row.scalar !== undefined) {
    return row.multiplicity === "many" ? substanceReader : countReader(row.scalar, schema)
  }
  const field = row.recordKey ?? key.name
  if (isBatch) return keyedReader(field, canonical(key.parse), schema)
  const reader = { ...singleReader(schema, field), schema: withField(schema, field) }
  return row.miss === "nothing" || row.get.alsoSent?.includes("nothing") === true ? orEmpty(reader) : reader
}

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

/** Reads the texts in a field of one object, a list or one text with commas, into a record each. */
const memberReader = (name: string, field: string, schema: RecordSchema): ResponseReader =>
  scalarReader(name, schema, ([id = ""]) =>
    recordsOf(id, (body) =>
      Result.flatMap(elementsOrOne(body), (objects) => {
        const texts = objects.flatMap((object) => textsOf(RawRecord.value(object, field)))
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

const textsOf = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "string") {
    return value.split(",").flatMap((text) => (text.trim() === "" ? [] : [text.trim()]))
  }
  const list = RawRecord.isRawRecord(value) ? Result.getOrElse(RawRecord.parse(value), () => []) : []
  return Array.isArray(list) ? list : []
}

/** Returns the schema of a record with the field of the identifier, which the reader adds. */
const withField = (schema: RecordSchema, field: string): RecordSchema => {
  const { schema: struct } = schema as { readonly schema?: Schema.Struct<Schema.Struct.Fields> }
  if (struct === undefined || field in struct.fields) return schema
  const annotations = Schema.resolveAnnotations(schema) ?? {}
  return Schema.Struct({ [field]: Schema.String, ...struct.fields }).annotate(annotations as never)
}
