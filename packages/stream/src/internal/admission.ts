/**
 * From identifiers to batches: check each, drop duplicates, gather as many as one call takes.
 *
 * A batch keeps the places of its identifiers in the input, the invalid ones too, so that outcomes can come out in
 * the order asked. Plain state, no effects: the stream feeds it arrays.
 */
import { InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"
import type { Identifier } from "../Identifiers.ts"
import type { Ledger } from "../Ledger.ts"
import { type Invalid, invalid } from "../Outcome.ts"
import type { Seen } from "../Seen.ts"
import { type Digest, digest } from "./digest.ts"
import { type Settlement, type Span, spanSet } from "./spans.ts"

/** An identifier that will be asked for. */
export interface Admitted {
  readonly _tag: "Admitted"
  readonly id: string
  readonly line: number
  readonly input: Identifier
}

export interface Batch {
  /** The distinct identifiers to ask for, in the order of the input. */
  readonly ids: ReadonlyArray<string>
  /** What the outcomes must account for, in the order of the input. */
  readonly places: ReadonlyArray<Admitted | Invalid>
  /** Which parts of the input this accounts for; those that are no place are duplicates. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last span. */
  readonly digest: string
}

export interface Admission {
  /** The identifier in canonical spelling, or why it is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  readonly isSuspicious: (id: string) => boolean
  /** Where identifiers that came before are remembered; undefined where each is asked for again. */
  readonly seen: Seen | undefined
  /** Whether `seen` is known to let no identifier through twice: one of the caller's own may forget. */
  readonly isExact: boolean
  /** What an earlier run has accounted for. */
  readonly settlement: Settlement | undefined
  /** The most identifiers in one batch, at this moment. */
  readonly size: () => number
  readonly ledger: Ledger
}

export interface Gathering {
  readonly add: (identifiers: ReadonlyArray<Identifier>) => ReadonlyArray<Batch>
  /** The last batch, if anything is left. */
  readonly flush: () => ReadonlyArray<Batch>
  /** How the input differs from that of the earlier run, as far as it was read; undefined where it does not. */
  readonly mismatch: () => string | undefined
  /** The same at the end of the input. */
  readonly mismatchAtEnd: () => string | undefined
}

/** An identifier on its way into a batch: its position, and its place unless it is a duplicate. */
interface Entry {
  readonly position: number
  readonly place: Admitted | Invalid | undefined
}

const faulty = (value: string, message: string): InvalidIdentifier.InvalidIdentifier =>
  new InvalidIdentifier.InvalidIdentifier({ identifier: "identifier", value, reason: "malformed", message })

export const gather = ({
  isExact,
  isSuspicious,
  ledger,
  parse,
  seen,
  settlement,
  size
}: Admission): Gathering => {
  const settled = spanSet(settlement?.spans ?? [])
  const input: Digest = digest()
  let position = 0
  let ids: Array<string> = []
  // Those of `ids`, where nothing else keeps them apart.
  let distinct = new Set<string>()
  let places: Array<Admitted | Invalid> = []
  let spans: Array<{ from: number; to: number }> = []
  // What an earlier run left open waits here until the input has been recognised as that run's.
  let held: Array<Entry> = []
  let mismatch: string | undefined

  const flush = (): ReadonlyArray<Batch> => {
    if (spans.length === 0) return []
    const batch = { ids, places, spans, digest: input.value() }
    ids = []
    distinct = new Set()
    places = []
    spans = []
    return [batch]
  }

  const entryOf = (input: Identifier): Entry => {
    const { carried, fault, line, text } = input
    const parsed = fault === undefined ? parse(text) : Result.fail(faulty(text, fault))
    if (Result.isFailure(parsed)) {
      const place = invalid(text, line, parsed.failure)
      return { position, place: carried === undefined ? place : { ...place, carried } }
    }
    const id = parsed.success
    return { position, place: seen?.add(id) === false ? undefined : { _tag: "Admitted", id, line, input } }
  }

  const enter = ({ place, position }: Entry, batches: Array<Batch>): void => {
    const last = spans[spans.length - 1]
    if (last !== undefined && last.to === position) last.to++
    else spans.push({ from: position, to: position + 1 })
    if (place === undefined) return
    places.push(place)
    if (place._tag === "Admitted") {
      if (isExact || distinct.size < distinct.add(place.id).size) ids.push(place.id)
      if (isSuspicious(place.id)) ledger.suspicious++
    }
    // The second bound holds memory where the input is mostly invalid or repeats itself undeduplicated.
    if (ids.length >= size() || places.length >= 2 * size()) batches.push(...flush())
  }

  const recognise = (batches: Array<Batch>): void => {
    if (position !== settled.end) return
    if (settlement !== undefined && input.value() !== settlement.digest) {
      mismatch = `its first ${settled.end} identifiers are not those that were read then`
      return
    }
    const open = held
    held = []
    for (const entry of open) enter(entry, batches)
  }

  const take = (identifier: Identifier, batches: Array<Batch>): void => {
    const entry = entryOf(identifier)
    input.add(identifier.text)
    const isSettled = settled.has(position)
    position++
    if (!isSettled) ledger.read++
    if (position > settled.end) enter(entry, batches)
    else {
      if (!isSettled) held.push(entry)
      recognise(batches)
    }
  }

  const takeAll = (identifiers: ReadonlyArray<Identifier>): ReadonlyArray<Batch> => {
    const batches: Array<Batch> = []
    for (const identifier of identifiers) take(identifier, batches)
    return batches
  }

  return {
    mismatch: () => mismatch,
    mismatchAtEnd: () =>
      position < settled.end
        ? `it has ${position} identifiers, and at least ${settled.end} were read then`
        : undefined,
    flush,
    add: (identifiers) => (mismatch === undefined ? takeAll(identifiers) : [])
  }
}
