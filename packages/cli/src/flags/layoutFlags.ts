/**
 * The options about a table in the input: its sheet, its header, its quotes.
 */

import { Option } from "effect"
import { type Command, Flag } from "effect/cli"
import type { TableWishes } from "../input/tableChoice.ts"
import { choice, optionalText } from "./flagTypes.ts"

/** The options. */
export const flags = {
  sheet: optionalText(
    "sheet",
    "NAME",
    "Sheet of a workbook, by its name or number [default: the one that has the columns]"
  ),
  headerRow: Flag.String("header-row").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription(
      "Row of the header of a table [default: auto, the first that has the columns, or else that looks like a header]"
    ),
    Flag.filter(
      (text) => text === "auto" || /^[1-9]\d{0,6}$/.test(text),
      () => "a row number from 1, or auto"
    ),
    Flag.optional
  ),
  quotes: choice(
    "quotes",
    ["double", "none"],
    "double",
    "Whether double quotes enclose cells of a table, or are ordinary characters [default: double]"
  )
}

/** The options as given. */
export type Given = Partial<Command.Command.Config.Infer<typeof flags>> & { readonly quiet?: boolean }

/** Returns the wishes of the options. */
export const wishesOf = ({
  headerRow = Option.none(),
  quiet,
  quotes,
  sheet = Option.none()
}: Given): TableWishes => ({
  sheet: Option.getOrUndefined(sheet),
  headerRow: Option.match(headerRow, {
    onNone: () => undefined,
    onSome: (text) => (text === "auto" ? undefined : Number(text))
  }),
  quotes: quotes !== "none",
  quiet
})
