/**
 * Counts the identifiers that were repaired, and keeps the first one: a repaired identifier has records, but equals no text of the input.
 */
import { type Key, Repair } from "@chemstream/api"
import type { Identifiers } from "@chemstream/stream"
import { Result, Stream } from "effect"

/** The place of an outcome. A surplus record has none. */
interface Place {
  readonly id?: string | undefined
  readonly given?: string | undefined
  readonly line?: number | undefined
}

export interface Repairs {
  /** Counts an outcome. `note`: how it was repaired. Default: found by its texts. */
  readonly look: (outcome: Place, note?: string | null) => void
  /** Counts the identifiers of an input that a key repairs, also those that came before. A key without kinds repairs none. */
  readonly watch: <E>(
    identifiers: Stream.Stream<Identifiers.Identifier, E>,
    key: Pick<Key.Key, "kinds" | "parse">
  ) => Stream.Stream<Identifiers.Identifier, E>
  /** Returns the count, and the first repair. `where` says which part of the run it counts. Undefined: nothing was repaired. */
  readonly toText: (where?: string) => string | undefined
}

const found = ({ given, id }: Place): string | null =>
  given === undefined || id === undefined ? null : (Repair.noteOf(given, id) ?? null)

export const make = (): Repairs => {
  let count = 0
  let first = ""
  let isWatched = false
  const look: Repairs["look"] = (place, note = found(place)) => {
    if (note !== null && count++ === 0) first = `line ${place.line}: ${note}`
  }
  return {
    look,
    watch: (identifiers, key) => {
      if (key.kinds === undefined) return identifiers
      // A continued run reads its whole input.
      isWatched = true
      const several = key.kinds.length > 1
      return Stream.map(identifiers, (one) => {
        const { fault, text } = one
        // A text of several kinds is valid with its damage.
        if (fault === undefined && (several || Result.getOrUndefined(key.parse(text)) !== text)) {
          const id = Repair.readKey(key, text)
          if (Result.isSuccess(id)) look({ ...one, id: id.success, given: text })
        }
        return one
      })
    },
    toText: (where = "") =>
      count === 0 ? undefined : `${count} repaired${isWatched ? "" : where}, the first in ${first}`
  }
}
