/**
 * Handles the endpoints that rows declare over any `Store`, as layers of an `HttpApi` of these rows.
 *
 * Before a handler, middlewares of the contract check the key and the request.
 */
import { type Access, ChemicalApi, Details, Operation, type Row, Rows } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"
import { Effect, Layer } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import * as detailHandlers from "./internal/handlers/detailHandlers.ts"
import * as endpointHandlers from "./internal/handlers/endpointHandlers.ts"
import * as msReadyHandlers from "./internal/handlers/msReadyHandlers.ts"
import * as nameSearchHandlers from "./internal/handlers/nameSearchHandlers.ts"
import * as summaryHandlers from "./internal/handlers/summaryHandlers.ts"
import { rowKind } from "./internal/records/recordSource.ts"
import { Store } from "./Store.ts"

/** The options of the handlers. */
export interface Options extends detailHandlers.Options {
  /** The rows of endpoints beside those of the contract. Their records are imported by the name of the row. Default: none. */
  readonly rows?: ReadonlyArray<Row.Row> | undefined
}

/** Returns the rows of the endpoints of a service: those of the contract and of the public service, and those of its options. */
export const rowsOf = (options: Options): ReadonlyArray<Row.Row> => {
  const { rows = [] } = Declared.refuse(optionSet, Declared.pick(optionSet, options))
  return [...Rows.all, ...rows]
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  pageSize: Declared.count,
  rows: Declared.list(rowKind)
})

/** Returns the rows of the endpoints that a service responds to as the contract says. The others have a dialect of their own. */
export const contractRowsOf = (options: Options): ReadonlyArray<Row.Row> =>
  rowsOf(options).filter(({ dialect }) => dialect === undefined)

/** Makes the `HttpApi` of a service. Its errors keep the refused value, so that the response can quote it. */
export const apiOf = (options: Options): HttpApi.Top =>
  ChemicalApi.make(contractRowsOf(options)).annotate(HttpApi.ParseOptions, {
    reportInput: true
  }) as HttpApi.Top

/** The handlers of all groups. They need a store and the middlewares of the contract. */
export const layer = (
  options: Options = {}
): Layer.Layer<
  HttpApiGroup.Service<"chemical-information", ChemicalApi.GroupName>,
  never,
  Store | Access.ApiKey | Access.RequestCheck
> => {
  const api = apiOf(options)
  const rowsOfGroups = Map.groupBy(contractRowsOf(options), ({ name }) => Operation.groupOf(name))
  // Rows decide the endpoints at run time, and the types of Effect need them at compile time, hence `never`.
  const layers = [...rowsOfGroups].map(([group, rows]) =>
    HttpApiBuilder.group(
      api,
      group,
      Effect.fnUntraced(function* (handlers) {
        const store = yield* Store
        const { pageSize = Details.defaultPageSize } = options
        const all: object = {
          ...Object.assign({}, ...rows.map((row) => endpointHandlers.make(store, row, pageSize))),
          ...special[group]?.(store, options)
        }
        return handlers.handleAll(all as never)
      }) as never
    )
  )
  const [first, ...others] = layers
  return Layer.mergeAll(first as never, ...(others as Array<never>)) as never
}

/** The handlers of special endpoints, which replace those of `endpointHandlers`. */
const special: Readonly<Record<string, (store: Store["Service"], options: Options) => object>> = {
  details: detailHandlers.make,
  search: nameSearchHandlers.make,
  msready: msReadyHandlers.make,
  bioactivity: summaryHandlers.make
}
