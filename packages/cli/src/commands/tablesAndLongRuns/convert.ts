/**
 * `chemstream convert`: writes records in another format, and changes them on the way (`tables/recordTransforms.ts`). It sends no request.
 */

import { type Table, TextNumbers } from "@chemstream/ndjson"
import { FileFormat } from "@chemstream/ndjson/node"
import { TableTarget } from "@chemstream/workflow"
import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, incompleteRun, usageFailure } from "../../CommandFailure.ts"
import { contractType } from "../../endpoints/contractTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as TransformFlags from "../../flags/transformFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as OpenStore from "../../output/openStore.ts"
import * as OutputPlace from "../../output/outputPlace.ts"
import * as TableFile from "../../output/tableFile.ts"
import * as RecordReader from "../../tables/recordReader.ts"
import * as RecordTransforms from "../../tables/recordTransforms.ts"
import * as TemporaryRecords from "../../tables/temporaryRecords.ts"
import * as Messages from "../../terminal/messages.ts"

const standard = "-"

export const convert = Command.make(
  "convert",
  {
    input: Argument.String("in").pipe(
      Argument.withDescription(
        "File to read: NDJSON, JSON, CSV, TSV, .xlsx, .parquet or .arrow, also .gz or .zst; or a table, as in FILE.sqlite#TABLE [default: -, standard input]"
      ),
      Argument.withDefault(standard)
    ),
    output: Argument.String("out").pipe(
      Argument.withDescription(
        "File to write: .ndjson, .json, .csv, .tsv, .parquet, .arrow or .xlsx, also .gz or .zst; or a table, as in FILE.sqlite#TABLE [default: -, standard output]"
      ),
      Argument.withDefault(standard)
    ),
    ...TransformFlags.flags,
    ...LayoutFlags.flags,
    format: runFlags.format,
    forSpreadsheet: runFlags.files.forSpreadsheet,
    cutCells: runFlags.files.cutCells
  },
  ({ cutCells, forSpreadsheet, format, input, output, sheet, headerRow, quotes, ...transforms }) =>
    Effect.gen(function* () {
      const toTable = TableTarget.isTarget(output)
      const files = [
        { option: "the input", file: input },
        ...(transforms.join === undefined ? [] : [{ option: "--join", file: transforms.join }])
      ]
      yield* FileCheck.check({
        inputs: files.map((use) => (use.file === standard ? FileCheck.standardInput : use)),
        outputs: toTable
          ? FileCheck.tables("the output", output)
          : FileCheck.replaced("the output", output === standard ? undefined : output)
      })
      const tableOptions = LayoutFlags.tableOptionsOf({ sheet, headerRow, quotes })
      const target = toTable ? yield* OpenStore.tableTarget("OUT", output, format) : undefined
      const kind = TableFile.kindOf(output, format)
      if (!toTable) yield* OpenStore.checkEnding(output, format)
      yield* TableFile.checkStyle(toTable ? "ndjson" : kind, { cutCells, forSpreadsheet })
      const place = toTable || output === standard ? undefined : yield* placeOf(output)
      const opened = yield* RecordReader.open(input, tableOptions, contractType)
      const { change, header } = yield* RecordTransforms.open(transforms)
      const hasColumns = toTable || (kind !== "ndjson" && kind !== "json")
      const changed = change === undefined ? opened.records : change(opened.records)
      // Records with columns are read twice: for the columns, and to write them.
      const spooled =
        hasColumns && (change !== undefined || !opened.canReread)
          ? yield* TemporaryRecords.make(changed)
          : changed
      const records = toTable || TableFile.binary.has(kind) ? yield* typed(spooled, opened) : spooled
      const columns = hasColumns
        ? yield* columnsOf(records, opened, transforms.fields, () => header(opened.columns ?? []))
        : []
      // A bad row costs that row, and the output is not whole.
      const end = Effect.suspend(() => {
        const left = opened.leftOut?.()
        if (left === undefined) return Effect.void
        Messages.say(`chemstream: ${left}\n`)
        return incompleteRun
      })
      if (target !== undefined) {
        // Loaded on demand: a conversion to a file needs no database.
        const TableCopy = yield* Effect.promise(() => import("../../output/databaseCopy.ts"))
        yield* TableCopy.write(records, target, columns)
        return yield* end
      }
      const style = {
        columns,
        unquotedEmpty: opened.isTable,
        forSpreadsheet,
        cutCells,
        inputSheet: opened.sheet
      }
      const isWhole =
        place === undefined
          ? yield* TableFile.print(records, kind, style)
          : yield* TableFile.write(
              records,
              place,
              kind,
              style,
              `Nothing was written, and ${input === standard ? "the input" : input} is unchanged`
            )
      if (!isWhole) yield* incompleteRun
      yield* end
    }).pipe(Effect.scoped)
).pipe(
  withHelp("Convert records to another format, and join, select, rank or widen them, offline", {
    "chemstream convert out.xlsx.partial.ndjson out.csv":
      "The records of a run whose own format could not hold a value",
    "chemstream convert records.ndjson.gz records.xlsx": "For a spreadsheet",
    "chemstream hazard toxval DTXSID7020182 | chemstream convert --where 'toxvalUnits = mg/kg-day' --top 1 --by toxvalNumeric --per dtxsid":
      "The lowest dose of each substance",
    "chemstream properties predicted DTXSID7020182 | chemstream convert - wide.csv --wide propName,propUnit=propValue":
      "A column for each property, with its unit"
  })
)

/** Makes numbers of the columns of a CSV whose texts are all numbers: the reader knows no types, and the output has some. */
const typed = (
  records: RecordReader.OpenedRecords["records"],
  { declared, isTable, sheet }: RecordReader.OpenedRecords
): Effect.Effect<RecordReader.OpenedRecords["records"], CommandFailure> =>
  !isTable || declared !== undefined || sheet !== undefined
    ? Effect.succeed(records)
    : Effect.map(TextNumbers.find(records), (names) => Stream.map(records, TextNumbers.toNumbers(names)))

const placeOf = (output: string): Effect.Effect<OutputPlace.Target, CommandFailure> =>
  Effect.flatMap(OutputPlace.targets({ output }), ({ output: place }) =>
    place === undefined
      ? usageFailure(`cannot write ${output}: convert writes regular files and standard output`)
      : Effect.succeed(place)
  )

/**
 * Returns the columns of records, with the types of the contract for its fields. Those that a source declares come first. `header` names
 * them if there is no record.
 */
const columnsOf = (
  records: RecordReader.OpenedRecords["records"],
  { declared, isTable }: RecordReader.OpenedRecords,
  fields: ReadonlyArray<string> | undefined,
  header: () => ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Table.Column>, CommandFailure> =>
  Effect.suspend(() => {
    let isEmpty = true
    const seen = Stream.map(records, (record) => {
      isEmpty = false
      return record
    })
    const isKept = ({ name }: Table.ExpectedColumn): boolean => fields === undefined || fields.includes(name)
    return Effect.map(FileFormat.inferColumns(seen, [], false, declared?.filter(isKept)), ({ columns }) => {
      const names = isEmpty ? header() : []
      const all =
        names.length === 0
          ? columns
          : names.map(
              (name): Table.Column => columns.find((column) => column.name === name) ?? { name, type: "text" }
            )
      return isTable
        ? all
        : all.map((column) => ({ ...column, type: contractType(column.name) ?? column.type }))
    })
  })
