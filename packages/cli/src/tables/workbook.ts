/**
 * Reads a sheet of a workbook (.xlsx) as text cells, in memory. `sheet.ts` writes one.
 *
 * A date cell becomes its ISO date. From it, `IdentifierKind` of the contract recovers a CAS number that a spreadsheet turned into a date.
 */
import { readFile } from "node:fs/promises"
import { Quote } from "@chemstream/api"
import { Effect } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"

/** A row of a sheet: its number, and its cells from the first column. */
export interface SheetRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** Whether a file is a workbook, by its extension. */
export const isWorkbook = (file: string): boolean => /\.xlsx$/i.test(file)

/** Returns the error for a file with the extension `.xlsx` that is not a workbook. */
export const refusal = (file: string, reason?: string): string =>
  `cannot read ${file}: it is not a workbook${reason === undefined ? "" : ` (${reason})`}. Save it as .xlsx again, or name it .csv if it is text`

/** Reads the header of a sheet, and the rows below it that are not empty. */
export const read = (
  file: string,
  sheet: string | undefined
): Effect.Effect<
  { readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<SheetRow> },
  CommandFailure
> =>
  Effect.gen(function* () {
    const sheets = yield* Effect.tryPromise({
      try: async () => (await import("read-excel-file/node")).default(await readFile(file)),
      catch: (cause) =>
        usageFailure(
          cause instanceof Error && "syscall" in cause
            ? `cannot read ${file}: ${reasonOf(cause)}`
            : refusal(file, reasonOf(cause))
        )
    })
    const names = sheets.map((one) => one.sheet)
    const at = sheet === undefined ? 0 : names.includes(sheet) ? names.indexOf(sheet) : Number(sheet) - 1
    const found = sheets[at]
    if (found === undefined) {
      return yield* usageFailure(
        `${file} has no sheet ${Quote.value(sheet)}; it has ${names.map((name) => Quote.value(name)).join(", ")}`
      )
    }
    const rows = found.data
      .map((cells, index): SheetRow => ({ line: index + 1, cells: cells.map(textOf) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ""))
    const [header, ...others] = rows
    if (header === undefined)
      return yield* usageFailure(`the sheet ${Quote.value(found.sheet)} of ${file} is empty`)
    const twice = header.cells.find((name, index) => header.cells.indexOf(name) < index)
    if (twice !== undefined)
      return yield* usageFailure(`${file} has two columns ${Quote.value(twice)}: give each another name`)
    return { columns: header.cells, rows: others }
  })

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ""
  return cell instanceof Date ? cell.toISOString().replace(/T00:00:00\.000Z$/, "") : String(cell)
}
