/**
 * From items to batches: find the key of each, drop duplicates, gather as many as one call takes.
 *
 * A batch keeps the places of its items in the input, the invalid ones too, so that outcomes can come out in
 * the order asked. Plain state, no effects: the stream feeds it arrays.
 */
import { Result } from "effect"
import type { Ledger } from "../../Ledger.ts"
import type { Invalid } from "../../Outcome.ts"
import { type Settlement, type Span, spanSet } from "../../ResumePoint.ts"
import { type Digest, digest } from "./digest.ts"

/** A set of keys that only grows. */
export interface Seen {
  /** Whether a key is new; from now on it is not. */
  readonly add: (key: string) => boolean
}

/** An item that will be asked for. */
export interface Admitted<Item> {
  readonly _tag: "Admitted"
  readonly key: string
  readonly item: Item
}

export interface Batch<Item, Reason> {
  /** The distinct keys to ask for, in the order of the input. */
  readonly keys: ReadonlyArray<string>
  /** What the outcomes must account for, in the order of the input. */
  readonly places: ReadonlyArray<Admitted<Item> | Invalid<Item, Reason>>
  /** Which parts of the input this accounts for; those that are no place are duplicates. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last span. */
  readonly digest: string
  /** How many of the places look wrong. */
  readonly suspicious: number
}

export interface Admission<Item, Reason> {
  readonly key: (item: Item) => Result.Result<string, Reason>
  /** What recognises an item when a run continues another. */
  readonly fingerprint: (item: Item, key: Result.Result<string, Reason>) => string
  readonly isSuspicious: (key: string) => boolean
  /** Where keys that came before are remembered; undefined where each is asked for again. */
  readonly seen: Seen | undefined
  /** What an earlier run has accounted for. */
  readonly settlement: Settlement | undefined
  /** The most keys in one batch, at this moment. */
  readonly size: () => number
  readonly ledger: Ledger
}

/** How an input differs from that of the earlier run: in its first `settled` items, or because it has fewer. */
export interface Mismatch {
  readonly settled: number
  readonly items?: number
}

export interface Gathering<Item, Reason> {
  readonly add: (items: ReadonlyArray<Item>) => ReadonlyArray<Batch<Item, Reason>>
  /** The last batch, if anything is left. */
  readonly flush: () => ReadonlyArray<Batch<Item, Reason>>
  /** How the input differs from that of the earlier run, as far as it was read; undefined where it does not. */
  readonly mismatch: () => Mismatch | undefined
  /** The same at the end of the input. */
  readonly mismatchAtEnd: () => Mismatch | undefined
}

/** An item on its way into a batch: its position, and its place unless it is a duplicate. */
interface Entry<Item, Reason> {
  readonly position: number
  readonly place: Admitted<Item> | Invalid<Item, Reason> | undefined
}

export const gather = <Item, Reason>({
  fingerprint,
  isSuspicious,
  key: keyOf,
  ledger,
  seen,
  settlement,
  size
}: Admission<Item, Reason>): Gathering<Item, Reason> => {
  const settled = spanSet(settlement?.spans ?? [])
  const input: Digest = digest()
  let position = 0
  let keys: Array<string> = []
  // Those of `keys`: without `seen`, and with one that forgets, nothing else keeps them apart.
  let distinct = new Set<string>()
  let places: Array<Admitted<Item> | Invalid<Item, Reason>> = []
  let spans: Array<{ from: number; to: number }> = []
  let suspicious = 0
  // What an earlier run left open waits here until the input has been recognised as that run's.
  let held: Array<Entry<Item, Reason>> = []
  let mismatch: Mismatch | undefined

  const flush = (): ReadonlyArray<Batch<Item, Reason>> => {
    if (spans.length === 0) return []
    const batch = { keys, places, spans, digest: input.value(), suspicious }
    keys = []
    distinct = new Set()
    places = []
    spans = []
    suspicious = 0
    return [batch]
  }

  const entryOf = (item: Item, key: Result.Result<string, Reason>): Entry<Item, Reason> => {
    if (Result.isFailure(key)) return { position, place: { _tag: "Invalid", item, reason: key.failure } }
    const place =
      seen?.add(key.success) === false ? undefined : ({ _tag: "Admitted", key: key.success, item } as const)
    return { position, place }
  }

  const enter = ({ place, position }: Entry<Item, Reason>, batches: Array<Batch<Item, Reason>>): void => {
    const last = spans[spans.length - 1]
    if (last !== undefined && last.to === position) last.to++
    else spans.push({ from: position, to: position + 1 })
    if (place === undefined) return
    places.push(place)
    if (place._tag === "Admitted") {
      if (distinct.size < distinct.add(place.key).size) keys.push(place.key)
      if (isSuspicious(place.key)) suspicious++
    }
    // The second bound holds memory where the input is mostly invalid or repeats itself undeduplicated.
    if (keys.length >= size() || places.length >= 2 * size()) batches.push(...flush())
  }

  const recognise = (batches: Array<Batch<Item, Reason>>): void => {
    if (position !== settled.end) return
    if (settlement !== undefined && input.value() !== settlement.digest) {
      mismatch = { settled: settled.end }
      return
    }
    const open = held
    held = []
    for (const entry of open) enter(entry, batches)
  }

  const take = (item: Item, batches: Array<Batch<Item, Reason>>): void => {
    const key = keyOf(item)
    const entry = entryOf(item, key)
    input.add(fingerprint(item, key))
    const isSettled = settled.has(position)
    position++
    if (!isSettled) ledger.read++
    if (position > settled.end) enter(entry, batches)
    else {
      if (!isSettled) held.push(entry)
      recognise(batches)
    }
  }

  const takeAll = (items: ReadonlyArray<Item>): ReadonlyArray<Batch<Item, Reason>> => {
    const batches: Array<Batch<Item, Reason>> = []
    for (const item of items) take(item, batches)
    return batches
  }

  return {
    mismatch: () => mismatch,
    mismatchAtEnd: () => (position < settled.end ? { settled: settled.end, items: position } : undefined),
    flush,
    add: (items) => (mismatch === undefined ? takeAll(items) : [])
  }
}
