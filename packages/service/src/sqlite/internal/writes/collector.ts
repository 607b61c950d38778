/**
 * The hits of a search as they are found, and the bytes that are answered of them: by rank, then by identifier. What is
 * found, and in what order, is `search`'s business.
 */
import { approvedKind, type Kind } from "../search/groups.ts"
import { ofBatch } from "../search/hits.ts"

/** What a search found: the bytes of the JSON array of hits; `capped` when there is more. */
export interface Found {
  readonly count: number
  readonly json: Uint8Array<ArrayBuffer>
  readonly capped: boolean
}

/**
 * What is searched with: the kinds of names, by number, how many substances are answered at most, and how long
 * the part of an InChIKey is at least that a contains search looks for (any, when not given).
 */
export interface Settings {
  readonly kinds: ReadonlyArray<Kind>
  readonly cap: number
  readonly shortestInchikeyPart?: number | undefined
}

/** What stands between hits that come side by side: U+001F, which is in no JSON text. */
export const between = 0x1f

const encoder = new TextEncoder()

/** What is found where nothing is. */
export const nothing: Found = { count: 0, json: encoder.encode("[]"), capped: false }

/** Collects the hits, each substance once: by the first of its names that comes, which has the best rank. */
export class Collector {
  private readonly settings: Settings
  private readonly seen = new Set<number>()
  private size = 0
  // By rank.
  private readonly hits: Array<Array<string>> = []
  private readonly pieces = new Pieces()

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Whether there are more hits than are answered. */
  get isFull(): boolean {
    return this.size > this.settings.cap
  }

  /** How many more make it full. */
  get room(): number {
    return this.settings.cap + 1 - this.size
  }

  has(substance: number): boolean {
    return this.seen.has(substance)
  }

  /** Adds a substance that is not among the hits: the name that matched, and what a hit shows of the substance. */
  add(substance: number, kind: number, value: string, fields: string): void {
    const { searchName, rank } = this.settings.kinds[kind] as Kind
    const name = JSON.stringify(value)
    this.addHit(
      substance,
      kind,
      `{${fields},"searchName":"${searchName}","searchValue":${name},"rank":${rank}${ofBatch}}`
    )
  }

  /** The same, with the text of the hit. */
  addHit(substance: number, kind: number, hit: string): void {
    this.seen.add(substance)
    this.size++
    if (this.isFull) return
    const { rank } = this.settings.kinds[kind] as Kind
    const ofRank = this.hits[rank]
    if (ofRank === undefined) this.hits[rank] = [hit]
    else ofRank.push(hit)
  }

  /**
   * Adds substances by their approved names, as many as there is room for: how many they are, and the bytes of their
   * hits, which are nobody else's. Those that are among the hits are left out by `isNew`, as `mark` tells it. None is
   * marked here: where it gets full nobody asks.
   */
  addApproved(count: number, hits: Uint8Array<ArrayBuffer>, isNew?: ReadonlyArray<boolean>): void {
    const added = isNew === undefined ? count : isNew.filter((one) => one).length
    this.pieces.add(hits, Math.min(added, this.settings.cap - this.size), isNew)
    this.size = Math.min(this.size + added, this.settings.cap + 1)
  }

  /** Says that a substance is among the hits; gives whether it was not. */
  mark(substance: number): boolean {
    const isNew = !this.seen.has(substance)
    this.seen.add(substance)
    return isNew
  }

  /** The answer, once. */
  found(): Found {
    const { rank: approved } = this.settings.kinds[approvedKind] as Kind
    for (const ofRank of this.hits) ofRank?.sort()
    // A hit begins with its identifier. By their approved names hits come as texts or as bytes, not as both.
    const before = this.hits.slice(0, approved + 1).flatMap((ofRank = []) => ofRank)
    const behind = this.hits.slice(approved + 1).flatMap((ofRank = []) => ofRank)
    const count = before.length + this.pieces.count + behind.length
    if (count === 0) return nothing
    // Each has a bracket or a comma before it. Of its own: it is handed to another thread.
    const json = Buffer.allocUnsafeSlow(sizeOf(before) + this.pieces.size + sizeOf(behind) + count + 1)
    let end = writeTexts(before, json, 0)
    end = this.pieces.write(json, end)
    end = writeTexts(behind, json, end)
    json[0] = open
    json[end] = close
    return { count, json, capped: this.isFull }
  }
}

