/**
 * Handles the requests of endpoints as the public service does: records by key, one value or a batch. Records have the names
 * and units of the public service.
 *
 * The response for an unknown value is an empty array if a value has many records, else a miss. Special endpoints have handlers
 * beside this module.
 */
import { Dialect, Operation, type Row } from "@chemstream/api"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Effect, Option, Result, type Schema, SchemaAST } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Variants } from "../../Variants.ts"
import { pagesResponse } from "../records/jsonResponses.ts"
import * as recordSource from "../records/recordSource.ts"
import { batch, type Context, type Handler, type HandlerRequest, wholeNumber } from "./ctxHandler.ts"
import * as records from "./ctxRecords.ts"
import { emptyBody, type HandlerResponse, json, list, notFound, refusal, tooMany } from "./ctxResponses.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the handlers of an endpoint, and of its batch, by name. */
export const make = (context: Context, row: Row.Row): Readonly<Record<string, Handler>> => {
  const { store, variants } = context
  const name = Operation.methodOf(row.name)
  const { page } = row
  if (page !== undefined) return { [name]: pageOf(context, row, page) }
  const pagesOf = recordSource.of(store, row)
  const shapes = shapesOf(variants)[row.name]
  const all = (values: ReadonlyArray<unknown>, shape: records.Reshape): HandlerResponse =>
    Effect.map(
      pagesResponse(pagesOf(values), (stored) => encoder.encode(shape(stored))),
      Option.getOrElse(() => list([]))
    )
  const shapeOf = formShapes(row)
  const single: Handler = (request) =>
    withKey(row, request, (value) => {
      const { query } = request
      const projection = query.get("projection") ?? ""
      const shape = shapes?.forms?.[projection] ?? shapes?.single ?? shapeOf(projection)
      const missing = (): HttpServerResponse.HttpServerResponse => missOf(variants, row, String(value))
      if (row.multiplicity === "many" && !recordSource.isWhole(row)) {
        return Effect.map(recordSource.some(row, pagesOf([value]), query), (stored) =>
          stored.length === 0 ? missing() : list(stored.map(shape))
        )
      }
      if (row.get.part !== undefined || row.multiplicity === "one") {
        return Effect.map(recordSource.first(pagesOf([value])), (found) =>
          Option.match(found, { onNone: missing, onSome: (stored) => one(variants, row, shape(stored)) })
        )
      }
      return Effect.map(
        pagesResponse(pagesOf([value]), (stored) => encoder.encode(shape(stored))),
        Option.getOrElse(missing)
      )
    })
  return {
    [name]: single,
    ...(row.batch === undefined
      ? {}
      : { [`${name}Batch`]: batchOf(context, row, (values) => all(values, shapes?.batch ?? shapeOf(""))) })
  }
}

/** Responds with one record: alone, in an array, in the form of the release, or with the list in one of its fields. */
const one = (variants: Variants, { get }: Row.Row, text: string): HttpServerResponse.HttpServerResponse => {
  if (get.body !== undefined) return fileOf(text)
  if (get.part !== undefined) return json(partOf(get.part.field, text))
  if (get.answer === "either") return either(variants, text)
  return get.answer === "list" ? list([text]) : json(text)
}

const partOf = (field: string, text: string): string => {
  const [part] = Result.getOrThrow(RawProjection.reader([field])(RawRecord.fromText(text)))
  return part === undefined ? "[]" : RawRecord.toText(part)
}

/** Responds with the content of the record of a file. */
const fileOf = (record: string): HttpServerResponse.HttpServerResponse => {
  const { base64, mediaType, text = "" } = JSON.parse(record) as Readonly<Record<string, string>>
  const bytes = base64 === undefined ? encoder.encode(text) : Buffer.from(base64, "base64")
  return HttpServerResponse.uint8Array(bytes, { contentType: mediaType ?? "application/octet-stream" })
}

/** Responds with one record, or with none, in the form of the release. */
export const either = (
  variants: Variants,
  text: string | undefined
): HttpServerResponse.HttpServerResponse => {
  if (variants.single === "array") return list(text === undefined ? [] : [text])
  return text === undefined ? emptyBody : json(text)
}

/** Responds to an unknown value. */
const missOf = (variants: Variants, row: Row.Row, value: string): HttpServerResponse.HttpServerResponse => {
  const { get, key, miss, multiplicity, unknown } = row
  if (unknown !== undefined)
    return json(JSON.stringify({ [row.recordKey ?? key?.name ?? ""]: value, ...unknown }))
  switch (miss) {
    case "400": {
      const kind = get.body === undefined ? kindOf(key?.name ?? "") : key?.name.toUpperCase()
      return refusal(400, { detail: `${kind} with value ${value} not found.` })
    }
    case "nothing":
      return get.body === undefined
        ? HttpServerResponse.empty({ status: 200 })
        : HttpServerResponse.uint8Array(new Uint8Array(), { contentType: get.accept ?? "" })
    case "404":
      if (multiplicity === "many") return list([])
      return get.answer === "one"
        ? notFound(variants.misses, key?.name ?? "", value)
        : either(variants, undefined)
    default:
      return list([])
  }
}

/** The kind of a value in a refusal, e.g. `List name`. */
const kindOf = (name: string): string =>
  /[A-Z]/.test(name)
    ? name.replace(/^[a-z]|[A-Z]/g, (letter, at) =>
        at === 0 ? letter.toUpperCase() : ` ${letter.toLowerCase()}`
      )
    : name

