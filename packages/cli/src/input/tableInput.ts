/**
 * Reads the values of a column of a CSV or TSV table, and detects tables that need a named column.
 */
import { Quote } from "@chemstream/api"
import { Csv, RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import { Array as Arr, Effect, Option, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { didYouMean } from "../help/nearest.ts"
import * as LineValues from "./lineValues.ts"
import { unparsable } from "./unparsable.ts"

/** The separator of each kind of table. */
export const separators = { csv: ",", tsv: "\t" }

/** Removes the commas between locants from a chemical name. Other commas stay. */
const withoutLocants = (text: string): string => locants.reduce((rest, some) => rest.replace(some, ""), text)

/**
 * Matches locants of chemical names: 2,2-dimethylpropane, 3,3',5,5'-…, N,N-…, p,p'-DDT, dibenz[a,h]anthracene. It does not match
 * names of two columns: numbers of more than two digits, or two different letters without brackets or a prime.
 */
const locants: ReadonlyArray<RegExp> = [
  /(?<=^|[\s([{]|[A-Za-z)\]]-)\d{1,2}[a-z]?['′]*(?:,\d{1,2}[a-z]?['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{]|[A-Za-z)\]]-)([NOSP])['′]*(?:,\1['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{])[omp]['′]*,[omp]['′]+(?=-[A-Za-z])/g,
  /\[[a-z](?:,[a-z])+\]/g
]

/** The settings for reading rows. */
export interface Layout {
  readonly separator: string
  /** The name of the column, if there is only one. Its values may contain the separator: 2,2-dimethylpropane. */
  readonly only?: string | undefined
}

/** Detects the separator of a CSV from its header. It is a semicolon if this gives the column, and the header has no comma. */
export const layoutOf = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  column: string
): Effect.Effect<Layout, CommandFailure> =>
  Effect.map(firstLines(bytes), (text) => {
    const [header = ""] = text.trimStart().split(/[\r\n]/, 1)
    const isSemicolon = !header.includes(",") && header.split(";").map(Read.ofLine).includes(column)
    return {
      separator: isSemicolon ? ";" : separators.csv,
      only: /[,;]/.test(header) ? undefined : Read.ofLine(header)
    }
  })

/**
 * Fails if a file has several columns and none is named, because then no line is a value. A first line whose commas all belong to a
 * chemical name is not a header. `option` names the column.
 */
export const refuse = (
  file: string,
  kind: "csv" | "tsv",
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  option: string
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(firstLines(bytes), (text) => {
    const header = text.split(/[\r\n]/).find((line) => Read.ofLine(line) !== undefined) ?? ""
    if (header.trimStart().startsWith("{")) return Effect.void
    const isComma = kind === "csv"
    const unquoted = header.replace(/"(?:[^"]|"")*"/g, "").trim()
    if (!(isComma ? /[,;]/.test(withoutLocants(unquoted)) : unquoted.includes("\t"))) return Effect.void
    const cells = header.match(isComma ? /(?:"(?:[^"]|"")*"|[^,;])+/g : /(?:"(?:[^"]|"")*"|[^\t])+/g) ?? []
    const names = namesOf(cells.flatMap((cell) => Read.ofLine(cell) ?? []))
    return Effect.fail(
      usageFailure(
        `${file} is a table: name the column of the values with ${option}, one of ${names}. If each line is one value, put quotes around the first line, or name the file .txt`
      )
    )
  })

/** Returns the first chunk of the bytes as text. */
export const firstLines = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>
): Effect.Effect<string, CommandFailure> =>
  Effect.map(Stream.runHead(bytes), (head) =>
    new TextDecoder().decode(Option.getOrElse(head, () => new Uint8Array()))
  )

/** Returns the values of a column, with the carried cells. */
export const values = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  { only, separator }: Layout,
  column: string,
  key: LineValues.Key
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Csv.decodeRows({ separator }),
    Stream.map((row) =>
      only === undefined || "record" in row
        ? row
        : { line: row.line, record: { [only]: row.cells.join(separator) } }
    ),
    Stream.mapError(unparsable),
    Stream.mapArrayEffect((rows) => {
      const first = rows.find((row) => "record" in row)
      if (first !== undefined) {
        const columns = Object.keys(first.record)
        const keepColumns = LineValues.keptFields(key).map(({ field }) => field)
        for (const [option, wanted] of [
          ["--key takes one of", [column]] as const,
          ["--keep takes some of", keepColumns] as const
        ]) {
          const missing = wanted.filter((name) => !columns.includes(name))
          if (missing.length > 0) return Effect.fail(usageFailure(noColumn(missing, option, columns)))
        }
      }
      return Effect.succeed(
        Arr.map(rows, (row): LineValues.Line => {
          const { line } = row
          return "record" in row
            ? { line, record: RawRecord.fromText(JSON.stringify(row.record)) }
            : { line, text: row.cells.join(separator), fault: row.fault }
        })
      )
    }),
    LineValues.of(key)
  )

const noColumn = (missing: ReadonlyArray<string>, option: string, columns: ReadonlyArray<string>): string => {
  const hint = columns.some((name) => name.includes(";"))
    ? "; if semicolons separate the cells, the header may not contain a comma"
    : ""
  const words = missing.map((name) => `${Quote.value(name)}${didYouMean(name, columns)}`).join(", ")
  return `the table has no column ${words}: ${option} ${namesOf(columns)}${hint}`
}

const namesOf = (columns: ReadonlyArray<string>): string =>
  columns.map((name) => Quote.value(name)).join(", ")