const open = 0x5b // [
const comma = 0x2c // ,
const close = 0x5d // ]

const sizeOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((size, text) => size + Buffer.byteLength(text), 0)

// Text by text: to join them first and encode the whole takes four times as long.
const writeTexts = (texts: ReadonlyArray<string>, to: Buffer, start: number): number => {
  let end = start
  for (const text of texts) {
    to[end++] = comma
    end += to.write(text, end)
  }
  return end
}

/**
 * Hits as bytes, to be put in the order of their identifiers. They are thousands a search, so there is no object for
 * each: where one begins and ends is in arrays of numbers.
 */
class Pieces {
  /** How many bytes they have. */
  size = 0
  private readonly buffers: Array<Buffer<ArrayBuffer>> = []
  // By piece: the buffer it is in, where it begins and where it ends.
  private readonly places: Array<number> = []
  private readonly starts: Array<number> = []
  private readonly ends: Array<number> = []

  get count(): number {
    return this.starts.length
  }

  /** Adds the first hits of some bytes, which are nobody else's; of those that are new, if that is said. */
  add(hits: Uint8Array<ArrayBuffer>, count: number, isNew?: ReadonlyArray<boolean>): void {
    const bytes = Buffer.from(hits.buffer, hits.byteOffset, hits.byteLength)
    const place = this.buffers.push(bytes) - 1
    let start = 0
    for (let n = 0, added = 0; added < count; n++) {
      const next = bytes.indexOf(between, start)
      const end = next === -1 ? bytes.length : next
      if (isNew?.[n] === false) {
        start = end + 1
        continue
      }
      added++
      this.places.push(place)
      this.starts.push(start)
      this.ends.push(end)
      this.size += end - start
      start = end + 1
    }
  }

  /** Writes them in order, a comma before each, once. Gives where they end. */
  write(to: Buffer, start: number): number {
    let end = start
    for (const n of this.inOrder()) {
      const bytes = this.buffers[this.places[n] as number] as Buffer
      to[end++] = comma
      end += bytes.copy(to, end, this.starts[n], this.ends[n])
    }
    return end
  }

  private inOrder(): Iterable<number> {
    const { count } = this
    // Each with its number at its end, so that numbers alone are sorted.
    const orders = new Float64Array(count)
    for (let n = 0; n < count; n++) {
      orders[n] =
        orderOf(this.buffers[this.places[n] as number] as Buffer, this.starts[n] as number) * count + n
    }
    orders.sort()
    let before = -1
    for (let i = 0; i < count; i++) {
      const value = orders[i] as number
      const order = Math.floor(value / count)
      // Unclear: no such identifier, or one and the same number.
      if (!(value <= Number.MAX_SAFE_INTEGER) || order === before) return this.inOrderOfTexts()
      before = order
      orders[i] = value - order * count
    }
    return orders
  }

  private inOrderOfTexts(): ReadonlyArray<number> {
    const texts = this.starts.map((start, n) =>
      (this.buffers[this.places[n] as number] as Buffer).toString("utf8", start, this.ends[n])
    )
    return [...texts.keys()].sort((a, b) => ((texts[a] as string) < (texts[b] as string) ? -1 : 1))
  }
}

const prefix = Buffer.from("DTXSID")
const prefixAt = '{"dtxsid":"'.length
// The check digit, a nought, and a number.
const mostDigits = 12
const zero = 0x30
const quote = 0x22

// A number by which hits are in the order of the texts of their identifiers, with noughts at the end of a short one; NaN
// where there is none. To compare the texts takes ten times as long.
const orderOf = (bytes: Buffer, start: number): number => {
  let at = start + prefixAt
  for (let i = 0; i < prefix.length; i++) if (bytes[at++] !== prefix[i]) return Number.NaN
  let order = 0
  let digits = 0
  for (; bytes[at] !== quote; at++) {
    const digit = (bytes[at] as number) - zero
    if (!(digit >= 0 && digit <= 9) || ++digits > mostDigits) return Number.NaN
    order = order * 10 + digit
  }
  return order * 10 ** (mostDigits - digits)
}
