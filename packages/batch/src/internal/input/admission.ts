/**
 * From items to batches: find the key of each, drop duplicates, gather as many as one call takes.
 *
 * A batch keeps the places of its items in the input, the invalid ones too, so that outcomes can come out in
 * the order asked. Plain state, no effects: the stream feeds it arrays.
 */
import { Result } from "effect"
import type { Ledger } from "../../Ledger.ts"
import type { Invalid } from "../../Outcome.ts"
import { type ResumePoint, type Span, type SpanSet, spanSet } from "../../ResumePoint.ts"
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
  readonly places: ReadonlyArray<Place<Item, Reason>>
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
  readonly resumePoint: ResumePoint | undefined
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

/** A valid or an invalid item. */
type Place<Item, Reason> = Admitted<Item> | Invalid<Item, Reason>

/** An item on its way into a batch: its position, and its place unless it is a duplicate. */
interface Entry<Item, Reason> {
  readonly position: number
  readonly place: Place<Item, Reason> | undefined
}

export const gather = <Item, Reason>(options: Admission<Item, Reason>): Gathering<Item, Reason> =>
  new Gatherer(options)

class Gatherer<Item, Reason> implements Gathering<Item, Reason> {
  private readonly options: Admission<Item, Reason>
  private readonly settled: SpanSet
  private readonly input: Digest = digest()
  private position = 0
  private keys: Array<string> = []
  /** The same as a set: without `seen`, or with one that forgets, the same key may come twice. */
  private distinct = new Set<string>()
  private places: Array<Place<Item, Reason>> = []
  private spans: Array<{ from: number; to: number }> = []
  private suspicious = 0
  /** Items that the earlier run left open. They wait until the input is recognised as the same. */
  private pending: Array<Entry<Item, Reason>> = []
  private difference: Mismatch | undefined

  constructor(options: Admission<Item, Reason>) {
    this.options = options
    this.settled = spanSet(options.resumePoint?.spans ?? [])
  }

  add(items: ReadonlyArray<Item>): ReadonlyArray<Batch<Item, Reason>> {
    const batches: Array<Batch<Item, Reason>> = []
    if (this.difference !== undefined) return batches
    for (const item of items) this.addItem(item, batches)
    return batches
  }

  flush(): ReadonlyArray<Batch<Item, Reason>> {
    const { keys, places, spans, suspicious } = this
    if (spans.length === 0) return []
    this.keys = []
    this.distinct = new Set()
    this.places = []
    this.spans = []
    this.suspicious = 0
    return [{ keys, places, spans, digest: this.input.value(), suspicious }]
  }

  mismatch(): Mismatch | undefined {
    return this.difference
  }

  mismatchAtEnd(): Mismatch | undefined {
    const { end } = this.settled
    return this.position < end ? { settled: end, items: this.position } : undefined
  }

  private addItem(item: Item, batches: Array<Batch<Item, Reason>>): void {
    const { fingerprint, key: keyOf, ledger } = this.options
    const key = keyOf(item)
    const entry = this.entryOf(item, key)
    this.input.add(fingerprint(item, key))
    const isSettled = this.settled.has(this.position)
    this.position++
    if (!isSettled) ledger.read++
    if (this.position > this.settled.end) this.addEntry(entry, batches)
    else {
      if (!isSettled) this.pending.push(entry)
      this.checkResumePoint(batches)
    }
  }

  private entryOf(item: Item, key: Result.Result<string, Reason>): Entry<Item, Reason> {
    const { position } = this
    if (Result.isFailure(key)) return { position, place: { _tag: "Invalid", item, reason: key.failure } }
    const isNew = this.options.seen?.add(key.success) !== false
    return { position, place: isNew ? { _tag: "Admitted", key: key.success, item } : undefined }
  }

  private addEntry({ place, position }: Entry<Item, Reason>, batches: Array<Batch<Item, Reason>>): void {
    const { isSuspicious, size } = this.options
    const last = this.spans[this.spans.length - 1]
    if (last !== undefined && last.to === position) last.to++
    else this.spans.push({ from: position, to: position + 1 })
    if (place === undefined) return
    this.places.push(place)
    if (place._tag === "Admitted") {
      if (this.distinct.size < this.distinct.add(place.key).size) this.keys.push(place.key)
      if (isSuspicious(place.key)) this.suspicious++
    }
    // The second bound limits memory if most items are invalid, or repeat without deduplication.
    if (this.keys.length >= size() || this.places.length >= 2 * size()) batches.push(...this.flush())
  }

  private checkResumePoint(batches: Array<Batch<Item, Reason>>): void {
    const { resumePoint } = this.options
    if (this.position !== this.settled.end) return
    if (resumePoint !== undefined && this.input.value() !== resumePoint.digest) {
      this.difference = { settled: this.settled.end }
      return
    }
    const open = this.pending
    this.pending = []
    for (const entry of open) this.addEntry(entry, batches)
  }
}
