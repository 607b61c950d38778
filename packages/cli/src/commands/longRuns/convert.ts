/**
 * Defines `chemstream convert`: writes the records of a file in another format. It sends no request.
 */

import { Dialect } from "@chemstream/client"
import type { Table } from "@chemstream/ndjson"
import { FileFormat } from "@chemstream/ndjson/node"
import { TableTarget } from "@chemstream/workflow"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, incompleteRun, usageFailure } from "../../CommandFailure.ts"
import * as FieldCatalogue from "../../fields/fieldCatalogue.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as OpenStore from "../../output/openStore.ts"
import * as OutputPlace from "../../output/outputPlace.ts"
import * as RunFiles from "../../output/runFiles.ts"
import * as TableFile from "../../output/tableFile.ts"
import * as RowCommands from "../../rows/rowCommands.ts"
import * as RecordInput from "../../tables/recordInput.ts"

export const convert = Command.make(
  "convert",
  {
    input: Argument.String("in").pipe(
      Argument.withDescription(
        "File to read: NDJSON, JSON, CSV, TSV, .xlsx, .parquet or .arrow, also .gz or .zst; or a table, as in FILE.sqlite#TABLE"
      )
    ),
    output: Argument.String("out").pipe(
      Argument.withDescription(
        "File to write: .ndjson, .json, .csv, .tsv, .parquet, .arrow or .xlsx, also .gz or .zst; or a table, as in FILE.sqlite#TABLE"
      )
    ),
    ...LayoutFlags.flags,
    format: runFlags.format,
    forSpreadsheet: runFlags.files.forSpreadsheet,
    cutCells: runFlags.files.cutCells
  },
  ({ cutCells, forSpreadsheet, format, input, output, ...layout }) =>
    Effect.gen(function* () {
      const isTable = TableTarget.isTarget(output)
      yield* RunFiles.check({
        inputs: [{ option: "the input", file: input }],
        outputs: isTable
          ? RunFiles.tables("the output", output)
          : RunFiles.replaced("the output", Option.some(output))
      })
      if (isTable) {
        const target = yield* OpenStore.tableTarget("OUT", output, Option.getOrUndefined(format))
        yield* TableFile.checkStyle("ndjson", { cutCells, forSpreadsheet })
        const { isText, records } = yield* RecordInput.open(input, LayoutFlags.wishesOf(layout))
        // Loaded on demand: a conversion to a file needs no database.
        const TableCopy = yield* Effect.promise(() => import("../../output/tableCopy.ts"))
        return yield* TableCopy.write(records, target, yield* columnsOf(records, isText))
      }
      const kind = TableFile.kindOf(output, Option.getOrUndefined(format))
      yield* OpenStore.checkEnding(output, Option.getOrUndefined(format))
      yield* TableFile.checkStyle(kind, { cutCells, forSpreadsheet })
      const { output: target } = yield* OutputPlace.targets({ output })
      if (target === undefined)
        return yield* usageFailure(`cannot write ${output}: convert writes regular files`)
      const { isText, records, sheet } = yield* RecordInput.open(input, LayoutFlags.wishesOf(layout))
      const columns = yield* columnsOf(records, isText)
      const isWhole = yield* TableFile.write(
        records,
        target,
        kind,
        { columns, unquotedEmpty: isText, forSpreadsheet, cutCells, inputSheet: sheet },
        `Nothing was written, and ${input} is unchanged`
      )
      if (!isWhole) yield* incompleteRun
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Convert a file of records to another format, offline"),
  Command.withExamples([
    {
      command: "chemstream convert out.xlsx.partial.ndjson out.csv",
      description: "The records of a run whose own format could not hold a value"
    },
    { command: "chemstream convert records.ndjson.gz records.xlsx", description: "For a spreadsheet" }
  ])
)

/** Returns the columns of records, with the types of the contract for its fields. */
const columnsOf = (
  records: RecordInput.RecordInput["records"],
  isText: boolean
): Effect.Effect<ReadonlyArray<Table.ExpectedColumn>, CommandFailure> =>
  Effect.map(FileFormat.survey(records, [], false), ({ columns }) =>
    isText ? columns : columns.map(({ name, type }) => ({ name, type: contractTypes().get(name) ?? type }))
  )

/** The types of the fields of all records. Scalars of several types have only text in common. */
const contractTypes = (): ReadonlyMap<string, Table.ColumnType> => {
  const types = new Map<string, Table.ColumnType>()
  for (const {
    choices: [{ row }]
  } of RowCommands.of()) {
    for (const dialect of Dialect.names) {
      const columns = Object.values(FieldCatalogue.columnsOf(row, dialect)).flat()
      for (const { name, type } of columns) {
        const known = types.get(name)
        types.set(name, known === undefined || known === type ? type : common(known, type))
      }
    }
  }
  return types
}

const common = (one: Table.ColumnType, other: Table.ColumnType): Table.ColumnType =>
  one === "json" || other === "json" ? "json" : "text"
