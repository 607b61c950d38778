/**
 * Collects the hits of a search, sorts them by rank and identifier, and makes the bytes of the response.
 *
 * `nameSearch.ts` and `matchCandidates.ts` find the hits. Hits of approved names are added as ready bytes
 * (`addApproved`), the others as texts.
 */

import type { Hits } from "../../../Store.ts"
import { batchFields } from "./hitFields.ts"
import { approvedKind, type Kind } from "./nameGroups.ts"

/** A search result: the bytes of the JSON array of hits. With `isCapped`, some hits are left out. */
export interface Found extends Hits {
  readonly json: Uint8Array<ArrayBuffer>
}

/**
 * The settings of searches: the kinds of names by number, the largest number of hits, and the shortest word that a
 * contains search looks for in InChIKeys. Default: any length.
 */
export interface Settings {
  readonly kinds: ReadonlyArray<Kind>
  readonly maxHits: number
  readonly shortestInchikeyPart?: number | undefined
}

/** Separates adjacent hits: U+001F, which no JSON text contains. */
export const hitSeparator = 0x1f

const encoder = new TextEncoder()

/** The result without hits. */
export const noHits: Found = { count: 0, json: encoder.encode("[]"), isCapped: false }

/** Collects hits, each substance once, with its first name. Names must come by rank, best first. */
export class HitCollector {
  private readonly settings: Settings
  private readonly seen = new Set<number>()
  private size = 0
  // By rank.
  private readonly hits: Array<Array<string>> = []
  private readonly pieces = new Pieces()

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Whether there are more hits than `maxHits`. */
  get isFull(): boolean {
    return this.size > this.settings.maxHits
  }

  /** The number of further hits that make it full. */
  get room(): number {
    return this.settings.maxHits + 1 - this.size
  }

  has(substance: number): boolean {
    return this.seen.has(substance)
  }

  /** Adds a new substance with the matching name and the fields of its hit. */
  add(substance: number, kind: number, value: string, fields: string): void {
    const { searchName, rank } = this.settings.kinds[kind] as Kind
    const name = JSON.stringify(value)
    this.addHit(
      substance,
      kind,
      `{${fields},"searchName":"${searchName}","searchValue":${name},"rank":${rank}${batchFields}}`
    )
  }

  /** Adds a new substance with the text of its hit. */
  addHit(substance: number, kind: number, hit: string): void {
    this.seen.add(substance)
    this.size++
    if (this.isFull) return
    const { rank } = this.settings.kinds[kind] as Kind
    const hitsOfRank = this.hits[rank]
    if (hitsOfRank === undefined) this.hits[rank] = [hit]
    else hitsOfRank.push(hit)
  }

  /**
   * Adds substances by approved name, as many as fit. Takes over `hits`, which has the bytes of all of them.
   *
   * `isNew` (from `mark`) leaves out substances that are already hits. This method marks no substances.
   */
  addApproved(count: number, hits: Uint8Array<ArrayBuffer>, isNew?: ReadonlyArray<boolean>): void {
    const added = isNew === undefined ? count : isNew.filter((one) => one).length
    this.pieces.add(hits, Math.min(added, this.settings.maxHits - this.size), isNew)
    this.size = Math.min(this.size + added, this.settings.maxHits + 1)
  }

  /** Marks a substance as a hit. Returns whether it is new. */
  mark(substance: number): boolean {
    const isNew = !this.seen.has(substance)
    this.seen.add(substance)
    return isNew
  }

  /** Makes the response, once. */
  toFound(): Found {
    const { rank: approved } = this.settings.kinds[approvedKind] as Kind
    for (const hitsOfRank of this.hits) hitsOfRank?.sort()
    // Sorting the texts sorts by identifier, because a hit starts with it. Hits by approved name are either all texts
    // or all bytes.
    const betterHits = this.hits.slice(0, approved + 1).flatMap((hitsOfRank = []) => hitsOfRank)
    const worseHits = this.hits.slice(approved + 1).flatMap((hitsOfRank = []) => hitsOfRank)
    const count = betterHits.length + this.pieces.count + worseHits.length
    if (count === 0) return noHits
    // A bracket or a comma before each hit. Not from the pool of buffers, because it is transferred to another
    // thread.
    const json = Buffer.allocUnsafeSlow(sizeOf(betterHits) + this.pieces.size + sizeOf(worseHits) + count + 1)
    let end = writeTexts(betterHits, json, 0)
    end = this.pieces.write(json, end)
    end = writeTexts(worseHits, json, end)
    json[0] = open
    json[end] = close
    return { count, json, isCapped: this.isFull }
  }
}

const open = 0x5b // [
const comma = 0x2c // ,
const close = 0x5d // ]

const sizeOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((size, text) => size + Buffer.byteLength(text), 0)

// Text by text: four times as fast as encoding the joined text.
const writeTexts = (texts: ReadonlyArray<string>, to: Buffer, start: number): number => {
  let end = start
  for (const text of texts) {
    to[end++] = comma
    end += to.write(text, end)
  }
  return end
}

/**
 * Hits as bytes, sorted by identifier when written.
 *
 * Positions are in arrays of numbers, because a search has thousands of hits.
 */
class Pieces {
  /** The size of all hits in bytes. */
  size = 0
  private readonly buffers: Array<Buffer<ArrayBuffer>> = []
  // By hit: its buffer, its start and its end.
  private readonly places: Array<number> = []
  private readonly starts: Array<number> = []
  private readonly ends: Array<number> = []

  get count(): number {
    return this.starts.length
  }

  /** Adds the first `count` new hits of a buffer. Takes over the buffer. */
  add(hits: Uint8Array<ArrayBuffer>, count: number, isNew?: ReadonlyArray<boolean>): void {
    const bytes = Buffer.from(hits.buffer, hits.byteOffset, hits.byteLength)
    const place = this.buffers.push(bytes) - 1
    let start = 0
    for (let n = 0, added = 0; added < count; n++) {
      const next = bytes.indexOf(hitSeparator, start)
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

  /** Writes the hits in order, each after a comma, once. Returns the end. */
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
    // One number holds the order and the index of a hit, so that only numbers are sorted.
    const orders = new Float64Array(count)
    for (let n = 0; n < count; n++) {
      orders[n] =
        orderOf(this.buffers[this.places[n] as number] as Buffer, this.starts[n] as number) * count + n
    }
    orders.sort()
    let previous = -1
    for (let i = 0; i < count; i++) {
      const value = orders[i] as number
      const order = Math.floor(value / count)
      // Malformed identifiers and equal numbers are compared as texts.
      if (!(value <= Number.MAX_SAFE_INTEGER) || order === previous) return this.inOrderOfTexts()
      previous = order
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
// The check digit, a zero, and a number.
const maxDigits = 12
const zero = 0x30
const quote = 0x22

// Returns a number that sorts like the text of the identifier: its digits, padded with zeros. NaN for a malformed
// identifier. Comparing texts is ten times as slow.
const orderOf = (bytes: Buffer, start: number): number => {
  let at = start + prefixAt
  for (let i = 0; i < prefix.length; i++) if (bytes[at++] !== prefix[i]) return Number.NaN
  let order = 0
  let digits = 0
  for (; bytes[at] !== quote; at++) {
    const digit = (bytes[at] as number) - zero
    if (!(digit >= 0 && digit <= 9) || ++digits > maxDigits) return Number.NaN
    order = order * 10 + digit
  }
  return order * 10 ** (maxDigits - digits)
}
