/**
 * Reads a sheet of a workbook (.xlsx) as text cells, and writes records as a sheet. Both are held in memory.
 *
 * A date cell becomes its ISO date. From it, `IdentifierKind` of the contract recovers a CAS number that a spreadsheet turned into a date.
 */

import { readFile } from "node:fs/promises"
import { Quote } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"

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

/** The most characters in a cell. */
const longestCell = 32_767

/** The most rows of a sheet, including the header. */
const mostRows = 1_048_576

/** Returns the expected fields, and then the other fields of the records in their order. */
const columnsOf = (
  records: ReadonlyArray<RawRecord.RawRecord>,
  expected: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...new Set([
    ...expected,
    ...records.flatMap((record) =>
      Result.getOrElse(RawRecord.entries(record), () => []).map(({ key }) => key)
    )
  ])
]

/** Encodes records as a workbook with one sheet. Text stays text, so that no CAS number becomes a date. */
export const encode = (
  records: ReadonlyArray<RawRecord.RawRecord>,
  expected: ReadonlyArray<string>
): Effect.Effect<Uint8Array, CommandFailure> => {
  if (records.length >= mostRows) {
    return Effect.fail(
      runFailure(`cannot write ${records.length} records as xlsx: a sheet has ${mostRows} rows. Write CSV`)
    )
  }
  const columns = columnsOf(records, expected)
  return Effect.tryPromise({
    try: async () => {
      const { default: write } = await import("write-excel-file/node")
      const rows = records.map((record) =>
        columns.map((name) => {
          const value = RawRecord.value(record, name)
          if (value === null || value === undefined) return null
          if (typeof value === "number") return { type: Number, value }
          const text = RawRecord.isRawRecord(value) ? RawRecord.toText(value) : String(value)
          return { type: String, value: text.slice(0, longestCell), format: "@" }
        })
      )
      const header = columns.map((value) => ({ type: String, value, fontWeight: "bold" as const }))
      return await write([header, ...rows]).toBuffer()
    },
    catch: (cause) => runFailure(`cannot write the workbook: ${reasonOf(cause)}`)
  })
}
