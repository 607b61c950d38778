/**
 * A bar on a terminal with the words beside it, on standard error, redrawn in place. What it shows the progress of
 * is its callers' business.
 */
import { printable, printableLine } from "./printable.ts"

/** The milliseconds between two drawings: at most ten a second. */
export const redrawEvery = 100

const widest = 30

const narrowest = 5

/** The bar of a share (0 to 1) and the words, no wider than `columns`; the words alone where no share is known. */
export const render = (share: number | undefined, text: string, columns: number): string => {
  const words = printableLine(text)
  const width = Math.min(widest, columns - words.length - 4)
  if (share === undefined || width < narrowest) return words.slice(0, columns - 1)
  const filled = Math.floor(Math.min(share, 1) * width)
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${words}`
}

/** Whether the cursor stands behind a line that was drawn: there is one standard error, so there is one answer. */
let isDrawn = false

/** Draws a line in the place of the last one. */
export const draw = (line: string): void => {
  isDrawn = true
  process.stderr.write(`\r\u001b[2K${printableLine(line)}`)
}

/** Leaves the line that was drawn last as it stands. */
export const end = (): void => {
  isDrawn = false
  process.stderr.write("\n")
}

/** Writes lines to standard error in the place of a bar, which is drawn anew below them. */
export const say = (lines: string): void => {
  process.stderr.write(`${isDrawn ? "\r\u001b[2K" : ""}${printable(lines)}`)
}

/** The width of the terminal. */
export const columns = (): number => process.stderr.columns || 80
