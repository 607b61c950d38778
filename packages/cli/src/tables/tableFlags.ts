/**
 * The options that the commands over tables share: `resolve`, `suspects`, `bioactivity top` and `exposure-ratio`.
 */
import { Effect } from "effect"
import type { Command } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import { optionalText } from "../flags/flagTypes.ts"
import * as LayoutFlags from "../flags/layoutFlags.ts"
import * as runFlags from "../flags/runFlags.ts"
import * as openInput from "../input/openInput.ts"
import * as FileCheck from "../output/fileCheck.ts"
import type * as TableRun from "../run/tableRun.ts"
import type * as IdentifierRows from "./identifierRows.ts"

/** The options of a run over the rows of a table. `largestBatch` is the most values in one request. */
export const flags = (largestBatch: number) => ({
  input: optionalText(
    "input",
    "FILE",
    "Table (CSV, TSV, .xlsx, .parquet, .arrow, JSON objects, FILE.sqlite#TABLE), whose columns are written again, or a list of values, one per line; also .gz or .zst; - for standard input",
    "i"
  ),
  ...runFlags.batchFlags(largestBatch)
})

/** The options as given. */
export type Given = Command.Command.Config.Infer<ReturnType<typeof flags>>

/** Fails if a run would overwrite one of its inputs, or write two outputs to one file. */
export const checkFiles = (
  given: Given,
  values: ReadonlyArray<string>,
  client: clientFlags.Settings
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(openInput.filesOrErrorsFile({ input: given.input, values }), (inputs) =>
    FileCheck.check({
      inputs: [...inputs, ...clientFlags.files(client)],
      outputs: runFlags.outputs(given)
    })
  )

/** Opens the input of a command with these key columns. */
export const inputOf = (
  given: Given,
  values: ReadonlyArray<string>,
  keys: ReadonlyArray<string>,
  option = "--key"
): IdentifierRows.Given => ({
  values,
  input: given.input,
  keys,
  option,
  table: LayoutFlags.tableOptionsOf(given)
})

/** Makes the settings of a run. */
export const optionsOf = (
  given: Given,
  { dryRun, values }: Pick<TableRun.Options, "dryRun"> & { readonly values: ReadonlyArray<string> }
): TableRun.Options => ({
  ...runFlags.batchOptionsOf({ ...given, fields: undefined, anyFields: false, stale: undefined }, values),
  dryRun
})
