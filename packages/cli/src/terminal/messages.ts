/**
 * The one place where the command writes text to standard output and standard error: what a terminal would act on is
 * escaped (`printable.ts`). Records go through `output.ts`, and the bar through `bar.ts`, which do so too.
 */
import { printable, printableStyled } from "./printable.ts"

/** Writes a message to standard error. */
export const say = (text: string): void => {
  process.stderr.write(printable(text))
}

/** Writes text to standard output. */
export const print = (text: string): void => {
  process.stdout.write(printable(text))
}

/** Writes a value for a script to standard output: as it is, but on a terminal. */
export const printValue = (text: string): void => {
  process.stdout.write(process.stdout.isTTY ? printable(text) : text)
}

/** Writes text to a terminal, over as many lines as were written last. */
export const printOver = (lines: number, text: string): void => {
  process.stdout.write(`${lines > 0 ? `\u001b[${lines}A\u001b[J` : ""}${printable(text)}`)
}

/** Writes text with colours and weights of our own to standard output. */
export const printStyled = (text: string): void => {
  process.stdout.write(printableStyled(text))
}
