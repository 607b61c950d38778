/**
 * From identifiers to batches: check each, drop duplicates, gather as many as one call takes.
 *
 * A batch keeps the places of its identifiers in the input, the invalid ones too, so that outcomes can come out in
 * the order asked. Plain state, no effects: the stream feeds it arrays.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"
import type { Identifier } from "../Identifiers.ts"
import type { Ledger } from "../Ledger.ts"
import { type Invalid, invalid } from "../Outcome.ts"

/** An identifier that will be asked for. */
export interface Admitted {
  readonly _tag: "Admitted"
  readonly id: string
  readonly line: number
}

export interface Batch {
  /** The distinct identifiers to ask for, in the order of the input. */
  readonly ids: ReadonlyArray<string>
  /** What the outcomes must account for, in the order of the input. */
  readonly places: ReadonlyArray<Admitted | Invalid>
}

export interface Admission {
  /** The identifier in canonical spelling, or why it is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  readonly dedupe: boolean
  /** The most identifiers in one batch. */
  readonly size: number
  readonly ledger: Ledger
}

export interface Gathering {
  readonly add: (identifiers: ReadonlyArray<Identifier>) => ReadonlyArray<Batch>
  /** The last batch, if any identifier is left. */
  readonly flush: () => ReadonlyArray<Batch>
}

export const gather = ({ dedupe, ledger, parse, size }: Admission): Gathering => {
  const seen = new Set<string>()
  let ids = new Set<string>()
  let places: Array<Admitted | Invalid> = []

  const flush = (): ReadonlyArray<Batch> => {
    if (places.length === 0) return []
    const batch = { ids: Array.from(ids), places }
    ids = new Set()
    places = []
    return [batch]
  }

  const admit = ({ text, line }: Identifier): void => {
    ledger.read++
    const parsed = parse(text)
    if (Result.isFailure(parsed)) {
      places.push(invalid(text, line, parsed.failure))
      return
    }
    const id = parsed.success
    if (dedupe) {
      if (seen.has(id)) {
        ledger.duplicates++
        return
      }
      seen.add(id)
    }
    ids.add(id)
    places.push({ _tag: "Admitted", id, line })
  }

  return {
    flush,
    add: (identifiers) => {
      const batches: Array<Batch> = []
      for (const identifier of identifiers) {
        admit(identifier)
        // The second bound holds memory where the input is mostly invalid or repeats itself undeduplicated.
        if (ids.size === size || places.length === 2 * size) batches.push(...flush())
      }
      return batches
    }
  }
}
