/**
 * The input of a list: identifiers, one per line, or tables, e.g. the sheets of a workbook. A table keeps all its columns.
 */
import { Ndjson, RawArray, RawRecord, TableLayout, TypedTable, Workbook } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read, Resolve, TableRows } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import type { Failure } from "../Failure.ts"

/** The forms of column names that an input is read for, best first. */
export type ColumnNames = ReadonlyArray<RegExp>

/** The maximum number of rows. Use the command for more. */
export const maxRows = 50_000

/** A table, before its rows are read. */
export interface Table {
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined
  /** The row of the header. Undefined: the rows are objects. */
  readonly header: number | undefined
  readonly columns: ReadonlyArray<string>
  readonly rows: Stream.Stream<TableLayout.Row, Failure>
}

/** An input before its rows are read. */
export interface Input {
  readonly name: string
  /** The bytes of a list. */
  readonly bytes: Uint8Array
  /** The tables to choose from. Empty: the input is a list. */
  readonly tables: ReadonlyArray<Table>
}

/** A text that is no table by its content, but by its name. */
const tableName = /\.(csv|tsv|tab)$/i

/** The first bytes of a gzip file. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

/**
 * Reads a workbook, Parquet, Arrow, objects (NDJSON or a JSON array), a table in a text, or a list. The text may be compressed with gzip. A table is a
 * `.csv` or `.tsv` file, or a text with several columns, one of which has a wanted name. Default: that of an identifier.
 */
export const read = (
  name: string,
  given: Uint8Array,
  wanted: ColumnNames = identifierColumns
): Effect.Effect<Input, Failure> =>
  Effect.gen(function* () {
    if (isGzip(given)) return yield* read(name.replace(/\.gz$/i, ""), yield* gunzip(name, given), wanted)
    const tables = yield* Workbook.is(given)
      ? sheetsOf(name, given, wanted)
      : TypedTable.is(given)
        ? typedTable(name, given)
        : textTable(name, given, wanted)
    return { name, bytes: given, tables }
  })

const gunzip = (name: string, bytes: Uint8Array): Effect.Effect<Uint8Array, Failure> =>
  Effect.tryPromise({
    try: async () => {
      const unpacked = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip"))
      return new Uint8Array(await new Response(unpacked).arrayBuffer())
    },
    catch: () => ({ message: `${name} is compressed with gzip, but damaged. Save or download it again` })
  })

/** Returns the sheets that have rows, those with a wanted column first. */
const sheetsOf = (
  name: string,
  bytes: Uint8Array,
  wanted: ColumnNames
): Effect.Effect<ReadonlyArray<Table>, Failure> =>
  Effect.gen(function* () {
    const sheets = yield* Effect.mapError(Workbook.read(bytes), ({ cause, message }) => ({
      message:
        cause === undefined
          ? `${name} cannot be read: ${message}`
          : `${name} is not a workbook that can be read (${message}). Save it as .xlsx again`
    }))
    const tables = sheets.flatMap((sheet) => {
      const header = TableLayout.headerOf(sheet.rows, { isWanted: isHeader(wanted) })
      if (header === undefined) return []
      const columns = TableLayout.columnNames(header.cells)
      const rows = Stream.fromIterable(Workbook.rowsBelow(sheet, header.line, columns))
      return [{ sheet: sheet.name, header: header.line, columns, rows }]
    })
    if (tables.length === 0) return yield* Effect.fail({ message: `${name} has no rows` })
    return tables.toSorted(
      (one, other) => Number(hasAny(other.columns, wanted)) - Number(hasAny(one.columns, wanted))
    )
  })

/** Returns the table of a Parquet or Arrow file. */
const typedTable = (name: string, bytes: Uint8Array): Effect.Effect<ReadonlyArray<Table>, Failure> =>
  TypedTable.read(bytes).pipe(
    Effect.map(({ columns, rows }) => [
      { header: undefined, ...TypedTable.decode(columns, Stream.fromIterable(rows)) }
    ]),
    Effect.mapError(({ message }) => ({ message: `${name} cannot be read: ${message}` }))
  )

