/**
 * What a person pastes or drops: a list of identifiers, one a line, or a table whose columns all come out again.
 */
import { type Identifiers, Identifiers as Read, Resolve, TableRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"

/** The most rows of a list: more are for the command. */
export const mostRows = 50_000

/** A text, read as far as is needed to choose what to do with it. */
export interface Input {
  readonly name: string
  readonly bytes: Uint8Array
  /** The columns of a table; undefined where it is a list. */
  readonly table: TableRows.Layout | undefined
}

const endings = { csv: /\.csv$/i, tsv: /\.tsv$/i }

/** How much of a text says whether it is a table, in bytes. */
const sample = 64 * 1024

/**
 * A text as a table where its name or its first line says so: a `.csv` or `.tsv`, or several columns of which one sounds
 * like an identifier. As a list otherwise.
 */
export const read = (name: string, bytes: Uint8Array): Effect.Effect<Input, { readonly message: string }> =>
  Effect.gen(function* () {
    const start = new TextDecoder().decode(bytes.subarray(0, sample))
    const [firstLine = ""] = start.trimStart().split(/[\r\n]/, 1)
    const kind =
      endings.tsv.test(name) || (!endings.csv.test(name) && firstLine.includes("\t")) ? "tsv" : "csv"
    const isNamed = endings[kind].test(name)
    const separator = TableRows.separatorOf(start, kind)
    const isTable = isNamed || firstLine.split(separator).some((cell) => rankOf(cell) < heads.length)
    if (!isTable || !(isNamed || firstLine.includes(separator))) return { name, bytes, table: undefined }
    return {
      name,
      bytes,
      table: { separator, columns: yield* TableRows.columnsOf(Stream.make(bytes), separator) }
    }
  })

/** What columns of identifiers are called, the best identifier first. */
const heads = [
  /^\W*dtxsids?\W*$/i,
  /^\W*dtxcids?\W*$/i,
  /inchi.?key/i,
  /\bcas(rn|\b)/i,
  /smiles/i,
  /^\W*inchi\W*$/i,
  /\b(name|chemical|substance)\b/i
]

const rankOf = (column: string): number => {
  const rank = heads.findIndex((pattern) => pattern.test(column))
  return rank === -1 ? heads.length : rank
}

/** The columns that hold identifiers, by their names, in order of preference; the first column where none sounds so. */
export const suggestedKeys = (columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const keys = columns.filter((column) => rankOf(column) < heads.length)
  return keys.length === 0 ? columns.slice(0, 1) : keys.sort((one, other) => rankOf(one) - rankOf(other))
}

/** The rows to resolve. Fails where there are more than `mostRows`, or the table cannot be read. */
export const identifiersOf = (
  { bytes, table }: Input,
  keys: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Identifiers.Identifier>, { readonly message: string }> =>
  Effect.gen(function* () {
    const all =
      table === undefined
        ? Read.fromBytes(Stream.make(bytes))
        : Stream.map(TableRows.decode(Stream.make(bytes), table), (row) =>
            TableRows.identifier(row, keys, Resolve.row)
          )
    const rows = yield* Stream.runCollect(Stream.take(all, mostRows + 1))
    if (rows.length > mostRows) {
      return yield* Effect.fail({
        message: `The list has more than ${mostRows} rows. Use the command: chemstream resolve --input FILE`
      })
    }
    return rows
  })
