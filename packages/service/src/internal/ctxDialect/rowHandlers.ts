/**
 * Handles the requests of rows as the public service does: records by key, one value or a batch. Records have the names
 * and units of the public service.
 *
 * The response for an unknown value is an empty array if a value has many records, else a miss. Special rows have handlers
 * beside this module.
 */
import { Dialect, Operation, type Row } from "@chemstream/api"
import { Effect, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Variants } from "../../Variants.ts"
import { pagesResponse } from "../records/recordPages.ts"
import * as recordSource from "../records/recordSource.ts"
import { batch, type Context, type Handler, type HandlerRequest, wholeNumber } from "./handler.ts"
import * as records from "./records.ts"
import { emptyBody, type HandlerResponse, json, list, notFound, refusal, tooMany } from "./responses.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the handlers of a row by endpoint. */
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
  const single: Handler = (request) =>
    withKey(row, request, (value) => {
      const shape = shapes?.forms?.[request.query.get("projection") ?? ""] ?? shapes?.single ?? same
      if (row.multiplicity === "many") return all([value], shape)
      return Effect.map(recordSource.first(pagesOf([value])), (found) =>
        row.miss === "404" && row.get.answer === "one"
          ? Option.match(found, {
              onNone: () => notFound(variants.misses, row.key?.name ?? "", String(value)),
              onSome: (stored) => json(shape(stored))
            })
          : one(variants, Option.getOrUndefined(Option.map(found, shape)))
      )
    })
  return {
    [name]: single,
    ...(row.batch === undefined
      ? {}
      : { [`${name}Batch`]: batchOf(context, row, (values) => all(values, shapes?.batch ?? same)) })
  }
}

/** Responds with one record, in the form of the release. */
export const one = (variants: Variants, text: string | undefined): HttpServerResponse.HttpServerResponse => {
  if (variants.single === "array") return list(text === undefined ? [] : [text])
  return text === undefined ? emptyBody : json(text)
}

/** Responds with a page object. A page past the end has no records. The number of pages is at least 1. */
const pageOf =
  ({ pageSize, store }: Context, row: Row.Row, parameter: string): Handler =>
  (request) =>
    wholeNumber(parameter, request.query.get(parameter) ?? "1", (pageNumber) =>
      withKey(row, request, (value) =>
        Effect.map(
          Effect.orDie(store.recordPage(row.name, String(value), pageNumber, pageSize)),
          ({ records, total }) =>
            json(
              `{${row.key === undefined ? "" : `"${row.key.name}":${JSON.stringify(value)},`}"totalRecords":${total},"recordsOnPage":${records.length},"pageNumber":${pageNumber},"totalPages":${Math.floor(total / pageSize) + 1},"data":[${records.map(same).join(",")}]}`
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

/** Whether the key of a row is a number. */
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
  return isNumeric(row) ? wholeNumber(name, values[0] ?? "", use) : use(values.join(","))
}

/** How the records of a row are made of stored records. */
interface Shapes {
  readonly single: records.Reshape
  readonly batch: records.Reshape
  readonly forms?: Readonly<Record<string, records.Reshape>>
}

const same: records.Reshape = (stored) => decoder.decode(stored)

/** The rows whose records have other names or units in the public service. */
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
