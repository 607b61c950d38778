/**
 * Reads tables whose columns have names and types already: Parquet and Arrow files, in memory, and objects of a database. The optional
 * packages `hyparquet` and `apache-arrow` are loaded on first use. `node/Parquet.ts` and `node/Arrow.ts` write such files.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { argument } from "../internal/argumentChecks.ts"
import * as TableLayout from "./TableLayout.ts"

/** A file is not Parquet or Arrow that can be read. `message` is the reason. */
export class TypedTableError extends Data.TaggedError("TypedTableError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A row, with its values by column. */
export type Values = Readonly<Record<string, unknown>>

/** The content of a file. */
export interface TypedTable {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Values>
}

const readerOf = (bytes: Uint8Array): ((bytes: Uint8Array) => Promise<TypedTable>) | undefined => {
  const start = String.fromCharCode(...argument("bytes", "a Uint8Array", bytes).subarray(0, 6))
  return start.startsWith("PAR1") ? readParquet : start === "ARROW1" ? readArrow : undefined
}

/** Returns whether bytes start like a Parquet or an Arrow file. */
export const is = (bytes: Uint8Array): boolean => readerOf(bytes) !== undefined

/**
 * Reads a Parquet or an Arrow file.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs"
 * import { TypedTable } from "@chemstream/ndjson"
 * import { Effect } from "effect"
 *
 * const columns = (file: string) => Effect.map(TypedTable.read(readFileSync(file)), (table) => table.columns)
 * ```
 */
export const read = (bytes: Uint8Array): Effect.Effect<TypedTable, TypedTableError> =>
  Effect.tryPromise({
    try: async () => {
      const reader = readerOf(bytes)
      if (reader === undefined) throw new Error("it is not Parquet or Arrow")
      return reader(bytes)
    },
    catch: (cause) =>
      new TypedTableError({ message: cause instanceof Error ? cause.message : String(cause), cause })
  })

const readParquet = async (bytes: Uint8Array): Promise<TypedTable> => {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet")
  const { buffer, byteLength, byteOffset } = bytes
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) =>
      buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer
  }
  const metadata = await parquetMetadataAsync(file)
  const columns = parquetSchema(metadata).children.map(({ element: { name } }) => name)
  return { columns, rows: await parquetReadObjects({ file, metadata }) }
}

const readArrow = async (bytes: Uint8Array): Promise<TypedTable> => {
  const { DataType, tableFromIPC } = await import("apache-arrow").catch(() => {
    throw new Error("Arrow needs the package apache-arrow. Install it: npm install apache-arrow")
  })
  const table = tableFromIPC(bytes)
  const { fields } = table.schema
  // The library returns times as milliseconds.
  const times = fields.filter(({ type }) => DataType.isDate(type) || DataType.isTimestamp(type))
  const rows = Array.from({ length: table.numRows }, (_, at): Values => {
    const row: Record<string, unknown> = table.get(at)?.toJSON() ?? {}
    for (const { name } of times) if (row[name] !== null) row[name] = new Date(Number(row[name]))
    return row
  })
  return { columns: fields.map(({ name }) => name), rows }
}

/**
 * Makes the rows of a table, and the names of its columns, each different from the others (`TableLayout.columnNames`). The line of a row
 * is its number.
 */
export const decode = <E, R>(
  given: ReadonlyArray<string>,
  rows: Stream.Stream<Values, E, R>
): {
  readonly columns: ReadonlyArray<string>
  readonly rows: Stream.Stream<TableLayout.Row, E, R>
} => {
  argument("rows", "a stream of Effect", rows)
  const columns = TableLayout.columnNames(given)
  const toRecord = TableLayout.recordOf(columns)
  const valuesOf = (row: Values) => given.map((name) => jsonOf(row[name] ?? null))
  return {
    columns,
    rows: Stream.map(rows, (row, index) => ({ line: index + 1, record: toRecord(valuesOf(row)) }))
  }
}

/** Returns a value for JSON. Large integers and numbers that JSON lacks stay exact as text. A day has no time. */
const jsonOf = (value: unknown): unknown => {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value)
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date && Number.isNaN(value.getTime())) return String(value)
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, "")
  if (value instanceof Uint8Array)
    return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")
  if (typeof value !== "object" || value === null) return value
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, jsonOf)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, jsonOf(field)]))
}
