/**
 * Opens the input of a run: the arguments, a file, or standard input.
 *
 * `openSource.ts` tells lines from tables, and `lineValues.ts` reads the values of both. The run checks the values.
 */
import { Ndjson } from "@chemstream/ndjson"
import { Identifiers } from "@chemstream/stream"
import { type Duration, Effect, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as LayoutFlags from "../flags/layoutFlags.ts"
import * as FileCheck from "../output/fileCheck.ts"
import type { KeptField } from "../output/joinedFields.ts"
import { ErrorsFile } from "./errorsFile.ts"
import * as KeyColumns from "./keyColumns.ts"
import { nothingToKeep } from "./lineFaults.ts"
import { LineTally } from "./lineTally.ts"
import * as LineValues from "./lineValues.ts"
import type * as OpenedTable from "./openedTable.ts"
import * as OpenSource from "./openSource.ts"
import { unparsable } from "./parseFailure.ts"

/** The longest time that a value from a pipe waits for its batch to fill. */
export const window: Duration.Input = "200 millis"

export interface Input {
  readonly identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** Whether the values are arguments, which have no lines. */
  readonly isArguments?: boolean
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
  readonly input: string | undefined
  readonly key: string | undefined
}

/** Returns the input file of the options. `option` is its name in messages. */
export const files = (
  { input, values }: Pick<Given, "input" | "values">,
  option = "--input"
): ReadonlyArray<FileCheck.Use> => {
  const file = input ?? "-"
  if (file !== "-") return [{ option, file }]
  if (values.length > 0) return []
  return [option === "--input" ? FileCheck.standardInput : { ...FileCheck.standardInput, option }]
}

/** Like `files`. In `retry`, the errors file may be both an input and an output. */
export const filesOrErrorsFile = (
  given: Pick<Given, "input" | "values">
): Effect.Effect<ReadonlyArray<FileCheck.Use>> =>
  Effect.map(ErrorsFile, ({ isRequired }) =>
    isRequired ? files(given, "ERRORS").map((use) => ({ ...use, replacedBy: "--errors" })) : files(given)
  )

/** Opens the input of the options. `own` are the default fields of the endpoint. */
export const ofFlags = (
  { input, key, values, ...table }: Given & LayoutFlags.Given,
  own: ReadonlyArray<string>,
  keep: ReadonlyArray<KeptField> = []
): Effect.Effect<Input, CommandFailure, Scope.Scope> =>
  open(values, input, { given: key, own, keep }, LayoutFlags.tableOptionsOf(table))

/** Opens the input: the arguments if there are any, else the file, else standard input. */
export const open = (
  values: ReadonlyArray<string>,
  file: string | undefined,
  key: LineValues.Key,
  table: OpenedTable.TableOptions = {}
): Effect.Effect<Input, CommandFailure, Scope.Scope> => {
  if (values.length > 0) {
    if (LineValues.keptFields(key).length > 0) return usageFailure(nothingToKeep("an argument"))
    return file === undefined
      ? Effect.succeed({
          isArguments: true,
          identifiers: Identifiers.fromIterable(values),
          copy: Identifiers.fromIterable(values),
          total: Effect.succeed(values.length)
        })
      : usageFailure("give identifiers as arguments or with --input, not both")
  }
  return Effect.gen(function* () {
    const { given, option = "--key", own, split } = key
    const keys = given === undefined ? [] : [given]
    const source = yield* OpenSource.open(file, { keys, own, option, table, split, mayBeList: true })
    const { again, isFile } = source
    const tally = source._tag === "Lines" ? new LineTally() : source.tally
    return {
      identifiers: yield* identifiersOf(source, key, tally),
      ...(tally === undefined ? {} : { tally }),
      ...(isFile ? {} : { window }),
      ...(again === undefined ? {} : countable(yield* identifiersOf(again, key))),
      ...(again === undefined || file === undefined ? {} : { file })
    }
  })
}

/** Returns the identifiers of an opened source. Lines without a value are counted in `tally`. */
const identifiersOf = (
  source: OpenSource.Lines | OpenedTable.Table,
  key: LineValues.Key,
  tally?: LineTally
): Effect.Effect<Input["identifiers"], CommandFailure> => {
  if (source._tag === "Lines") return Effect.succeed(fromBytes(source.bytes, key, tally))
  const keep = LineValues.keptFields(key)
  return Effect.map(
    KeyColumns.needed(
      source,
      keep.map(({ field }) => field),
      "--keep takes some of"
    ),
    (fields) =>
      source.rows.pipe(
        Stream.map(
          ({ fault, line, record, text = "" }): LineValues.Line =>
            fault === undefined ? { line, record } : { line, text, fault }
        ),
        LineValues.of({
          ...key,
          given: source.keys[0],
          keep: keep.map(({ name }, at) => ({ name, field: fields[at] ?? name }))
        })
      )
  )
}

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
