/**
 * Where the values of a run come from: the arguments, a file, or standard input. A file of CSV or TSV is read as a table
 * where a column is named. Bytes may be compressed with gzip or zstd.
 *
 * What a line asks for is read by `lineValues`; what a value must look like is checked by the run that uses it.
 */
import { createReadStream, fstatSync } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Csv, Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Array as Arr, type Duration, Effect, Option, Stream } from "effect"
import { type CommandFailure, reasonOf, usage } from "./CommandFailure.ts"
import * as Encoding from "./encoding.ts"
import type { Carried } from "./joining.ts"
import { LineTally } from "./lineTally.ts"
import * as LineValues from "./lineValues.ts"
import { didYouMean } from "./nearest.ts"
import * as RunFiles from "./runFiles.ts"

/** Bytes read from a file at a time. */
const fileChunk = 64 * 1024

/** The longest that a value from a pipe waits for others to be asked for with it. */
const window: Duration.Input = "200 millis"

export interface Input {
  readonly identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** The file that is read, where it is a regular one. */
  readonly file?: string
  /** How many identifiers there are, where that can be known beforehand. A file is read for it. */
  readonly total?: Effect.Effect<number, CommandFailure>
  /** The lines without a value, as they are read, where the input is lines. */
  readonly tally?: LineTally
  /** How long an identifier waits for its batch to fill, where the input comes as it likes. */
  readonly window?: Duration.Input
}

/** What the options of a command say of its input. */
export interface Given {
  readonly values: ReadonlyArray<string>
  readonly input: Option.Option<string>
  readonly key: Option.Option<string>
}

/** The file that a command with these options reads; `option` is what a person knows it by. */
export const files = (
  { input, values }: Pick<Given, "input" | "values">,
  option = "--input"
): ReadonlyArray<RunFiles.Use> => {
  const file = Option.getOrElse(input, () => "-")
  if (file !== "-") return [{ option, file }]
  if (values.length > 0) return []
  return [option === "--input" ? RunFiles.standardInput : { ...RunFiles.standardInput, option }]
}

/** The input of a command with these options, whose endpoint has fields of its own. */
export const ofFlags = (
  { input, key, values }: Given,
  own: ReadonlyArray<string>,
  carry: ReadonlyArray<Carried> = []
): Effect.Effect<Input, CommandFailure> =>
  open(values, Option.getOrUndefined(input), { given: Option.getOrUndefined(key), own, carry })

/** The input of a command: its arguments if it has any, else the file, else standard input. */
export const open = (
  values: ReadonlyArray<string>,
  file: string | undefined,
  key: LineValues.Key
): Effect.Effect<Input, CommandFailure> => {
  if (values.length > 0) {
    if (LineValues.carriesOf(key).length > 0)
      return Effect.fail(usage(LineValues.nothingToCarry("an argument")))
    return file === undefined
      ? Effect.succeed({ identifiers: Read.fromIterable(values), total: Effect.succeed(values.length) })
      : Effect.fail(usage("give identifiers as arguments or with --input, not both"))
  }
  if (file !== undefined && file !== "-") return openFile(file, key)
  if (process.stdin.isTTY) {
    return Effect.fail(
      usage("no identifiers: give them as arguments, with --input FILE, or on standard input")
    )
  }
  const tally = new LineTally()
  return Effect.succeed({
    identifiers: fromBytes(standardInput, key, tally),
    tally,
    ...(isFile(process.stdin.fd) ? {} : { window })
  })
}

const openFile = (file: string, key: LineValues.Key): Effect.Effect<Input, CommandFailure> =>
  Effect.gen(function* () {
    const about = yield* Effect.tryPromise({ try: () => stat(file), catch: unreadable(file) })
    if (about.isDirectory()) return yield* usage(`cannot read ${file}: it is a folder`)
    const { kind } = Format.ofPath(file)
    const bytes = fileBytes(file)
    // A pipe or device given by name can be read only once, so only a regular file is looked at and counted first.
    const isFile = about.isFile()
    const isTable = kind === "csv" || kind === "tsv"
    if (isTable && isFile && key.given === undefined) yield* refuseTable(file, kind, bytes)
    const tally = new LineTally()
    const input =
      key.given !== undefined && isTable
        ? {
            identifiers: fromTable(
              bytes,
              kind === "csv" && isFile ? yield* layoutOf(bytes, key.given) : { separator: separators[kind] },
              key.given,
              key
            )
          }
        : { identifiers: fromBytes(bytes, key, tally), tally }
    if (!isFile) return { ...input, window }
    const total = Stream.runFold(
      "tally" in input ? fromBytes(bytes, key) : input.identifiers,
      () => 0,
      (count: number) => count + 1
    )
    return { ...input, total, file }
  })

const isFile = (descriptor: number): boolean => {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    // Closed: there is nothing to read, and nothing to wait for.
    return true
  }
}

const fileBytes = (file: string): Stream.Stream<Uint8Array, CommandFailure> =>
  bytesOf(file, () => createReadStream(file, { highWaterMark: fileChunk }))

const standardInput: Stream.Stream<Uint8Array, CommandFailure> = bytesOf(
  "standard input",
  () => process.stdin
)

