/**
 * Counts the rows without an identifier, so that one message names them instead of one for each.
 */
import { InvalidIdentifier } from "@chemstream/api"
import { count } from "../terminal/quantities.ts"

/** The most lines to name. */
const most = 5

export interface EmptyValues {
  /**
   * Counts an invalid value if it is empty. Returns whether it is. The message of its fault tells it from a line that is no value, e.g. an
   * object without the field, which has no text either.
   */
  readonly look: (value: string, line: number, message: string) => boolean
  /** Returns the number of empty values, and the lines of the first ones. Undefined: there are none. */
  readonly toText: () => string | undefined
}

export const make = (): EmptyValues => {
  const lines: Array<number> = []
  let total = 0
  return {
    look: (value, line, message) => {
      if (value.trim() !== "" || !message.startsWith(InvalidIdentifier.EMPTY)) return false
      if (total++ < most) lines.push(line)
      return true
    },
    toText: () => {
      if (total === 0) return undefined
      const rest = total > lines.length ? ` and ${count(total - lines.length)} more` : ""
      return `${count(total)} without an identifier, in line${total === 1 ? "" : "s"} ${lines.map(String).join(", ")}${rest}`
    }
  }
}
