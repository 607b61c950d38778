/**
 * Handles the requests of endpoints over any `Store`: records by key, one value or a batch.
 *
 * Records are sent as imported, byte for byte. A batch keeps the order of its values, and sorts the records of each value
 * by their number. A repeated value counts once. An unknown value is a miss as `Row.miss` says; in a batch it has no
 * records. Special endpoints have handlers beside this module.
 */
import { type ChemicalApi, Operation, ProblemDetails, Quote, type Row } from "@chemstream/api"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Store } from "../../Store.ts"
import { checkBatchSize } from "../records/checkBatchSize.ts"
import { batchResponse, json, type Pages, pagesResponse, recordsResponse } from "../records/jsonResponses.ts"
import * as recordSource from "../records/recordSource.ts"

type Endpoints<G extends ChemicalApi.GroupName> = ChemicalApi.Groups[G]["endpoints"]

/** Handlers of a group by endpoint, with the types of the contract. */
export type HandlersOf<G extends ChemicalApi.GroupName> = {
  readonly [E in keyof Endpoints<G>]?: (
    request: HttpApiEndpoint.Request<Endpoints<G>[E]>
  ) => Effect.Effect<
    HttpServerResponse.HttpServerResponse | HttpApiEndpoint.Success<Endpoints<G>[E]>["Type"],
    Problem
  >
}

type Problem = ProblemDetails.NotFound | ProblemDetails.TooLarge | ProblemDetails.BadRequest

/** A decoded request. */
interface Request {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly payload?: ReadonlyArray<unknown>
}

/** A handler of any request. */
export type Handler = (request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, Problem>

/** Returns the handlers of an endpoint, and of its batch, by name. */
export const make = (
  store: Store["Service"],
  row: Row.Row,
  pageSize: number
): Readonly<Record<string, Handler>> => {
  const name = Operation.methodOf(row.name)
  const { page } = row
  if (page !== undefined) {
    return {
      [name]: ({ params, query = {} }) =>
        Effect.map(
          Effect.orDie(
            store.recordPage(
              row.name,
              String(valuesOf(row, { ...query, ...params })[0]),
              Number(query[page] ?? 1),
              pageSize
            )
          ),
          ({ records }) => recordsResponse(records)
        )
    }
  }
  const pagesOf = recordSource.of(store, row)
  const batch: Handler = ({ payload = [] }) =>
    Effect.andThen(checkBatchSize(row, payload), batchResponse(pagesOf(payload)))
  return {
    [name]: ({ params, query = {} }) => {
      const values = valuesOf(row, { ...query, ...params })
      const shape = recordSource.shapeOf(row, query["projection"])
      return respond(row, values, pagesOf(values), shape)
    },
    ...(row.batch === undefined ? {} : { [`${name}Batch`]: batch })
  }
}

/** The values of a request for one key. A catalogue has one key, the empty text. */
const valuesOf = ({ key }: Row.Row, fields: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> =>
  key === undefined
    ? [""]
    : [
        Object.keys(key.fields)
          .map((name) => fields[name])
          .join(",")
      ]

const respond = (
  row: Row.Row,
  values: ReadonlyArray<unknown>,
  pages: Pages,
  { all, each }: recordSource.Shape
): ReturnType<Handler> => {
  const isOne = row.multiplicity === "one"
  const found = isOne
    ? Effect.map(
        recordSource.first(pages),
        Option.map((record) => json((all ?? each ?? same)(record)))
      )
    : pagesResponse(pages, each)
  return Effect.flatMap(found, (response) =>
    Option.isSome(response) ? Effect.succeed(response.value) : miss(row, subjectOf(row, values[0]))
  )
}

const same = (record: Uint8Array): Uint8Array => record

const miss = (row: Row.Row, subject: string): ReturnType<Handler> => {
  switch (row.miss) {
    case "empty":
      return Effect.succeed(json(new TextEncoder().encode("[]")))
    case "nothing":
      return Effect.succeed(HttpServerResponse.empty({ status: 200 }))
    case "400":
    case "suggestions":
      return Effect.fail(new ProblemDetails.BadRequest({ detail: noData(row, subject) }))
    case "404":
      return Effect.fail(new ProblemDetails.NotFound({ detail: noData(row, subject) }))
  }
}

/** The message about a value without records. */
export const noData = ({ noun, what }: Row.Row, subject: string): string => {
  const records = noun ?? what
  return `No ${records} ${records.endsWith("s") ? "are" : "is"} known for ${subject}`
}

/** A value in a message: an identifier of a substance alone, any other with its kind. */
const subjectOf = ({ key }: Row.Row, value: unknown): string => {
  if (key === undefined) return "this catalogue"
  if (key.name === "dtxsid" || key.name === "dtxcid") return String(value)
  const kind = key.one.replace(/^an? /, "the ")
  return `${kind} ${/^\d+$/.test(String(value)) && key.name !== "spid" ? value : Quote.value(String(value))}`
}

/** Fails with 404 if there is no value. */
export const orNotFound = <A>(
  lookup: Effect.Effect<Option.Option<A>>,
  detail: string
): Effect.Effect<A, ProblemDetails.NotFound> =>
  Effect.mapError(
    Effect.flatMap(lookup, (found) => Effect.fromOption(found)),
    () => new ProblemDetails.NotFound({ detail })
  )
