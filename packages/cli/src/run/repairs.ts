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
  /** Counts an outcome. `note`: how it was repaired. Default: found by its texts. */
  readonly look: (outcome: Place, note?: string | null) => void
  /** Returns the count, and the first repair. `where` says which part of the run it counts. Undefined: nothing was repaired. */
  readonly toText: (where?: string) => string | undefined
}

const found = ({ given, id }: Place): string | null =>
  given === undefined || id === undefined ? null : (Repair.noteOf(given, id) ?? null)

export const make = (): Repairs => {
  let count = 0
  let first = ""
  return {
    look: (place, note = found(place)) => {
      if (note !== null && count++ === 0) first = `line ${place.line}: ${note}`
    },
    toText: (where = "") => (count === 0 ? undefined : `${count} repaired${where}, the first in ${first}`)
  }
}
