/**
 * Reads the sheets of a workbook (.xlsx) in memory. `sheet.ts` writes one.
 *
 * Numbers and booleans stay what they are. A date becomes its ISO date, and an error its text; `typed` tells them from text.
 */
import { Effect } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"
import * as SourceBytes from "../input/sourceBytes.ts"
import type { CellType } from "../input/tableChoice.ts"

/** A row of a sheet: its number, its cells as text, and their values for a record. */
export interface SheetRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly values: ReadonlyArray<string | number | boolean | null>
}

/** A sheet with its rows that are not empty. */
export interface Sheet {
  readonly name: string
  readonly rows: ReadonlyArray<SheetRow>
  /** The types of cells, by the position of the column and then by the text. Other texts are text. */
  readonly typed: ReadonlyMap<number, ReadonlyMap<string, CellType>>
}

/** Returns the error for a file with the extension `.xlsx` that is not a workbook. */
export const refusal = (file: string, reason?: string): string =>
  `cannot read ${file}: it is not a workbook${reason === undefined ? "" : ` (${reason})`}. Save it as .xlsx again, or name it .csv if it is text`

/** Reads all sheets. */
export const read = (
  name: string,
  bytes: SourceBytes.Bytes
): Effect.Effect<ReadonlyArray<Sheet>, CommandFailure> =>
  Effect.gen(function* () {
    const file = yield* SourceBytes.all(bytes)
    const sheets = yield* Effect.tryPromise({
      try: async () => {
        const { default: readSheets } = await import("read-excel-file/node")
        return await readSheets(await withErrors(file), { trim: false })
      },
      catch: (cause) => usageFailure(refusal(name, reasonOf(cause)))
    })
    return sheets.map((sheet) => sheetOf(sheet.sheet, sheet.data))
  })

/** Marks the text of an error. The first character is for private use, so no text of a cell begins like this. */
const errorMark = "\ue000error:"

/** The value of an error cell: `<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>`, with the type before and the value in the middle. */
const errorCell =
  /(<(?:\w+:)?c\b[^>]*\bt=)"e"([^>]*>(?:<(?:\w+:)?f\b[^>]*?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?<(?:\w+:)?v>)([^<]*)/g

/** Makes marked text of error cells, which the library leaves out. */
const withErrors = async (bytes: Buffer): Promise<Buffer> => {
  const { strFromU8, strToU8, unzipSync, zipSync } = await import("fflate")
  let files: ReturnType<typeof unzipSync>
  try {
    files = unzipSync(bytes)
  } catch {
    // The library says what is wrong with the file.
    return bytes
  }
  let hasErrors = false
  for (const [path, content] of Object.entries(files)) {
    if (!/worksheets\/[^/]+\.xml$/.test(path)) continue
    const text = strFromU8(content)
    const marked = text.replace(errorCell, `$1"str"$2${errorMark}$3`)
    if (marked === text) continue
    hasErrors = true
    files[path] = strToU8(marked)
  }
  return hasErrors ? Buffer.from(zipSync(files, { level: 0 })) : bytes
}

const sheetOf = (name: string, data: ReadonlyArray<ReadonlyArray<unknown>>): Sheet => {
  const texts = new Map<number, Set<string>>()
  for (const row of data) {
    for (const [at, cell] of row.entries()) {
      if (typeof cell === "string" && !cell.startsWith(errorMark)) added(texts, at, () => new Set()).add(cell)
    }
  }
  const typed = new Map<number, Map<string, CellType>>()
  const contentOf = (cell: unknown, at: number): string | number | boolean | null => {
    if (cell === null || cell === undefined) return null
    if (typeof cell === "number" || typeof cell === "boolean") return cell
    if (cell instanceof Date) {
      const text = dateText(cell)
      // A text cell of the column can have the same characters.
      const own = texts.get(at)?.has(text) === true && text.length === dateLength ? `${text}T00:00:00` : text
      added(typed, at, () => new Map()).set(own, "date")
      return own
    }
    const text = String(cell)
    if (!text.startsWith(errorMark)) return text
    const error = text.slice(errorMark.length)
    if (texts.get(at)?.has(error) !== true) added(typed, at, () => new Map()).set(error, "error")
    return error
  }
  const rows = data.map((row, index): SheetRow => {
    const values = row.map(contentOf)
    return { line: index + 1, values, cells: values.map((value) => String(value ?? "")) }
  })
  return { name, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== "")), typed }
}

const added = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

const dateLength = "1980-05-07".length

/** Returns the ISO date, with the time if there is one. A sheet has no time zone. Its fractions of a day are not exact to the millisecond. */
const dateText = (date: Date): string =>
  new Date(Math.round(date.getTime() / 1000) * 1000)
    .toISOString()
    .replace(/\.000Z$/, "")
    .replace(/T00:00:00$/, "")
