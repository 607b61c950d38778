/**
 * Opens the input of a run: the arguments, a file, or standard input. With a named column, a CSV or TSV file is read as a table. The bytes
 * may be compressed with gzip or zstd.
 *
 * `lineValues.ts` reads the values of lines. The run checks the values.
 */
import { createReadStream, fstatSync, type Stats } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Format, Ndjson } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { type Duration, Effect, Option, Stream } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"
import type { KeptField } from "../output/joinedFields.ts"
import * as RunFiles from "../output/runFiles.ts"
import * as Workbook from "../tables/workbook.ts"
import * as Encoding from "./encoding.ts"
import { ErrorsFile } from "./errorsFile.ts"
import * as ForeignFormats from "./foreignFormats.ts"
import { nothingToKeep } from "./lineFaults.ts"
import { LineTally } from "./lineTally.ts"
import * as LineValues from "./lineValues.ts"
import * as TableInput from "./tableInput.ts"
import { unparsable } from "./unparsable.ts"

/** The number of bytes in one read of a file. */
const fileChunk = 64 * 1024

/** The longest time that a value from a pipe waits for its batch to fill. */
export const window: Duration.Input = "200 millis"

export interface Input {
  readonly identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** The input file, if it is a regular file. */
  readonly file?: string
  /** The identifiers, to read them before the run. Undefined: the input can be read only once. */
  readonly copy?: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** The number of identifiers, if it can be known before the run. For a file, this reads it. */
  readonly total?: Effect.Effect<number, CommandFailure>
  /** Counts the lines without a value. Undefined: the input has no lines. */
  readonly tally?: LineTally
  /** How long an identifier waits for its batch to fill. Undefined: without limit. */
  readonly window?: Duration.Input
}

/** The options of a command about its input. */
export interface Given {
  readonly values: ReadonlyArray<string>
  readonly input: Option.Option<string>
  readonly key: Option.Option<string>
}

/** Returns the input file of the options. `option` is its name in messages. */
export const files = (
  { input, values }: Pick<Given, "input" | "values">,
  option = "--input"
): ReadonlyArray<RunFiles.Use> => {
  const file = Option.getOrElse(input, () => "-")
  if (file !== "-") return [{ option, file }]
  if (values.length > 0) return []
  return [option === "--input" ? RunFiles.standardInput : { ...RunFiles.standardInput, option }]
}

/** Like `files`. In `retry`, the errors file may be both an input and an output. */
export const filesOrErrorsFile = (
  given: Pick<Given, "input" | "values">
): Effect.Effect<ReadonlyArray<RunFiles.Use>> =>
  Effect.map(ErrorsFile, ({ isRequired }) =>
    isRequired ? files(given, "ERRORS").map((use) => ({ ...use, replacedBy: "--errors" })) : files(given)
  )

/** Opens the input of the options. `own` are the default fields of the endpoint. */
export const ofFlags = (
  { input, key, values }: Given,
  own: ReadonlyArray<string>,
  keep: ReadonlyArray<KeptField> = []
): Effect.Effect<Input, CommandFailure> =>
  open(values, Option.getOrUndefined(input), { given: Option.getOrUndefined(key), own, keep })

/** Opens the input: the arguments if there are any, else the file, else standard input. */
export const open = (
  values: ReadonlyArray<string>,
  file: string | undefined,
  key: LineValues.Key
): Effect.Effect<Input, CommandFailure> => {
  if (values.length > 0) {
    if (LineValues.keptFields(key).length > 0) return Effect.fail(usageFailure(nothingToKeep("an argument")))
    return file === undefined
      ? Effect.succeed({
          identifiers: Read.fromIterable(values),
          copy: Read.fromIterable(values),
          total: Effect.succeed(values.length)
        })
      : Effect.fail(usageFailure("give identifiers as arguments or with --input, not both"))
  }
  if (file !== undefined && file !== "-") return openFile(file, key)
  return Effect.map(statStandardInput, (stats) => {
    const tally = new LineTally()
    return {
      identifiers: fromBytes(standardInput, key, tally),
      tally,
      // A closed standard input is empty.
      ...(stats === undefined || stats.isFile() ? {} : { window })
    }
  })
}

