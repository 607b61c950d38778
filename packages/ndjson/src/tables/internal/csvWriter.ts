/**
 * Writes the rows of a table as comma-separated text in UTF-8: quotes cells, and escapes formulas and control
 * characters.
 */
import type { Column } from "../Table.ts"
import type { TableWriter } from "./encodeTable.ts"
import { loneSurrogate } from "./recordCells.ts"

/** The style of the text. */
export interface Style {
  readonly separator: string
  readonly lineBreak: string
  readonly header: boolean
  readonly escapeFormulas: boolean
  readonly escapeControls: boolean
  readonly unquotedEmpty: boolean
  readonly byteOrderMark: boolean
}

// The number of characters that are encoded at once.
const FLUSH_LENGTH = 1024 * 1024

/** Matches the start of a text that spreadsheets read as a formula. */
const formula = /^[=+\-@\t\r]/

const controls = /[\t\r\n]/g

const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r", "\n": "\\n" }

const encoder = new TextEncoder()

/** Makes the writer of one table. */
export const csvWriter = (columns: ReadonlyArray<Column>, style: Style): TableWriter<string> => {
  // Matches the characters for which a cell is quoted.
  const special = new RegExp(`[${style.separator.replace(/[\\\]^-]/g, "\\$&")}"\\r\\n]`)
  // The rows that are not encoded yet.
  let pending = ""

  /** Returns the text of a cell, quoted if it must be. */
  const cellText = (raw: string): string => {
    const text = style.escapeControls ? raw.replace(controls, (control) => escapes[control] ?? "") : raw
    // A reader would skip a byte-order mark at the start of a file.
    return (text === "" && !style.unquotedEmpty) || special.test(text) || text.charCodeAt(0) === 0xfeff
      ? `"${text.replaceAll('"', '""')}"`
      : text
  }

  const stringText = (text: string): string =>
    cellText(style.escapeFormulas && formula.test(text) ? `'${text}` : text)

  const line = (cells: ReadonlyArray<string>): string =>
    // A reader would skip an empty line as blank.
    `${cells.length === 1 && cells[0] === "" ? '""' : cells.join(style.separator)}${style.lineBreak}`

  const flush = (target: Array<Uint8Array>): void => {
    if (pending !== "") target.push(encoder.encode(pending))
    pending = ""
  }

  if (style.byteOrderMark) pending = "\ufeff"
  if (style.header) pending += line(columns.map(({ name }) => stringText(name)))

  return {
    value: ({ kind, text }, { name }) => {
      if (!text.isWellFormed()) return loneSurrogate(name)
      return kind === "string" ? stringText(text) : cellText(text)
    },
    row: (values, out) => {
      pending += line(values.map((value) => value ?? ""))
      if (pending.length >= FLUSH_LENGTH) flush(out)
    },
    pause: flush,
    close: flush
  }
}
