/**
 * Reads tables whose columns have names and types already: Parquet and Arrow files, in memory, and objects of a database. The optional
 * packages `hyparquet` and `apache-arrow` are loaded on first use. `node/Parquet.ts` and `node/Arrow.ts` write such files.
 *
 * Decimals, instants and times of day keep all digits (`internal/exactValues.ts`), but for decimals and times in lists and objects.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SchemaElement } from "hyparquet"
import { argument } from "../internal/argumentChecks.ts"
import { decimal, instant, integerOf, timeOfDay } from "./internal/exactValues.ts"
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
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import("hyparquet")
  const { buffer, byteLength, byteOffset } = bytes
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) =>
      buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer
  }
  const metadata = await parquetMetadataAsync(file)
  const { children } = parquetSchema(metadata)
  const exact = children.map((column) => (column.children.length > 0 ? undefined : exactOf(column.element)))
  const parsers = {
    timestampFromMicroseconds: (count: bigint) => instant(count, 6) as Date,
    timestampFromNanoseconds: (count: bigint) => instant(count, 9) as Date
  }
  let rows: ReadonlyArray<ReadonlyArray<unknown>> = []
  const onComplete = (all: Array<Array<unknown>>): void => {
    rows = all
  }
  await parquetRead({ file, metadata, parsers, utf8: false, onComplete })
  const columns = children.map(({ element }, at): Column => {
    const toValue =
      exact[at] ?? (element.type === "BYTE_ARRAY" ? textOf(rows.map((row) => row[at])) : undefined)
    return { name: element.name, toValue }
  })
  return tableOf(columns, rows.length, (row, at) => rows[row]?.[at])
}

/** A column, and how to make its values from those of the library. Undefined: they stay what they are. */
interface Column {
  readonly name: string
  readonly toValue: ((value: unknown) => unknown) | undefined
}

const tableOf = (
  columns: ReadonlyArray<Column>,
  length: number,
  cellOf: (row: number, column: number) => unknown
): TypedTable => ({
  columns: columns.map(({ name }) => name),
  // A column may be named `__proto__`, which an assignment would not add.
  rows: Array.from({ length }, (_, row) =>
    Object.fromEntries(
      columns.map(({ name, toValue }, at) => {
        const cell = cellOf(row, at) ?? null
        return [name, cell === null || toValue === undefined ? cell : toValue(cell)]
      })
    )
  )
})

const digitsOfTimes: Readonly<Record<string, number>> = { TIME_MILLIS: 3, TIME_MICROS: 6, TIME_NANOS: 9 }

/** Returns how to make values of a column whose integers the library rounds or leaves, and has it return these integers. */
const exactOf = (element: SchemaElement): Column["toValue"] => {
  const { logical_type: logical, repetition_type: repetition, scale = 0 } = element
  const kind =
    logical?.type === "TIME" ? `TIME_${logical.unit}` : (element.converted_type ?? logical?.type ?? "")
  const digits = digitsOfTimes[kind]
  if (repetition === "REPEATED" || (digits === undefined && kind !== "DECIMAL")) return undefined
  delete element.converted_type
  delete element.logical_type
  return (value) => {
    const integer = value instanceof Uint8Array ? integerOf(value) : BigInt(value as number | bigint)
    return digits === undefined ? decimal(integer, scale) : timeOfDay(integer, digits)
  }
}

/** Returns the function from bytes to text if all cells are texts, which older programs write without saying so. */
const textOf = (cells: ReadonlyArray<unknown>): Column["toValue"] => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const toText = (cell: unknown): unknown => (cell instanceof Uint8Array ? decoder.decode(cell) : cell)
  try {
    cells.forEach(toText)
    return toText
  } catch {
    return undefined
  }
}

const readArrow = async (bytes: Uint8Array): Promise<TypedTable> => {
  const { DataType, Int64, tableFromIPC, Vector } = await import("apache-arrow").catch(() => {
    throw new Error("Arrow needs the package apache-arrow. Install it: npm install apache-arrow")
  })
  const table = tableFromIPC(bytes)
  const { fields } = table.schema
  const columns = fields.map(({ name, type }): Column => {
    // The library returns a day as milliseconds.
    if (DataType.isDate(type)) return { name, toValue: (day) => new Date(Number(day)) }
    if (DataType.isTimestamp(type))
      return { name, toValue: (count) => instant(count as bigint, type.unit * 3) }
    if (DataType.isTime(type))
      return { name, toValue: (count) => timeOfDay(BigInt(count as bigint), type.unit * 3) }
    const isDecimal = DataType.isDecimal(type)
    return { name, toValue: isDecimal ? (value) => decimal(BigInt(String(value)), type.scale) : undefined }
  })
  const vectors = fields.map(({ type }, at) => {
    const vector = table.getChildAt(at)
    // The library returns an instant as a double, which may round it.
    return DataType.isTimestamp(type)
      ? new Vector(vector?.data.map((data) => data.clone(new Int64())) ?? [])
      : vector
  })
  return tableOf(columns, table.numRows, (row, at) => vectors[at]?.get(row))
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
