/**
 * The options about a table in the input: its sheet, its header, its quotes.
 */

import type { Command } from "effect/cli"
import type { TableOptions } from "../input/openedTable.ts"
import { choice, optional, optionalText, parsedText } from "./flagTypes.ts"

/** The options. */
export const flags = {
  sheet: optionalText(
    "sheet",
    "NAME",
    "Sheet of a workbook, by its name or number [default: the one that has the columns]"
  ),
  headerRow: parsedText(
    "header-row",
    "N",
    "Row of the header of a table [default: auto, the first that has the columns, or else that looks like a header]",
    (text) => (text === "auto" ? text : /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
    "a row number from 1, or auto"
  ).pipe(optional),
  quotes: choice(
    "quotes",
    ["double", "none"],
    "double",
    "Whether double quotes enclose cells of a table, or are ordinary characters [default: double]"
  )
}

/** The options as given. */
export type Given = Partial<Command.Command.Config.Infer<typeof flags>> & { readonly quiet?: boolean }

/** Returns what the options say about a table. */
export const tableOptionsOf = ({ headerRow, quiet, quotes, sheet }: Given): TableOptions => ({
  sheet,
  headerRow: headerRow === "auto" ? undefined : headerRow,
  quotes: quotes !== "none",
  quiet
})
