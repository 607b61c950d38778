/**
 * Reads the records of an endpoint without a key: a list of pages, or a catalogue, which is one response.
 *
 * An endpoint with a key is a lookup (`Lookup.of`). Records stay the bytes of the response. The scalar values of an endpoint become
 * records with one field, e.g. `{"type":"federal"}`.
 */
import type { Row } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import type { Schema } from "effect"
import { type PagesOf, pagesOf, recordSchemaOf } from "./internal/endpointPages.ts"
import { rowKind } from "./internal/lookupType.ts"

/** The readers of an endpoint: `all` records, one `page`, or all `pages`. A catalogue has one page. */
export type Listing<R extends Row.Row> = PagesOf<R>

/**
 * Makes the readers of an endpoint.
 *
 * @example
 * ```ts
 * import { Row } from "@chemstream/api"
 * import { Listing } from "@chemstream/stream"
 * import { Effect, Schema, Stream } from "effect"
 *
 * const types = Row.make({
 *   name: "lists.types",
 *   section: "-",
 *   what: "types of lists",
 *   multiplicity: "many",
 *   miss: "empty",
 *   scalar: "type",
 *   record: () => Schema.String,
 *   get: { path: "/chemical/list/type", answer: "list" }
 * })
 *
 * const program = Listing.of(types)
 *   .all()
 *   .pipe(Stream.runForEach((record) => Effect.log(record)))
 * ```
 */
export const of = <const R extends Row.Row>(row: R): Listing<R> => {
  Options.refuseArguments(rowArguments, [row])
  return pagesOf(row)
}

const rowArguments = { row: /* @__PURE__ */ Options.required(rowKind) }

/** Returns the schema of the records of an endpoint, in a projection. */
export const schemaOf = (row: Row.Row, projection = ""): Schema.Constraint => {
  Options.refuseArguments(rowArguments, [row])
  return recordSchemaOf(row, (row.forms?.[projection] ?? row).record())
}
