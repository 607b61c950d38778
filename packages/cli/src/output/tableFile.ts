/**
 * Writes records as a file of any format, and converts saved records at the end of a run. `chemstream convert` does the same.
 *
 * Columns have the types of the contract. `FileFormat` and `workbookWriter.ts` give every value a place, or name the values that have none.
 */
import { Format, type RawRecord, type Table, TextNumbers } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage, WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, PlatformError, Stream } from "effect"
import { type CommandFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import type * as OpenedTable from "../input/openedTable.ts"
import * as RecordReader from "../tables/recordReader.ts"
import * as WorkbookWriter from "../tables/workbookWriter.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"
import { type Losses, noLosses, type OriginOf, refusedText } from "./lostValues.ts"
import * as OutputFiles from "./outputFiles.ts"
import * as OutputPlace from "./outputPlace.ts"

/** The output formats. */
export type Kind = Format.Kind | "xlsx"

/** The binary formats. */
export const binary: ReadonlySet<Kind> = new Set(["parquet", "arrow", "xlsx"])

/** How a table is written. */
export interface Style {
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  readonly unquotedEmpty?: boolean | undefined
  readonly forSpreadsheet?: boolean | undefined
  readonly cutCells?: boolean | undefined
  readonly inputSheet?: OpenedTable.SheetLayout | undefined
  /** The columns with texts of the input that become numbers if all are (`TextNumbers`). Default: none. */
  readonly texts?: ReadonlySet<string> | undefined
}

/** Returns the format of an output by its name. Default: NDJSON. */
export const kindOf = (output: string, format: Kind | undefined): Kind =>
  format ?? (WorkbookWriter.isWorkbook(output) ? "xlsx" : Format.ofPath(output).kind) ?? "ndjson"

/** Fails if an option does not apply to the format. */
export const checkStyle = (
  kind: Kind,
  { cutCells = false, forSpreadsheet = false }: Pick<Style, "cutCells" | "forSpreadsheet">
): Effect.Effect<void, CommandFailure> => {
  if (cutCells && kind !== "xlsx")
    return usageFailure(`--cut-cells is for workbooks (.xlsx), and the output is ${kind}: omit it`)
  return forSpreadsheet && kind !== "csv" && kind !== "tsv"
    ? usageFailure(`--for-spreadsheet is for CSV and TSV, and the output is ${kind}: omit it`)
    : Effect.void
}

/** Encodes records that can be read twice, without compression. */
export const encode = <E>(
  records: Stream.Stream<RawRecord.RawRecord, E>,
  format: { readonly kind: Kind; readonly compression: Format.Compression | undefined },
  style: Style,
  losses: Losses
): Stream.Stream<Uint8Array, E | CommandFailure | Table.TableError | MissingPackage.MissingPackage> => {
  const { columns, cutCells, forSpreadsheet, inputSheet, texts, unquotedEmpty } = style
  const { compression, kind } = format
  if (texts !== undefined && binary.has(kind)) {
    return Stream.unwrap(
      Effect.map(
        TextNumbers.find(records, (name) => texts.has(name)),
        (names) => {
          const typed = columns.map((one) =>
            names.has(one.name) ? { ...one, type: "number" as const } : one
          )
          const numbers = Stream.map(records, TextNumbers.toNumbers(names))
          return encode(numbers, format, { ...style, columns: typed, texts: undefined }, losses)
        }
      )
    )
  }
  if (kind === "xlsx") return WorkbookWriter.encode(records, columns, { cutCells, losses, sheet: inputSheet })
  return records.pipe(
    FileFormat.encodeTwice({ kind, compression }, { expected: columns, unquotedEmpty, forSpreadsheet })
  )
}

/**
 * Writes records that can be read twice to a file. If a value has no place in the format, the file is not published, and the message names
 * the first such record. `advice` ends that message. Returns whether all values are written whole.
 */
export const write = (
  records: Stream.Stream<RawRecord.RawRecord, CommandFailure>,
  output: OutputPlace.Target,
  kind: Kind,
  style: Style,
  advice: string,
  losses: Losses = noLosses()
): Effect.Effect<boolean, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* WholeFile.open(output.path)
      const format = { kind, compression: Format.ofPath(output.path).compression }
      const bytes = encode(records, format, style, losses)
      yield* Effect.mapError(Stream.runForEach(bytes, file.append), (error) => asFailure(error, kind))
      if (losses.refused > 0) {
        return yield* runFailure(`cannot write ${output.name}: ${refusedText(losses)}. ${advice}`)
      }
      yield* file.publish()
      return reportCut(losses)
    })
  ).pipe(Effect.provide(NodeServices.layer), OutputPlace.asWriteFailure(output.name))

/** Writes records to standard output. Those of a table are read twice. Returns whether all values are written whole. */
export const print = (
  records: Stream.Stream<RawRecord.RawRecord, CommandFailure>,
  kind: Kind,
  style: Style
): Effect.Effect<boolean, CommandFailure> =>
  Effect.gen(function* () {
    yield* checkTerminal(kind, "name a file")
    const losses = noLosses()
    const output = OutputFiles.standard()
    yield* Stream.runForEach(
      encode(records, { kind, compression: undefined }, style, losses),
      output.write
    ).pipe(
      Effect.catchTag("ReaderGone", () => Effect.void),
      Effect.mapError((error) => (error._tag === "CommandFailure" ? error : encodeFailure(kind, error)))
    )
    if (losses.refused > 0) return yield* runFailure(`cannot write all records: ${refusedText(losses)}`)
    return reportCut(losses)
  })

/** Fails if binary data would go to a terminal. */
export const checkTerminal = (kind: Kind, advice: string): Effect.Effect<void, CommandFailure> =>
  binary.has(kind) && process.stdout.isTTY
    ? usageFailure(`refusing to write binary data (${kind}) to a terminal: ${advice}`)
    : Effect.void

/** Converts the saved records of a run to its output. `originOf` finds their places in the input. */
export const convert = (
  saved: OutputPlace.Target,
  output: OutputPlace.Target,
  kind: Kind,
  style: Style,
  originOf: OriginOf
): Effect.Effect<boolean, CommandFailure> =>
  write(
    RecordReader.lines(saved.path, saved.name),
    output,
    kind,
    style,
    `The records are in ${saved.name}. To write them in another format: chemstream convert ${saved.name} FILE.csv`,
    noLosses(originOf)
  )

/** Reports the cut values. Returns whether there are none. */
export const reportCut = ({ cut }: Losses): boolean => {
  if (cut > 0)
    Messages.say(
      `${counted(cut, "cell")} cut at ${WorkbookWriter.longestCell.toLocaleString("en-US")} characters (--cut-cells)\n`
    )
  return cut === 0
}

const asFailure = (
  error: CommandFailure | PlatformError.PlatformError | Table.TableError | MissingPackage.MissingPackage,
  kind: Kind
): CommandFailure | PlatformError.PlatformError => {
  if (error._tag === "CommandFailure" || PlatformError.isPlatformError(error)) return error
  return encodeFailure(kind, error)
}

/** Returns the failure of a format. */
export const encodeFailure = (
  kind: Kind,
  error: Table.TableError | MissingPackage.MissingPackage
): CommandFailure =>
  error._tag === "MissingPackage"
    ? usageFailure(error.message)
    : runFailure(
        error.reason === "no-columns"
          ? `cannot write ${kind}: no record has a field, and without fields there are no columns`
          : `cannot write record ${error.index + 1} as ${kind}: ${error.message}`
      )