function bytesOf(source: string, evaluate: () => Readable): Stream.Stream<Uint8Array, CommandFailure> {
  return NodeStream.fromReadable<Uint8Array, unknown>({ evaluate, onError: (cause) => cause }).pipe(
    Compression.decompress(),
    Stream.mapError(unreadable(source)),
    Encoding.refuseUtf16(source)
  )
}

/** The values of the lines of a text; what holds none goes to `tally`. */
export const fromBytes = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  key: LineValues.Key,
  tally: LineTally = new LineTally()
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Stream.map((chunk) => {
      tally.bytes(chunk)
      return chunk
    }),
    Ndjson.decodeNumbered(),
    Stream.mapError((error) => (error._tag === "NdjsonError" ? unreadableText(error.message) : error)),
    LineValues.of(key, tally)
  )

const separators = { csv: ",", tsv: "\t" }

/** A name without the commas between its locants; those of everything else stay. */
const withoutLocants = (text: string): string => locants.reduce((rest, some) => rest.replace(some, ""), text)

/**
 * Locants of chemical names: 2,2-dimethylpropane, 3,3',5,5'-…, N,N-…, p,p'-DDT, dibenz[a,h]anthracene. Nothing that two
 * columns could be called: no numbers of more than two digits, no two letters that differ but in brackets or with a prime.
 */
const locants: ReadonlyArray<RegExp> = [
  /(?<=^|[\s([{]|[A-Za-z)\]]-)\d{1,2}[a-z]?['′]*(?:,\d{1,2}[a-z]?['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{]|[A-Za-z)\]]-)([NOSP])['′]*(?:,\1['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{])[omp]['′]*,[omp]['′]+(?=-[A-Za-z])/g,
  /\[[a-z](?:,[a-z])+\]/g
]

/** How the rows of a table are read. */
interface Layout {
  readonly separator: string
  /** Its only column: what separates cells elsewhere is part of a value there, as in 2,2-dimethylpropane. */
  readonly only?: string | undefined
}

/** Of a CSV, by its header: a semicolon separates where it has a column of this name so, and no comma. */
const layoutOf = (
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
 * Fails where lines are read of what has several columns: none of them would be a value. A first line whose commas are all
 * those of a chemical name is no header.
 */
const refuseTable = (
  file: string,
  kind: "csv" | "tsv",
  bytes: Stream.Stream<Uint8Array, CommandFailure>
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(firstLines(bytes), (text) => {
    const header = text.split(/[\r\n]/).find((line) => Read.ofLine(line) !== undefined) ?? ""
    if (header.trimStart().startsWith("{")) return Effect.void
    const isComma = kind === "csv"
    const bare = header.replace(/"(?:[^"]|"")*"/g, "").trim()
    if (!(isComma ? /[,;]/.test(withoutLocants(bare)) : bare.includes("\t"))) return Effect.void
    const cells = header.match(isComma ? /(?:"(?:[^"]|"")*"|[^,;])+/g : /(?:"(?:[^"]|"")*"|[^\t])+/g) ?? []
    const names = namesOf(cells.flatMap((cell) => Read.ofLine(cell) ?? []))
    return Effect.fail(
      usage(
        `${file} is a table: say with --key which column has the values, of ${names}; where each line is one value, as in a list of names, call the file .txt, put quotes around the first line, or give the lines on standard input`
      )
    )
  })

/** What a text begins with. */
const firstLines = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>
): Effect.Effect<string, CommandFailure> =>
  Effect.map(Stream.runHead(bytes), (head) =>
    new TextDecoder().decode(Option.getOrElse(head, () => new Uint8Array()))
  )

/** The values of a column of a table, whose other cells may be carried. */
const fromTable = (
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
    Stream.mapError((error) => (error._tag === "CsvError" ? unreadableText(error.message) : error)),
    Stream.mapArrayEffect((rows) => {
      const first = rows.find((row) => "record" in row)
      if (first !== undefined) {
        const columns = Object.keys(first.record)
        const carried = LineValues.carriesOf(key).map(({ field }) => field)
        for (const [option, wanted] of [
          ["--key takes one of", [column]] as const,
          ["--carry takes some of", carried] as const
        ]) {
          const lacking = wanted.filter((name) => !columns.includes(name))
          if (lacking.length > 0) return Effect.fail(usage(noColumn(lacking, option, columns)))
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

const noColumn = (lacking: ReadonlyArray<string>, option: string, columns: ReadonlyArray<string>): string => {
  const hint = columns.some((name) => name.includes(";"))
    ? "; where semicolons separate the cells, its header may have no comma"
    : ""
  const words = lacking.map((name) => `${JSON.stringify(name)}${didYouMean(name, columns)}`).join(", ")
  return `the table has no column ${words}: ${option} ${namesOf(columns)}${hint}`
}

const namesOf = (columns: ReadonlyArray<string>): string =>
  columns.map((name) => JSON.stringify(name)).join(", ")

const unreadableText = (message: string): CommandFailure => usage(`cannot read the input: ${message}`)

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usage(`cannot read ${file}: ${reasonOf(cause)}`)
}