/** The names of the fields of a schema. */
const fieldsOf = ({ ast }: Schema.Top): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** Returns the shape of a projection: the fields of its form, or the record without those that only another form has. */
export const formShapes = (row: Row.Row): ((projection: string) => records.Reshape) => {
  const { forms = {}, record, scalar } = row
  if (scalar !== undefined) return scalarShapes(scalar, forms)
  if (row.dialect === undefined || Object.keys(forms).length === 0) return () => same
  const own = new Set(fieldsOf(record()))
  const shapes = new Map(
    Object.entries(forms).map(([name, form]): [string, records.Reshape] => [
      name,
      reshaped(RawProjection.picker(fieldsOf(form.record()), { missing: "null" }))
    ])
  )
  const others = Object.values(forms).flatMap((form) => fieldsOf(form.record()))
  const split = RawProjection.splitter(others.filter((name) => !own.has(name)))
  const whole = reshaped((stored) => Result.map(split(stored), ({ rest }) => rest))
  return (projection) => (projection === row.form ? whole : (shapes.get(projection) ?? whole))
}

/** The shapes of scalar values: alone, or in records of a form whose other fields are unknown. */
const scalarShapes =
  (scalar: string, forms: NonNullable<Row.Row["forms"]>) =>
  (projection: string): records.Reshape => {
    const form = forms[projection]
    if (form?.isObject !== true) return same
    const blank = Object.fromEntries(fieldsOf(form.record()).map((name) => [name, null]))
    return (stored) => JSON.stringify({ ...blank, [scalar]: JSON.parse(same(stored)) })
  }

const reshaped =
  (change: (record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, unknown>): records.Reshape =>
  (stored) =>
    RawRecord.toText(Result.getOrThrow(change(RawRecord.fromBytes(stored))))

/** Responds with a page object. A page past the end has no records. The number of pages is at least 1. */
const pageOf =
  ({ pageSize = Dialect.ctxPageObjectSize, store }: Context, row: Row.Row, parameter: string): Handler =>
  (request) =>
    wholeNumber(parameter, request.query.get(parameter) ?? "1", (pageNumber) =>
      withKey(row, request, (value) =>
        Effect.map(
          Effect.orDie(store.recordPage(row.name, String(value), pageNumber, pageSize)),
          ({ records: page, total }) =>
            json(
              `{${row.key === undefined ? "" : `"${row.key.name}":${JSON.stringify(value)},`}"totalRecords":${total},"recordsOnPage":${page.length},"pageNumber":${pageNumber},"totalPages":${Math.floor(total / pageSize) + 1},"data":[${page.map(same).join(",")}]}`
            )
        )
      )
    )

/** The values of a batch are distinct and sorted. A batch that is too large is refused as its family does. */
const batchOf = (
  context: Context,
  row: Row.Row,
  respond: (values: ReadonlyArray<unknown>) => HandlerResponse
): Handler => {
  const { variants } = context
  const operation = Operation.batch(row)
  const limit = row.batch?.limit ?? 1
  const largest = operation === undefined ? undefined : Operation.difference(operation, "ctx").largest
  const kind = row.key?.name ?? ""
  return batch(context, undefined, (values) => {
    if (largest === undefined && values.length > limit) {
      return Effect.succeed(tooMany(variants.tooMany, kind, values.length, limit))
    }
    if (largest !== undefined && variants.dataLimit === "500" && values.length > largest) {
      return Effect.succeed(refusal(500))
    }
    if (!isNumeric(row)) return respond([...new Set(values)].sort())
    return values.every((value) => /^\d+$/.test(value))
      ? respond([...new Set(values)].map(Number).sort((a, b) => a - b))
      : Effect.succeed(refusal(500))
  })
}

/** Whether the key of an endpoint is a number. */
const isNumeric = ({ key }: Row.Row): boolean =>
  Object.values(key?.fields ?? {}).some(({ ast }) => ast._tag === "Number")

/** Reads the key of a request. A catalogue has the empty text. */
const withKey = (
  row: Row.Row,
  { params, query }: HandlerRequest,
  use: (value: unknown) => HandlerResponse
): HandlerResponse => {
  const names = Object.keys(row.key?.fields ?? {})
  const [name = ""] = names
  const values = names.map((field) => params[field] ?? query.get(field) ?? "")
  if (!isNumeric(row)) return use(values.join(","))
  // The public service responds without a body where it has files.
  if (row.get.body !== undefined && !/^\d+$/.test(values[0] ?? "")) {
    return Effect.succeed(HttpServerResponse.empty({ status: 500 }))
  }
  return wholeNumber(name, values[0] ?? "", use)
}

/** How the records of an endpoint are made of stored records: for one value, for a batch, and by projection (`forms`). */
interface Shapes {
  readonly single: records.Reshape
  readonly batch: records.Reshape
  readonly forms?: Readonly<Record<string, records.Reshape>>
}

const same: records.Reshape = (stored) => decoder.decode(stored)

/** The endpoints whose records have other names or units in the public service. */
const shapesOf = (variants: Variants): Readonly<Record<string, Shapes>> => {
  const data = records.data(variants)
  const both = { single: data, batch: data }
  return {
    "bioactivity.bySpid": both,
    "bioactivity.byM4id": both,
    "bioactivity.byAeid": both,
    "bioactivity.byDtxsid": { ...both, forms: { [Dialect.plotProjection]: records.plotPoint } },
    "bioactivity.aedByDtxsid": { single: records.singleAed, batch: records.aed }
  }
}
