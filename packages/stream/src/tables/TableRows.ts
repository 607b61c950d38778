/**
 * Reads the rows of a CSV or TSV table as identifiers. Each carries its columns, so that the output has them
 * too.
 *
 * Every row with a cell is a row of the run, whatever its key contains. `Csv` decodes the cells. `ResolvedRows`
 * and its siblings make rows of output.
 */
import { Csv, RawRecord } from "@chemstream/ndjson"
import { Effect, Option, Stream } from "effect"
import { type Identifier, ofValue } from "../identifiers/Identifiers.ts"

/** A row: its line, its columns as an object, and a fault if it does not match the header. */
export interface Row {
  readonly line: number
  readonly record: RawRecord.RawRecord
  readonly fault?: string | undefined
}

/** The layout of a table. */
export interface Layout {
  readonly columns: ReadonlyArray<string>
  readonly separator: string
}

/**
 * Returns the separator of a table from its first bytes: in a CSV a semicolon, if the header has one and no
 * comma.
 */
export const separatorOf = (start: string, kind: "csv" | "tsv"): string => {
  if (kind === "tsv") return "\t"
  const [header = ""] = start
    .replace(/^\ufeff/, "")
    .replace(/"(?:[^"]|"")*"/g, "")
    .trimStart()
    .split(/[\r\n]/, 1)
  return header.includes(";") && !header.includes(",") ? ";" : ","
}

/** Returns the names of the columns of a table. An empty table has none. */
export const columnsOf = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  separator: string
): Effect.Effect<ReadonlyArray<string>, E | Csv.CsvError, R> =>
  // Reads the header as a row of one declared column: one cell makes a record, several cells make a ragged row.
  Effect.map(Stream.runHead(bytes.pipe(Csv.decodeRows({ separator, columns: ["0"] }))), (first) =>
    Option.match(first, {
      onNone: () => [],
      onSome: (row) => ("record" in row ? Object.values(row.record) : row.cells)
    })
  )

/**
 * Decodes the rows of a table below its header. A row that does not match the header has a fault.
 *
 * @example
 * ```ts
 * import { TableRows } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const bytes = Stream.make("name,casrn\nBisphenol A,80-05-7\n").pipe(Stream.encodeText)
 * const rows = TableRows.decode(bytes, { columns: ["name", "casrn"], separator: "," })
 * const lines = Stream.map(rows, ({ line }) => line)
 * await Effect.runPromise(Stream.runCollect(lines)) // => [2]
 * ```
 */
export const decode = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  { columns, separator }: Layout
): Stream.Stream<Row, E | Csv.CsvError, R> =>
  bytes.pipe(
    Csv.decodeRows({ separator }),
    Stream.map((row) =>
      "record" in row
        ? { line: row.line, record: RawRecord.fromText(JSON.stringify(row.record)) }
        : { ...ofCells(columns, row.cells, row.line, separator), fault: row.fault }
    )
  )

/** Makes a row of cells by position. Cells beyond the header go to the last column. */
export const ofCells = (
  columns: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
  line: number,
  separator = " "
): Row => {
  const last = columns.length - 1
  const entries = columns.map((name, at) => [
    name,
    at === last ? cells.slice(at).join(separator) : (cells[at] ?? "")
  ])
  return { line, record: RawRecord.fromText(JSON.stringify(Object.fromEntries(entries))) }
}

/** Makes an identifier of a row, which carries its columns. `textOf` makes the requested text of its key cells. */
export const identifier = (
  { fault, line, record }: Row,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): Identifier => {
  const cells = keys.map((key) => {
    const value = RawRecord.value(record, key)
    return typeof value === "string" || typeof value === "number" ? ofValue(String(value)) : ""
  })
  return { text: textOf(cells), line, carried: record, ...(fault === undefined ? {} : { fault }) }
}
