/**
 * The input of a list: identifiers, one per line, or a table. A table keeps all its columns.
 */
import { TableLayout } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read, Resolve, TableRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"

/** The maximum number of rows. Use the command for more. */
export const maxRows = 50_000

/** A text with its layout, before its rows are read. */
export interface Input {
  readonly name: string
  readonly bytes: Uint8Array
  /** The separator and columns of a table; undefined for a list. */
  readonly table: TableLayout.Layout | undefined
}

/** A text that is no table by its content, but by its name. */
const tableName = /\.(csv|tsv|tab)$/i

/**
 * Reads a text as a table or a list. A table is a `.csv` or `.tsv` file, or a text with several columns, one
 * of which is named like an identifier.
 */
export const read = (name: string, bytes: Uint8Array): Effect.Effect<Input, { readonly message: string }> => {
  const start = new TextDecoder().decode(bytes.subarray(0, TableLayout.LAYOUT_SAMPLE))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has no zero characters.
  if (/\u0000/.test(start))
    return Effect.fail({
      message: `${name} is not text. Choose a .txt, .csv or .tsv file, or use the command for workbooks`
    })
  const layout = TableLayout.ofText(start, bytes.length <= TableLayout.LAYOUT_SAMPLE)
  const isTable =
    layout !== undefined &&
    (tableName.test(name) ||
      (layout.columns.length > 1 &&
        layout.columns.some((column) => rankOf(column) < identifierColumns.length)))
  return Effect.succeed({ name, bytes, table: isTable ? layout : undefined })
}

/** The names of columns with identifiers, best identifier first. */
const identifierColumns = [
  /^\W*dtxsids?\W*$/i,
  /^\W*dtxcids?\W*$/i,
  /inchi.?key/i,
  /\bcas(rn|\b)/i,
  /smiles/i,
  /^\W*inchi\W*$/i,
  /\b(name|chemical|substance)\b/i
]

const rankOf = (column: string): number => {
  const rank = identifierColumns.findIndex((pattern) => pattern.test(column))
  return rank === -1 ? identifierColumns.length : rank
}

/**
 * Returns the columns named like identifiers, in order of preference. Without any, returns the first column.
 */
export const suggestedKeys = (columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const keys = columns.filter((column) => rankOf(column) < identifierColumns.length)
  return keys.length === 0 ? columns.slice(0, 1) : keys.sort((one, other) => rankOf(one) - rankOf(other))
}

/** Returns the rows to resolve. Fails if there are more than `maxRows`, or if the table cannot be read. */
export const identifiersOf = (
  { bytes, table }: Input,
  keys: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Identifiers.Identifier>, { readonly message: string }> =>
  Effect.gen(function* () {
    const all =
      table === undefined
        ? Read.fromBytes(Stream.make(bytes))
        : Stream.map(TableLayout.decode(Stream.make(bytes), table), (row) =>
            TableRows.identifier(row, keys, Resolve.row)
          )
    const rows = yield* Stream.runCollect(Stream.take(all, maxRows + 1))
    if (rows.length > maxRows) {
      return yield* Effect.fail({
        message: `The list has more than ${maxRows} rows. Use the command: chemstream resolve --input FILE`
      })
    }
    return rows
  })
