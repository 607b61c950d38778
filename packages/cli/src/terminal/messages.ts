/**
 * Writes text to standard output and standard error, with control characters escaped (`printable.ts`).
 *
 * Records are written by `outputFiles.ts`, and the bar by `progressBar.ts`. Both escape in the same way.
 */
import * as JsonLog from "./jsonLog.ts"
import { printable, printableStyled } from "./printable.ts"

/** Writes a message to standard error. The level counts with `--log json`. */
export const say = (text: string, level?: JsonLog.Level): void => {
  process.stderr.write(printable(JsonLog.isJson() ? JsonLog.lineOf(text, level) : text))
}

/** Writes a line of `jsonLog.ts` to standard error. Escaped, it has the same value. */
export const sayLine = (line: string): void => {
  process.stderr.write(printable(line))
}

/** Writes text to standard output. */
export const print = (text: string): void => {
  process.stdout.write(printable(text))
}

/** Writes a value for a script to standard output. It is escaped only on a terminal. */
export const printValue = (text: string): void => {
  process.stdout.write(process.stdout.isTTY ? printable(text) : text)
}

/** Writes text to a terminal, in place of the last `lines` lines. */
export const printOver = (lines: number, text: string): void => {
  process.stdout.write(`${lines > 0 ? `\u001b[${lines}A\u001b[J` : ""}${printable(text)}`)
}

/** Writes text with our own colours and weights to standard output. */
export const printStyled = (text: string): void => {
  process.stdout.write(printableStyled(text))
}
