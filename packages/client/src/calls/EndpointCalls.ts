/**
 * The calls of an endpoint that a program declares with a row: `client.endpoint(row)`.
 *
 * The endpoints of the contract have calls by name, e.g. `client.details.byDtxsid`. One of the program's own has the same.
 */
import type { Row } from "@chemstream/api"
import type { Effects, Many, Mode, One } from "./Mode.ts"
import type { Page } from "./Pages.ts"

/** The value of a key: that of its only field, or all its fields by name. Undefined: a catalogue has no key. */
export type KeyOf<R extends Row.Row> = R extends { readonly key: object }
  ? Row.KeyFields<R>[keyof Row.KeyFields<R>] extends { readonly Type: number }
    ? number
    : string
  : undefined

/** The projections of an endpoint. */
export type ProjectionOf<R extends Row.Row> = (keyof R["forms"] | R["form"]) & string

/** The options of a call: the parameters of the query, and the projection. */
export type OptionsOf<R extends Row.Row, P> = Row.Parameters<R> & { readonly projection?: P | undefined }

/** The response of a call for one value. */
export type ResponseOf<R extends Row.Row, P> = [Row.PartOf<R>] extends [never]
  ? Row.IsList<R, P> extends true
    ? ReadonlyArray<Row.RecordIn<R, P>>
    : Row.RecordIn<R, P>
  : ReadonlyArray<Row.PartOf<R>>

/** The calls of an endpoint. */
export interface EndpointCalls<R extends Row.Row, F extends Mode = Effects> {
  /** Gets the records of one value. Fails with `NotFound` if the service says that it has none. */
  readonly get: <P extends ProjectionOf<R> = R["form"] & string>(
    key: KeyOf<R>,
    options?: OptionsOf<R, P>
  ) => One<F, ResponseOf<R, P>>
  /** Gets the records of several values in one request. An endpoint without a batch fails with `InvalidIdentifier`. */
  readonly batch: <P extends ProjectionOf<R> = R["form"] & string>(
    keys: ReadonlyArray<KeyOf<R>>,
    options?: { readonly projection?: P | undefined }
  ) => One<F, ReadonlyArray<Row.RecordIn<R, P>>>
  /** Streams the pages of a paged endpoint. */
  readonly pages: <P extends ProjectionOf<R> = R["form"] & string>(
    key: KeyOf<R>,
    options?: { readonly projection?: P | undefined; readonly page?: number | undefined }
  ) => Many<F, Page<Row.RecordIn<R, P>>>
}

/**
 * Makes the calls of an endpoint.
 *
 * @example
 * ```ts
 * import { Key, Row } from "@chemstream/api"
 * import { ChemClient } from "@chemstream/client"
 * import { Effect, Schema } from "effect"
 *
 * const use = Row.make({
 *   name: "exposure.useByDtxsid",
 *   section: "-",
 *   what: "functional uses",
 *   key: Key.dtxsid,
 *   multiplicity: "many",
 *   miss: "empty",
 *   record: () => Schema.Struct({ dtxsid: Schema.String, reportedFunctionalUse: Schema.String }),
 *   get: { path: "/exposure/functional-use/search/by-dtxsid/{dtxsid}", answer: "list" }
 * })
 *
 * const uses = Effect.gen(function* () {
 *   const client = yield* ChemClient.ChemClient
 *   return yield* client.endpoint(use).get("DTXSID7020182")
 * })
 * ```
 */
export type MakeCalls<F extends Mode = Effects> = <const R extends Row.Row>(row: R) => EndpointCalls<R, F>
