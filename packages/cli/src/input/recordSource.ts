/**
 * Opens sources whose columns have names and types already: Parquet and Arrow files, and tables of SQLite, DuckDB and Postgres.
 *
 * `source.ts` reads text and workbooks.
 */
import type { Table } from "@chemstream/ndjson"
import { TableTarget } from "@chemstream/workflow"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"
import * as SourceBytes from "./sourceBytes.ts"

/** The columns and rows of a source. A row has a value for each column. Columns of a database have its types. */
export interface Records {
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  readonly rows: Stream.Stream<ReadonlyArray<unknown>, CommandFailure>
}

type Row = Readonly<Record<string, unknown>>

/** Opens a table of a database. `typeOf` is that of `TableInput.open`. Undefined: the name is not one of a database. */
export const ofDatabase = (
  name: string,
  typeOf?: (name: string) => Table.ColumnType | undefined
): Effect.Effect<Records | undefined, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (!TableTarget.isTarget(name)) return undefined
    // Loaded on demand: most inputs are no databases.
    const { TableInput } = yield* Effect.promise(() => import("@chemstream/workflow"))
    const isNamed = name.includes("#")
    const target = yield* Effect.fromResult(
      TableTarget.parse(isNamed ? name : `${name}#_`, process.env, true)
    )
    // Without a name, the error names the tables.
    const { columns, rows } = yield* TableInput.open(isNamed ? target : { ...target, table: "" }, typeOf)
    return { columns, rows: Stream.mapError(valuesOf(rows, columns), ({ message }) => usageFailure(message)) }
  }).pipe(Effect.mapError(({ message }) => usageFailure(message)))

/** Opens a Parquet or Arrow file by its first bytes. Undefined: it is neither. */
export const ofFile = (
  name: string,
  head: Uint8Array | undefined,
  bytes: SourceBytes.Bytes
): Effect.Effect<Records | undefined, CommandFailure> => {
  const start = Buffer.from(head?.subarray(0, 6) ?? []).toString("latin1")
  const read = start.startsWith("PAR1") ? readParquet : start === "ARROW1" ? readArrow : undefined
  if (read === undefined) return Effect.undefined
  return Effect.gen(function* () {
    const file = yield* SourceBytes.all(bytes)
    const { columns, rows } = yield* Effect.tryPromise({
      try: () => read(file),
      catch: (cause) => usageFailure(`cannot read ${name}: ${reasonOf(cause)}`)
    })
    return { columns, rows: valuesOf(Stream.fromIterable<Row>(rows), columns) }
  })
}

const readParquet = async (bytes: Uint8Array) => {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet")
  const { buffer, byteLength, byteOffset } = bytes
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) =>
      buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer
  }
  const metadata = await parquetMetadataAsync(file)
  const columns = parquetSchema(metadata).children.map(({ element: { name } }) => ({ name }))
  return { columns, rows: await parquetReadObjects({ file, metadata }) }
}

const readArrow = async (bytes: Uint8Array) => {
  const { DataType, tableFromIPC } = await import("apache-arrow").catch(() => {
    throw new Error("Arrow needs the package apache-arrow. Install it: npm install apache-arrow")
  })
  const table = tableFromIPC(bytes)
  const { fields } = table.schema
  // The library returns times as milliseconds.
  const times = fields.filter(({ type }) => DataType.isDate(type) || DataType.isTimestamp(type))
  const rows = Array.from({ length: table.numRows }, (_, at): Row => {
    const row: Record<string, unknown> = table.get(at)?.toJSON() ?? {}
    for (const { name } of times) if (row[name] !== null) row[name] = new Date(Number(row[name]))
    return row
  })
  return { columns: fields.map(({ name }) => ({ name })), rows }
}

/** Returns the values of rows in the order of the columns. */
const valuesOf = <E>(rows: Stream.Stream<Row, E>, columns: Records["columns"]) =>
  Stream.map(rows, (row): ReadonlyArray<unknown> => columns.map(({ name }) => jsonOf(row[name] ?? null)))

/** Returns a value for JSON. Large integers and numbers that JSON lacks stay exact as text. A day has no time. */
const jsonOf = (value: unknown): unknown => {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value)
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, "")
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex")
  if (typeof value !== "object" || value === null) return value
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, jsonOf)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, jsonOf(field)]))
}