const openFile = (file: string, key: LineValues.Key): Effect.Effect<Input, CommandFailure> =>
  Effect.gen(function* () {
    const stats = yield* statFile(file)
    const { kind } = Format.ofPath(file)
    const bytes = fileBytes(file)
    // A named pipe or device can be read only once, so only a regular file is inspected and counted first.
    const isFile = stats.isFile()
    const isTable = kind === "csv" || kind === "tsv"
    // An unreadable input fails before the first request.
    if (isFile) yield* Stream.runDrain(bytes)
    if (isTable && isFile && key.given === undefined)
      yield* TableInput.refuse(file, kind, bytes, key.option ?? "--key")
    // A real workbook has failed already, as a format that is not text.
    if (isFile && Workbook.isWorkbook(file)) return yield* usageFailure(Workbook.refusal(file))
    const tally = new LineTally()
    const input =
      key.given !== undefined && isTable
        ? {
            identifiers: TableInput.values(
              bytes,
              kind === "csv" && isFile
                ? yield* TableInput.layoutOf(bytes, key.given)
                : { separator: TableInput.separators[kind] },
              key.given,
              key
            )
          }
        : { identifiers: fromBytes(bytes, key, tally), tally }
    if (!isFile) return { ...input, window }
    return { ...input, ...countable("tally" in input ? fromBytes(bytes, key) : input.identifiers), file }
  })

/** Returns identifiers that can be read before the run, and their number. */
export const countable = (
  copy: Stream.Stream<Identifiers.Identifier, CommandFailure>
): Required<Pick<Input, "copy" | "total">> => ({
  copy,
  total: Stream.runFold(
    copy,
    () => 0,
    (count: number) => count + 1
  )
})

/** Returns the type of standard input. Undefined: closed. Fails if it is a terminal or a folder. */
const statStandardInput: Effect.Effect<Stats | undefined, CommandFailure> = Effect.suspend(() => {
  if (process.stdin.isTTY) {
    return Effect.fail(
      usageFailure("no identifiers: give them as arguments, with --input FILE, or on standard input")
    )
  }
  let stats: Stats | undefined
  try {
    stats = fstatSync(process.stdin.fd)
  } catch {
    return Effect.succeed(undefined)
  }
  return stats.isDirectory()
    ? Effect.fail(usageFailure("cannot read standard input: it is a folder. Give a file with --input FILE"))
    : Effect.succeed(stats)
})

const statFile = (file: string): Effect.Effect<Stats, CommandFailure> =>
  Effect.filterOrFail(
    Effect.tryPromise({ try: () => stat(file), catch: unreadable(file) }),
    (stats) => !stats.isDirectory(),
    () => usageFailure(`cannot read ${file}: it is a folder. Give a file with --input FILE`)
  )

/** Returns the decompressed bytes of a file, or of standard input. */
export const bytesOf = (
  file = "-"
): Effect.Effect<
  { readonly bytes: Stream.Stream<Uint8Array, CommandFailure>; readonly isFile: boolean },
  CommandFailure
> =>
  file === "-"
    ? Effect.map(statStandardInput, (stats) => ({
        bytes: standardInput,
        isFile: stats === undefined || stats.isFile()
      }))
    : Effect.map(statFile(file), (stats) => ({ bytes: fileBytes(file), isFile: stats.isFile() }))

/** Returns the decompressed bytes of a file. */
export const fileBytes = (file: string): Stream.Stream<Uint8Array, CommandFailure> =>
  decodedBytes(file, () => createReadStream(file, { highWaterMark: fileChunk }))

/** Returns the decompressed bytes of standard input. */
const standardInput: Stream.Stream<Uint8Array, CommandFailure> = decodedBytes(
  Encoding.standardInputName,
  () => process.stdin
)

function decodedBytes(source: string, evaluate: () => Readable): Stream.Stream<Uint8Array, CommandFailure> {
  return NodeStream.fromReadable<Uint8Array, unknown>({ evaluate, onError: (cause) => cause }).pipe(
    Compression.decompress(),
    Stream.mapError(unreadable(source)),
    ForeignFormats.refuse(source),
    Encoding.requireUtf8(source)
  )
}

/** Returns the values of lines. Lines without a value are counted in `tally`. */
export const fromBytes = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  key: LineValues.Key,
  tally: LineTally = new LineTally()
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Stream.map((chunk) => {
      tally.addBytes(chunk)
      return chunk
    }),
    Ndjson.decodeNumbered(),
    Stream.mapError(unparsable),
    LineValues.of(key, tally)
  )

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usageFailure(`cannot read ${file}: ${reasonOf(cause)}`)
}
