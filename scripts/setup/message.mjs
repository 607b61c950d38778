// What the set-up says to people, all on stderr: one line when a step starts and one when it is done, and on a
// terminal the last line of the step's own output in between. `stop` ends the process with a plain message.

import { Interrupted } from "./child.mjs"

/** A failure that a person can act on: `message` says what happened and what to do now. */
export class SetupFailure extends Error {}

/** @param {string} line */
export const say = (line) => process.stderr.write(`${line}\n`)

/** Shows the last line of a step's output on a terminal, and nothing elsewhere. */
export const progress = () => {
  const terminal = process.stderr.isTTY === true
  return {
    /** @param {string} text */
    show: (text) => {
      const line =
        text
          .trimEnd()
          .split(/[\r\n]/)
          .at(-1)
          ?.trim() ?? ""
      if (terminal && line !== "") {
        process.stderr.write(`\r\u001b[K  ${line.slice(0, (process.stderr.columns ?? 80) - 3)}`)
      }
    },
    clear: () => {
      if (terminal) process.stderr.write("\r\u001b[K")
    }
  }
}

/** @param {number} started from `performance.now()` */
export const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`

/** Ends the process: with a signal's code when it was interrupted, with a message and 1 on any other failure.
 * @param {unknown} error @returns {never} */
export const stop = (error) => {
  if (error instanceof Interrupted) process.exit(error.exitCode)
  if (error instanceof SetupFailure) say(error.message)
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}
