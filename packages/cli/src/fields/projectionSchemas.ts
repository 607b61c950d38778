/**
 * The schemas and fields of the records of endpoints, by dialect and projection. `schema`, `help fields` and the messages about unknown
 * fields use them.
 */
import { RecordSchema, type Row } from "@chemstream/api"
import type { Dialect } from "@chemstream/client"
import { Table } from "@chemstream/ndjson"
import { Listing, Lookup } from "@chemstream/stream"
import { Schema } from "effect"

/** The columns of each projection, by name. An endpoint without projections has a single entry with an empty name. */
export type Projections = Readonly<Record<string, ReadonlyArray<Table.Column>>>

/** The schema of each projection, by name. */
export type Schemas = Readonly<Record<string, Schema.Constraint>>

/** Returns the name of the projection of an endpoint that a request without one gets. */
export const defaultProjection = ({ command, form = "" }: Row.Row): string => command?.form ?? form

/** Returns the schemas of the records of an endpoint in a dialect, without the projections that the dialect does not have. */
export const schemasOf = (row: Row.Row, dialect: Dialect.Name): Schemas => {
  const { form = "", forms = {}, refusal } = row
  // `forms` of a row has the projections that a request can name. The default may be none of them.
  const own = form in forms ? [] : [defaultProjection(row)]
  const names = Object.keys(forms).filter((name) => refusal?.(dialect, name) === undefined)
  return Object.fromEntries(
    [...own, ...names].map((name) => [name, RecordSchema.inDialect(schemaOf(row, name), dialect)])
  )
}

const schemaOf = (row: Row.Row, name: string): Schema.Constraint => {
  if (row.key === undefined) return Listing.schemaOf(row, name)
  const form = row.forms?.[name]
  return Lookup.of(row, form === undefined ? {} : { projection: name }).schema ?? Schema.Unknown
}

/** Returns the columns of the records of an endpoint by projection, in a dialect. */
export const columnsOf = (row: Row.Row, dialect: Dialect.Name): Projections =>
  Object.fromEntries(
    Object.entries(schemasOf(row, dialect)).map(([name, schema]) => [name, Table.columnsOf(schema)])
  )
