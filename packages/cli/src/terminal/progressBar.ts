/**
 * Draws a progress bar with text on standard error, in place. It is the same for every kind of job.
 */
import * as JsonLog from "./jsonLog.ts"
import * as Messages from "./messages.ts"
import { printable, printableLine } from "./printable.ts"

/** The least time between two drawings, in milliseconds. */
export const redrawEvery = 100

const widest = 30

const narrowest = 5

/** Returns a bar of a share (0 to 1) and text, at most `columns` wide. Without a share, returns only the text. */
export const render = (share: number | undefined, text: string, columns: number): string => {
  const words = printableLine(text)
  const width = Math.min(widest, columns - words.length - 4)
  if (share === undefined || width < narrowest) return words.slice(0, columns - 1)
  const filled = Math.floor(Math.min(share, 1) * width)
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${words}`
}

/** Whether the cursor is behind a drawn line. One state for the process, because it has one standard error. */
let isDrawn = false

/** Draws a line over the previous one. */
export const draw = (line: string): void => {
  if (JsonLog.isJson()) return
  isDrawn = true
  process.stderr.write(`\r\u001b[2K${printableLine(line)}`)
}

/** Keeps the last drawn line and starts a new one. */
export const end = (): void => {
  if (JsonLog.isJson()) return
  isDrawn = false
  process.stderr.write("\n")
}

/** Writes lines to standard error over the bar. The next drawing is below them. */
export const say = (lines: string): void => {
  if (isDrawn) process.stderr.write(`\r\u001b[2K${printable(lines)}`)
  else Messages.say(lines)
}

/** The width of the terminal. */
export const columns = (): number => process.stderr.columns || 80
