/**
 * The requests of a row: one for a single value (`single`), and one for a batch if the row has it (`batch`). The parts of a request are
 * its path parameters, query and body: `Parts` are their schemas, and `Values` the values that one request has for them.
 *
 * The client sends them, the service responds to them, and `ChemicalApi` describes them.
 */
import { Schema } from "effect"
import * as Dialect from "../dialect/Dialect.ts"
import type { Key } from "../identifiers/Key.ts"
import { argument, named } from "../internal/checkArgument.ts"
import type * as Row from "./Row.ts"

/** The schemas of the parts of a request: its path parameters, its query and its body. */
export interface Parts {
  readonly params?: Schema.Struct.Fields
  readonly query?: Schema.Struct.Fields
  readonly payload?: Schema.Top
}

/** A request of a row. */
export interface Operation {
  /** Its name: that of the row, with `Batch` for a batch. */
  readonly name: string
  readonly row: Row.Row
  readonly method: "GET" | "POST"
  /** The path, with parameters in braces. */
  readonly path: string
  /** The media type of the response. */
  readonly accept: string
  /** The batch of the row, with the maximum number of values. Undefined: the request is for a single value. */
  readonly batch: Row.Batch | undefined
  readonly key: Key | undefined
  /** The title, as a sentence without a full stop. */
  readonly title: string
  /** Returns the schemas of its parts, which are made at the first call. */
  readonly parts: () => Parts
}

/** Adds the schemas of the parts. */
const withParts = (operation: Omit<Operation, "parts">): Operation => {
  let schemas: Parts | undefined
  return {
    ...operation,
    parts: () =>
      (schemas ??=
        operation.batch === undefined
          ? singleParts(operation.row)
          : batchParts(operation.row, operation.batch))
  }
}

/** Returns the request of a row for one value. */
export const single = (row: Row.Row): Operation =>
  withParts({
    name: argument("row", "a row", row).name,
    row,
    method: row.get.method ?? "GET",
    path: row.get.path,
    accept: row.get.accept ?? "application/json",
    batch: undefined,
    key: row.key,
    title:
      row.get.title ?? sentence(row.key === undefined ? row.what : `${row.one ?? row.what} of ${row.key.one}`)
  })

/** Returns the request of a row for a batch. Undefined: the row has none. */
export const batch = (row: Row.Row): Operation | undefined => {
  const { batch: declared } = argument("row", "a row", row)
  if (declared === undefined) return undefined
  const { key = row.key, path, title } = declared
  return withParts({
    name: `${row.name}Batch`,
    row,
    method: "POST",
    path,
    accept: "application/json",
    batch: declared,
    key,
    title: title ?? sentence(`${row.what} of a batch of ${key?.many}`)
  })
}

/** Returns the requests of rows. */
export const ofRows = (rows: ReadonlyArray<Row.Row>): ReadonlyArray<Operation> =>
  argument("rows", "a list", rows).flatMap((row) => [
    single(row),
    ...[batch(row)].filter((one) => one !== undefined)
  ])

/**
 * Returns how a dialect differs from the contract in a request. A row that only one dialect has keeps its differences whatever dialect is
 * asked for.
 */
export const difference = (operation: Operation, dialect: Dialect.Name): Dialect.Difference => {
  const { row } = argument("operation", "an operation", operation)
  const { name } = named("dialect", Dialect.dialects, dialect)
  return (operation.batch ?? row.get).differences?.[row.dialect ?? name] ?? {}
}

/** The group of a request or row, e.g. `details`. */
export const groupOf = (name: string): string => checkedName(name).slice(0, name.indexOf("."))

/** The name of a request or row in its group, e.g. `byDtxsidBatch`. */
export const methodOf = (name: string): string => checkedName(name).slice(name.indexOf(".") + 1)

const checkedName = (name: string): string =>
  argument("name", "the name of a row, e.g. details.byDtxsid", name)

/** Returns a text with a capital, and without the marks of code. */
const sentence = (text: string): string => {
  const plain = text.replaceAll("`", "")
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** The values of the parts of a request. */
export interface Values {
  readonly params?: Fields
  readonly query?: Fields
  readonly payload?: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the values of the parts of a request for one value: those of its key go into the path, the query or the body. */
export const partsOf = (row: Row.Row, key: Fields, query: Fields): Values => {
  const { get } = argument("row", "a row", row)
  for (const [name, part] of Object.entries({ key, query })) argument(name, "an object", part)
  if (get.method === "POST") return { payload: Object.values(key)[0], query }
  return get.path.includes("{") ? { params: key, query } : { query: { ...key, ...query } }
}

/** Returns the schemas of the options of a row: the parameters of its query, and its projection. */
export const optionFields = (row: Row.Row): Schema.Struct.Fields => {
  const { form = "", forms, query } = argument("row", "a row", row)
  if (forms === undefined) return { ...query }
  const names = new Set([...Object.keys(forms), form])
  return { ...query, projection: Schema.optional(Schema.Literals([...names])) }
}

/** Returns the schemas of a request for one value. Its key is in the path, the query or the body. */
const singleParts = (row: Row.Row): Parts => {
  if (row.get.method === "POST") return { payload: Object.values(row.key?.fields ?? {})[0] as Schema.Top }
  const isInPath = row.get.path.includes("{")
  const query: Schema.Struct.Fields = {
    ...(isInPath ? {} : row.key?.fields),
    ...row.query,
    ...(row.page === undefined ? {} : { [row.page]: Schema.optionalKey(pageNumber) }),
    ...projectionField(row)
  }
  return {
    ...(isInPath ? { params: row.key?.fields ?? {} } : {}),
    ...(Object.keys(query).length === 0 ? {} : { query })
  }
}

/** Returns the schemas of a request for a batch. */
const batchParts = (row: Row.Row, { element, hasForms, key = row.key, payload }: Row.Batch): Parts => {
  const [ownElement = Schema.String] = Object.values(key?.fields ?? {})
  return {
    ...(hasForms ? { query: projectionField(row) } : {}),
    payload: payload?.() ?? Schema.NonEmptyArray(element?.() ?? (ownElement as Schema.Top))
  }
}

const pageNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })).annotate({
  description: "Page, from 1"
})

/** Returns the query parameter that chooses a form of the records. Empty: the row has only one. */
const projectionField = ({ form, forms = {}, formsNote }: Row.Row): Schema.Struct.Fields => {
  const [name, ...others] = Object.keys(forms)
  if (name === undefined) return {}
  const schema: Schema.Top = others.length === 0 ? Schema.Literal(name) : Schema.Literals([name, ...others])
  return {
    projection: Schema.optionalKey(
      schema.annotate({ description: `${formsNote}. Default: ${form}` }) as Schema.Top
    )
  }
}
