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
import * as LineValues from "./lineValues.ts"

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
  /** How long an identifier waits for its batch to fill, where the input comes as it likes. */
  readonly window?: Duration.Input
}

/** What the options of a command say of its input. */
export interface Given {
  readonly values: ReadonlyArray<string>
  readonly input: Option.Option<string>
  readonly key: Option.Option<string>
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
  return process.stdin.isTTY
    ? Effect.fail(usage("no identifiers: give them as arguments, with --input FILE, or on standard input"))
    : Effect.succeed({
        identifiers: fromBytes(standardInput, key),
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
    const identifiers =
      key.given !== undefined && (kind === "csv" || kind === "tsv")
        ? fromTable(
            bytes,
            kind === "csv" && isFile ? yield* separatorOf(bytes, key.given) : separators[kind],
            key.given,
            key
          )
        : fromBytes(bytes, key)
    if (!isFile) return { identifiers, window }
    const total = Stream.runFold(
      identifiers,
      () => 0,
      (count: number) => count + 1
    )
    return { identifiers, total, file }
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

/** The values of the lines of a text. */
export const fromBytes = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  key: LineValues.Key
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Ndjson.decodeNumbered(),
    Stream.mapError((error) => (error._tag === "NdjsonError" ? unreadableText(error.message) : error)),
    LineValues.of(key)
  )

const separators = { csv: ",", tsv: "\t" }

/** What separates the cells of a CSV: a semicolon where its header has a column of this name so, and no comma. */
const separatorOf = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  column: string
): Effect.Effect<string, CommandFailure> =>
  Effect.map(Stream.runHead(bytes), (head) => {
    const text = new TextDecoder().decode(Option.getOrElse(head, () => new Uint8Array()))
    const [header = ""] = text.trimStart().split(/[\r\n]/, 1)
    return !header.includes(",") && header.split(";").map(Read.ofLine).includes(column) ? ";" : separators.csv
  })

/** The values of a column of a table, whose other cells may be carried. */
const fromTable = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  separator: string,
  column: string,
  key: LineValues.Key
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Csv.decodeRows({ separator }),
    Stream.mapError((error) => (error._tag === "CsvError" ? unreadableText(error.message) : error)),
    Stream.mapArrayEffect((rows) => {
      const columns = Object.keys(rows.find((row) => "record" in row)?.record ?? { [column]: "" })
      if (!columns.includes(column)) return Effect.fail(usage(noColumn(column, columns)))
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

const noColumn = (column: string, columns: ReadonlyArray<string>): string => {
  const hint = columns.some((name) => name.includes(";"))
    ? "; where semicolons separate the cells, its header may have no comma"
    : ""
  const names = columns.map((name) => JSON.stringify(name)).join(", ")
  return `the table has no column ${JSON.stringify(column)}: --key takes one of ${names}${hint}`
}

const unreadableText = (message: string): CommandFailure => usage(`cannot read the input: ${message}`)

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usage(`cannot read ${file}: ${reasonOf(cause)}`)
}