const textTable = (
  name: string,
  bytes: Uint8Array,
  wanted: ColumnNames
): Effect.Effect<ReadonlyArray<Table>, Failure> =>
  Effect.gen(function* () {
    const text = yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      catch: () => ({ message: refusal(name) })
    })
    if (text.includes("\0")) return yield* Effect.fail({ message: refusal(name) })
    if (/^\s*(\{|\[\s*\{)/.test(text)) return [yield* objectsOf(name, bytes)]
    const start = text.slice(0, TableLayout.sampleLength(text))
    const layout = TableLayout.ofText(start, start.length === text.length, { isWanted: isHeader(wanted) })
    if (
      layout === undefined ||
      !(tableName.test(name) || (layout.columns.length > 1 && hasAny(layout.columns, wanted)))
    )
      return []
    const rows = TableLayout.decode(Stream.make(bytes), layout)
    return [{ ...layout, rows: Stream.filter(rows, ({ isBlank }) => isBlank !== true) }]
  })

const refusal = (name: string): string =>
  `${name} is not text in UTF-8 (.txt, .csv, .tsv, .ndjson) or a table (.xlsx, .parquet, .arrow). Save it as one of them. The command reads .zst and tables of databases, too: chemstream convert ${name} table.csv`

/** Reads objects, one a line or in an array. The first one has the columns. */
const objectsOf = (name: string, bytes: Uint8Array): Effect.Effect<Table, Failure> =>
  Effect.gen(function* () {
    const isArray = /^\s*\[/.test(new TextDecoder().decode(bytes.subarray(0, 512)))
    const given = Stream.make(bytes)
    const decoded: Stream.Stream<RawRecord.RawRecord, Failure> = isArray
      ? RawArray.decode()(given)
      : Ndjson.decodeRaw()(given)
    const records = yield* Stream.runCollect(decoded)
    const first = Result.getOrElse(RawRecord.entries(records[0] ?? RawRecord.fromText("{}")), () => [])
    const columns = first.map(({ key }) => key)
    const rows = records.map((record, index) => TableLayout.rowOf(index + 1, record))
    return { header: undefined, columns, rows: Stream.fromIterable(rows) }
  }).pipe(Effect.mapError(({ message }) => ({ message: `${name} cannot be read: ${message}` })))

/** The names of columns with identifiers, best identifier first. */
export const identifierColumns: ColumnNames = [
  /^\W*dtxsids?\W*$/i,
  /^\W*dtxcids?\W*$/i,
  /inchi.?key/i,
  /\bcas(rn|\b)/i,
  /smiles/i,
  /^\W*inchi\W*$/i,
  /\b(name|chemical|substance)\b/i
]

/** The names of columns with the m/z of features. */
export const mzColumns: ColumnNames = [/(^|[^a-z])m\/?z/i, /\bmass\b/i]

/** The names of columns with adducts. */
export const adductColumns: ColumnNames = [/adduct/i, /\bion\b/i]

const rankOf = (column: string, wanted: ColumnNames): number => {
  const rank = wanted.findIndex((pattern) => pattern.test(column))
  return rank === -1 ? wanted.length : rank
}

const hasAny = (columns: ReadonlyArray<string>, wanted: ColumnNames): boolean =>
  columns.some((column) => rankOf(column, wanted) < wanted.length)

/** Whether cells are a header. A title is alone in its row, and a row of values has numbers. */
const isHeader =
  (wanted: ColumnNames) =>
  (columns: ReadonlyArray<string>): boolean =>
    hasAny(columns, wanted) &&
    columns.filter((cell) => cell.trim() !== "").length > 1 &&
    !columns.some((cell) => /^\W*\d/.test(cell))

/** Returns the columns with a wanted name, in order of preference. */
export const columnsLike = (columns: ReadonlyArray<string>, wanted: ColumnNames): ReadonlyArray<string> =>
  columns
    .filter((column) => rankOf(column, wanted) < wanted.length)
    .sort((one, other) => rankOf(one, wanted) - rankOf(other, wanted))

/**
 * Returns the columns named like identifiers, in order of preference. Without any, returns the first column.
 */
export const suggestedKeys = (columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const keys = columnsLike(columns, identifierColumns)
  return keys.length === 0 ? columns.slice(0, 1) : keys
}

/** Returns the rows to look up. `textOf` makes the text of the key cells of a table. Fails if there are more than `maxRows`, or if the table cannot be read. */
export const identifiersOf = (
  { bytes }: Pick<Input, "bytes">,
  table: Table | undefined,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string = Resolve.row
): Effect.Effect<ReadonlyArray<Identifiers.Identifier>, Failure> =>
  Effect.gen(function* () {
    const all: Stream.Stream<Identifiers.Identifier, Failure> =
      table === undefined
        ? Read.fromBytes(TableLayout.withLineFeeds(new TextDecoder().decode(bytes), Stream.make(bytes)))
        : Stream.map(table.rows, (row) => TableRows.identifier(row, keys, textOf))
    const rows = yield* Stream.runCollect(Stream.take(all, maxRows + 1))
    if (rows.length > maxRows) {
      return yield* Effect.fail({
        message: `The input has more than ${maxRows} rows. Use the command with --input FILE`
      })
    }
    return rows
  })
