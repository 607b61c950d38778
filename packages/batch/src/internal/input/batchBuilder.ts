/**
 * Builds batches of items: finds their keys, drops duplicates, skips what an earlier run has settled, and fills batches up to their
 * size.
 *
 * A batch keeps the positions of all its items, including invalid ones, so outcomes can follow the order of the
 * input. A builder is plain state without effects; `gatherBatches.ts` adds the arrays of a stream to it.
 */
import { Result } from "effect"
import type { Ledger } from "../../Ledger.ts"
import type { Invalid } from "../../Outcome.ts"
import { type ResumePoint, type Span, type SpanSet, spanSet } from "../../ResumePoint.ts"
import { type Digest, digest } from "./digest.ts"
import type { KeySet } from "./keySet.ts"

/** An item that will be requested. */
export interface ValidItem<Item> {
  readonly _tag: "Valid"
  readonly key: string
  readonly item: Item
}

/** A batch before its call. */
export interface Batch<Item, Reason> {
  /** The distinct keys to request, in the order of the input. */
  readonly keys: ReadonlyArray<string>
  /** The items that get an outcome, in the order of the input. */
  readonly items: ReadonlyArray<CheckedItem<Item, Reason>>
  /** The spans of the input. The other items in them are duplicates. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last span. */
  readonly digest: string
  /** The number of items that look wrong. */
  readonly suspicious: number
}

/** How items become batches. */
export interface BatchBuilderOptions<Item, Reason> {
  readonly key: (item: Item) => Result.Result<string, Reason>
  /** Returns the text that identifies an item when a run is resumed. */
  readonly fingerprint: (item: Item, key: Result.Result<string, Reason>) => string
  readonly isSuspicious: (key: string) => boolean
  /** The seen keys. Undefined: repeated keys are requested again. */
  readonly seen: KeySet | undefined
  /** Whether this item is a duplicate if its key was seen. */
  readonly isDeduped: (item: Item) => boolean
  /** The part of the input that an earlier run has settled. */
  readonly resumePoint: ResumePoint | undefined
  /** Returns the largest number of keys in one batch at this moment. */
  readonly size: () => number
  readonly ledger: Ledger
}

/**
 * The difference from the earlier run's input. `items` is set if this input is shorter; otherwise its first
 * `settled` items differ.
 */
export interface Mismatch {
  readonly settled: number
  readonly items?: number
}

/** An item with its key, or with the reason why it has none. */
type CheckedItem<Item, Reason> = ValidItem<Item> | Invalid<Item, Reason>

/** An item with its position in the input. A duplicate has no `checked` item. */
interface Entry<Item, Reason> {
  readonly position: number
  readonly checked: CheckedItem<Item, Reason> | undefined
}

/** Builds the batches of one input. */
export class BatchBuilder<Item, Reason> {
  private readonly options: BatchBuilderOptions<Item, Reason>
  private readonly settled: SpanSet
  private readonly digest: Digest = digest()
  private position = 0
  private keys: Array<string> = []
  /** The keys as a set. Without `seen`, or with a set that forgets keys, a key can occur twice. */
  private distinct = new Set<string>()
  private items: Array<CheckedItem<Item, Reason>> = []
  private spans: Array<{ from: number; to: number }> = []
  private suspicious = 0
  /** Items without an outcome in the earlier run. They wait until the input is known to be the same. */
  private pending: Array<Entry<Item, Reason>> = []
  /** The batches that are full, and not returned yet. */
  private full: Array<Batch<Item, Reason>> = []
  /** The difference from the earlier run's input in the items read so far. */
  difference: Mismatch | undefined

  constructor(options: BatchBuilderOptions<Item, Reason>) {
    this.options = options
    this.settled = spanSet(options.resumePoint?.spans ?? [])
  }

  /** Adds items of the input. Returns the batches that they fill. */
  add(items: ReadonlyArray<Item>): ReadonlyArray<Batch<Item, Reason>> {
    if (this.difference === undefined) for (const item of items) this.addItem(item)
    return this.full.splice(0)
  }

  /** Returns the batches that no call of `add` has returned, because it threw, and the last one. */
  flush(): ReadonlyArray<Batch<Item, Reason>> {
    if (this.difference !== undefined) return []
    this.fill()
    return this.full.splice(0)
  }

  /** Ends the current batch. */
  private fill(): void {
    const { items, keys, spans, suspicious } = this
    if (spans.length === 0) return
    this.keys = []
    this.distinct = new Set()
    this.items = []
    this.spans = []
    this.suspicious = 0
    this.full.push({ keys, items, spans, digest: this.digest.value(), suspicious })
  }

  /** Whether a batch is begun and not full. */
  hasPending(): boolean {
    return this.items.length > 0
  }

  /** Returns the difference at the end of the input. */
  mismatchAtEnd(): Mismatch | undefined {
    const { end } = this.settled
    return this.position < end ? { settled: end, items: this.position } : undefined
  }

  private addItem(item: Item): void {
    const { fingerprint, key: keyOf, ledger } = this.options
    const key = keyOf(item)
    const entry = this.entryOf(item, key)
    this.digest.add(fingerprint(item, key))
    const isSettled = this.settled.has(this.position)
    this.position++
    if (!isSettled) ledger.read++
    if (this.position > this.settled.end) this.addEntry(entry)
    else {
      if (!isSettled) this.pending.push(entry)
      this.checkResumePoint()
    }
  }

  private entryOf(item: Item, key: Result.Result<string, Reason>): Entry<Item, Reason> {
    const { position } = this
    if (Result.isFailure(key)) return { position, checked: { _tag: "Invalid", item, reason: key.failure } }
    const { isDeduped, seen } = this.options
    const isNew = seen?.add(key.success) !== false
    return {
      position,
      checked: isNew || !isDeduped(item) ? { _tag: "Valid", key: key.success, item } : undefined
    }
  }

  private addEntry({ checked, position }: Entry<Item, Reason>): void {
    const { isSuspicious, size } = this.options
    const last = this.spans.at(-1)
    if (last?.to === position) last.to++
    else this.spans.push({ from: position, to: position + 1 })
    if (checked === undefined) return
    this.items.push(checked)
    if (checked._tag === "Valid") {
      if (this.distinct.size < this.distinct.add(checked.key).size) this.keys.push(checked.key)
      if (isSuspicious(checked.key)) this.suspicious++
    }
    // The second bound limits memory if most items are invalid, or repeat a key of this batch.
    if (this.keys.length >= size() || this.items.length >= 2 * size()) this.fill()
  }

  /** At the end of the settled part, compares the digests, and adds the items that waited for this. */
  private checkResumePoint(): void {
    const { resumePoint } = this.options
    if (this.position !== this.settled.end) return
    if (resumePoint !== undefined && this.digest.value() !== resumePoint.digest) {
      this.difference = { settled: this.settled.end }
      return
    }
    const open = this.pending
    this.pending = []
    for (const entry of open) this.addEntry(entry)
  }
}
