/**
 * Makes an `HttpApi` from rows of endpoints (`make`), and the contract as one (`ChemicalApi`).
 *
 * The OpenAPI document derives from it, and so may servers and clients of others. It does no input or output.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { openStruct } from "../schemas/internal/openStruct.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import * as Operation from "./Operation.ts"
import { BadRequest, NotFound, TooLarge } from "./ProblemDetails.ts"
import type * as Row from "./Row.ts"
import * as Rows from "./Rows.ts"

/** The schema of a response with such records. */
const listOf = (answer: Row.Answer, record: Schema.Top): Schema.Top => {
  switch (answer) {
    case "one":
      return record
    case "either":
      return Schema.Union([record, Schema.Array(record)])
    default:
      return Schema.Array(record)
  }
}

/** The schema of a response. Forms with an answer of their own are alternatives; others have a part of the fields. */
const responseOf = ({ accept, batch, row }: Operation.Operation): Schema.Top => {
  if (batch !== undefined) return batch.response?.() ?? Schema.Array(row.record())
  const others = Object.values(row.forms ?? {}).flatMap(({ answer, record }) =>
    answer === undefined ? [] : [listOf(answer, record())]
  )
  const own = row.members === undefined ? listOf(row.get.answer, row.record()) : membersOf(row.members, row)
  const schema = others.length === 0 ? own : Schema.Union([own, ...others])
  return accept === "application/json"
    ? schema
    : schema.pipe(HttpApiSchema.asJson({ contentType: accept }) as (schema: Schema.Top) => Schema.Top)
}

/** The schema of a response that has its texts in one field (`Row.members`). */
const membersOf = (name: string, row: Row.Row): Schema.Top =>
  openStruct({
    [name]: Schema.Union([Schema.String, Schema.Array(row.record())]).annotate({
      description: "A list, or one text with commas"
    })
  })

/** The errors that an endpoint sends beside those of its middleware. */
const errorOf = ({ batch, row }: Operation.Operation) => {
  if (batch !== undefined) return { error: batch.refusal === 400 ? BadRequest : TooLarge }
  return row.miss === "404" ? { error: NotFound } : {}
}

/** Makes the endpoint of a request. */
const endpointOf = (operation: Operation.Operation): HttpApiEndpoint.Top => {
  const { batch, method, name, path, title } = operation
  const options = { ...operation.parts(), ...errorOf(operation), success: responseOf(operation) }
  const declare = HttpApiEndpoint.make(method)
  const endpoint = declare(
    Operation.methodOf(name),
    path.replace(/\{(\w+)\}/g, ":$1") as `/${string}`,
    options as never
  ) as unknown as HttpApiEndpoint.Top
  const titled = endpoint.annotate(OpenApi.Summary, title)
  return batch === undefined
    ? titled
    : titled.annotate(BatchLimit, {
        values: batch.limit,
        refusal: batch.refusal ?? 413,
        documented: batch.documented
      })
}

/**
 * Makes the contract of rows.
 *
 * @example
 * ```ts
 * import { ChemicalApi, Synonyms } from "@chemstream/api"
 * import { OpenApi } from "effect/http-api"
 *
 * Object.keys(OpenApi.fromApi(ChemicalApi.make([Synonyms.byDtxsid])).paths).length // => 2
 * ```
 */
export const make = (rows: ReadonlyArray<Row.Row>): HttpApi.Top => {
  const groups = Map.groupBy(Operation.ofRows(rows), ({ name }) => Operation.groupOf(name))
  const made = [...groups].map(([group, operations]) => {
    const [first, ...others] = operations.map(endpointOf)
    return HttpApiGroup.make(group)
      .add(first as HttpApiEndpoint.Top, ...others)
      .middleware(RequestCheck)
      .middleware(ApiKey)
  })
  return HttpApi.make("chemical-information")
    .add(...(made as unknown as [HttpApiGroup.Top]))
    .annotate(OpenApi.Title, "Chemical information service")
    .annotate(
      OpenApi.Description,
      `Read-only chemical information: ${[...groups.keys()].join(", ")}`
    ) as unknown as HttpApi.Top
}

type SchemaOf<T> = [T] extends [never] ? never : Schema.Codec<T>

/** The schema of a part of a request, e.g. its `query`. */
type Part<T, N extends string> = T extends { readonly [K in N]: infer P } ? Schema.Codec<P> : never

type Middleware = ApiKey | RequestCheck

/** The types of the endpoints of a row, for one value and for a batch. */
type GetEndpoint<R extends Row.Row> = HttpApiEndpoint.HttpApiEndpoint<
  Row.MethodOf<R>,
  "GET",
  string,
  Part<Row.GetRequest<R>, "params">,
  Part<Row.GetRequest<R>, "query">,
  never,
  never,
  SchemaOf<Row.Response<R>>,
  R["miss"] extends "404" ? typeof NotFound : never,
  Middleware
>

type BatchEndpoint<R extends Row.Row> = R extends { readonly batch: Row.Batch }
  ? HttpApiEndpoint.HttpApiEndpoint<
      `${Row.MethodOf<R>}Batch`,
      "POST",
      string,
      never,
      Part<Row.BatchRequest<R>, "query">,
      Part<Row.BatchRequest<R>, "payload">,
      never,
      SchemaOf<Row.BatchResponse<R>>,
      typeof BadRequest | typeof TooLarge,
      Middleware
    >
  : never

type EndpointsOf<R extends Row.Row> = R extends Row.Row ? GetEndpoint<R> | BatchEndpoint<R> : never

/** A group of the contract. */
type Group<G extends string> = HttpApiGroup.HttpApiGroup<
  G,
  EndpointsOf<Extract<Rows.OfContract, { readonly name: `${G}.${string}` }>>
>

type GroupUnion<G extends GroupName = GroupName> = G extends string ? Group<G> : never

/** The name of a group of endpoints, e.g. `details`. */
export type GroupName = Row.GroupOf<Rows.OfContract>

/** The groups of endpoints by their names. */
export type Groups = { readonly [G in GroupName]: Group<G> }

/**
 * The chemical-information service: the rows of the contract. `make(Rows.all)` has those of the public service too.
 *
 * @example
 * ```ts
 * import { ChemicalApi } from "@chemstream/api"
 * import { OpenApi } from "effect/http-api"
 *
 * Object.keys(OpenApi.fromApi(ChemicalApi.ChemicalApi).paths).length // => 33
 * ```
 */
export const ChemicalApi: HttpApi.HttpApi<"chemical-information", GroupUnion> = lazy(() =>
  make(Rows.contract)
) as never
