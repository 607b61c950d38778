/**
 * `chemstream help fields`: lists the fields of the records of a command, with their types and projections.
 */

import { Quote } from "@chemstream/api"
import type { Dialect } from "@chemstream/client"
import { Effect } from "effect"
import { type CommandFailure, usageFailure } from "../../CommandFailure.ts"
import * as CommandIndex from "../../endpoints/commandIndex.ts"
import * as ProjectionSchemas from "../../fields/projectionSchemas.ts"
import { didYouMean, listed } from "../../help/nameSuggestions.ts"
import { wrap } from "../../help/textWidth.ts"
import * as EffectiveSettings from "../../settings/effectiveSettings.ts"
import * as Messages from "../../terminal/messages.ts"

/** The column types whose name for users differs. */
const typeNames: Readonly<Record<string, string>> = { json: "JSON" }

/** Prints the fields of a command. */
export const print = (
  words: ReadonlyArray<string>,
  columns: number,
  rows?: CommandIndex.RowList
): Effect.Effect<void, CommandFailure> => {
  const command = words.join(" ")
  const row = CommandIndex.find(command, rows)
  if (row !== undefined) {
    return Effect.gen(function* () {
      const { value: dialect } = (yield* EffectiveSettings.service()).dialect
      Messages.print(toText(command, ProjectionSchemas.columnsOf(row, dialect), dialect, columns))
    })
  }
  const names = CommandIndex.of(rows).map((one) => one.words.join(" "))
  const known = listed(names, command)
  return usageFailure(
    words.length === 0
      ? `give a command: chemstream help fields COMMAND, one of ${known}`
      : `no list of fields for ${Quote.value(command)}${didYouMean(command, names)}; the commands with one are ${known}`
  )
}

/** Renders one row for each field, with a column for each projection. */
const toText = (
  command: string,
  projections: ProjectionSchemas.Projections,
  dialect: Dialect.Name,
  columns: number
): string => {
  const names = Object.keys(projections)
  const isOne = names.length === 1
  const types = new Map(
    Object.values(projections).flatMap((all) => all.map(({ name, type }) => [name, type]))
  )
  const width = Math.max(...[...types.keys()].map(({ length }) => length))
  const rows = [...types].map(([field, type]) => {
    const marks = names.map((name, at) =>
      projections[name]?.some((column) => column.name === field) ? String(at + 1) : " "
    )
    return `  ${field.padEnd(width)}  ${isOne ? "" : `${marks.join(" ")}  `}${typeNames[type] ?? type}`
  })
  const intro = `Fields of the records of chemstream ${command} in the dialect ${dialect}, for --fields A,B. A field of an object is a path: FIELD.NAME.`
  return [
    ...wrap(intro, "", columns),
    "",
    ...(isOne ? [] : [...names.map((name, at) => `  ${at + 1} ${name}`), ""]),
    ...rows,
    ""
  ].join("\n")
}
