/**
 * Chooses the columns of a table that have the values: those of `--key`, else the column of the endpoint, else the user must name it.
 */
import { Quote } from "@chemstream/api"
import { Format, TableLayout } from "@chemstream/ndjson"
import { Effect } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { didYouMean } from "../help/nameSuggestions.ts"
import { namesOf, placeOf, type ReadOptions } from "./openedTable.ts"
import * as RowDetection from "./rowDetection.ts"

/** Returns the key columns of a text. Undefined: it is a list of values. */
export const keysOf = (
  name: string,
  file: string,
  layout: TableLayout.Layout,
  options: ReadOptions
): Effect.Effect<ReadonlyArray<string> | undefined, CommandFailure> => {
  const { columns, separator } = layout
  const { kind } = Format.ofPath(file)
  const isNamed = kind === "csv" || kind === "tsv"
  if (options.keys.length > 0) {
    // The reader of lines says why a list has no columns.
    const isList = columns.length === 1 && !isNamed && !columns.includes(options.keys[0] ?? "")
    return isList && options.mayBeList === true
      ? Effect.undefined
      : needed(layout, options.keys, `${options.option} takes one of`, placeOf(layout))
  }
  if (options.isWhole === true) return Effect.succeed([])
  // A file that is named .csv or .tsv is a table if its header has a separator. Any other text is one only if its first line looks like a
  // header: it has no identifier, and has tabs or a cell that is the usual name of a column.
  const header = columns.join(separator)
  const isTable =
    columns.length > 1 &&
    (isNamed
      ? RowDetection.hasSeparator(header, separator)
      : !columns.some(RowDetection.isExact) && RowDetection.cellsOf(header, options.split) !== undefined)
  if (!isTable) return Effect.undefined
  const own = ownOf(columns, options.own)
  return own === undefined
    ? usageFailure(
        `${question(name, columns, options, placeOf(layout))}. ${isNamed ? "If each line is one value, put quotes around the first line, or name the file .txt" : "If the line is one value, put quotes around it"}`
      )
    : Effect.succeed([own])
}

/** Asks for the column of the values, and names the columns. For a command that takes DTXSIDs, names the command that finds them. */
export const question = (
  name: string,
  columns: ReadonlyArray<string>,
  { option, own }: { readonly option: string; readonly own: ReadonlyArray<string> },
  place: string
): string => {
  const others = own.includes("dtxsid")
    ? `. chemstream resolve finds the DTXSIDs of a column of names or CAS numbers`
    : ""
  return `${name} is a table${place}: name the column of the values with ${option}, one of ${namesOf(columns)}${others}`
}

/** Returns the first column of the endpoint that a table has, in any case. */
export const ownOf = (columns: ReadonlyArray<string>, own: ReadonlyArray<string>): string | undefined =>
  own.flatMap((field) => columns.filter((name) => name.trim().toLowerCase() === field.toLowerCase()))[0]

/** Returns whether a row is a header with a column of the endpoint, in any case. A row with an identifier is none. */
export const hasOwn =
  (own: ReadonlyArray<string>) =>
  (cells: ReadonlyArray<string>): boolean =>
    ownOf(cells, own) !== undefined && !cells.some(RowDetection.isExact)

/** Returns the names of columns as the table has them. Fails if it lacks one. */
export const needed = (
  layout: Pick<TableLayout.Layout, "columns" | "given">,
  wanted: ReadonlyArray<string>,
  option: string,
  place = ""
): Effect.Effect<ReadonlyArray<string>, CommandFailure> => {
  const { columns } = layout
  const missing = wanted.filter((name) => TableLayout.columnOf(layout, name) === undefined)
  if (missing.length === 0)
    return Effect.succeed(wanted.map((name) => TableLayout.columnOf(layout, name) ?? name))
  const words = missing.map((name) => `${Quote.value(name)}${didYouMean(name, columns)}`).join(", ")
  return usageFailure(`the table${place} has no column ${words}: ${option} ${namesOf(columns)}`)
}
