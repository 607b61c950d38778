/**
 * Counts the identifiers that were repaired, and keeps the first one: a repaired identifier has records, but equals no text of the input.
 */
import { Repair } from "@chemstream/api"

/** The place of an outcome. A surplus record has none. */
interface Place {
  readonly id?: string | undefined
  readonly given?: string | undefined
  readonly line?: number | undefined
}

export interface Repairs {
  readonly look: (outcome: Place) => void
  /** Returns the count, and the first repair. `where` says which part of the run it counts. Undefined: nothing was repaired. */
  readonly toText: (where?: string) => string | undefined
}

export const make = (): Repairs => {
  let count = 0
  let first = ""
  return {
    look: ({ given, id, line }) => {
      const note = given === undefined || id === undefined ? undefined : Repair.noteOf(given, id)
      if (note !== undefined && count++ === 0) first = `line ${line}: ${note}`
    },
    toText: (where = "") => (count === 0 ? undefined : `${count} repaired${where}, the first in ${first}`)
  }
}
