/**
 * The hits of a search as they are found, and the bytes that are answered of them: by rank, then by identifier. What is
 * found, and in what order, is `search`'s business.
 */
import { approvedKind, type Kind } from "./groups.ts"

/** What a search found: the bytes of the JSON array of hits; `capped` when there is more. */
export interface Found {
  readonly count: number
  readonly json: Uint8Array<ArrayBuffer>
  readonly capped: boolean
}

/** What is searched with: the kinds of names, by number, and how many substances are answered at most. */
export interface Settings {
  readonly kinds: ReadonlyArray<Kind>
  readonly cap: number
}

/** What stands between hits that come side by side: U+001F, which is in no JSON text. */
export const between = 0x1f

const encoder = new TextEncoder()

/** What is found where nothing is. */
export const nothing: Found = { count: 0, json: encoder.encode("[]"), capped: false }

/** A hit within bytes. */
interface Piece {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** Of its identifier (`orderOf`). */
  readonly order: number
}

/** Collects the hits, each substance once: by the first of its names that comes, which has the best rank. */
export class Collector {
  private readonly settings: Settings
  private readonly seen = new Set<number>()
  // By rank.
  private readonly hits: Array<Array<string>> = []
  // Those by approved names that have come as bytes.
  private readonly pieces: Array<Piece> = []
  // What they are pieces of.
  private readonly read: Array<ArrayBuffer> = []

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Whether there are more hits than are answered. */
  get isFull(): boolean {
    return this.seen.size > this.settings.cap
  }

  /** How many more make it full. */
  get room(): number {
    return this.settings.cap + 1 - this.seen.size
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
      `{${fields},"searchName":"${searchName}","searchValue":${name},"rank":${rank}}`
    )
  }

  /** The same, with the text of the hit. */
  addHit(substance: number, kind: number, hit: string): void {
    this.seen.add(substance)
    if (this.isFull) return
    const { rank } = this.settings.kinds[kind] as Kind
    const ofRank = this.hits[rank]
    if (ofRank === undefined) this.hits[rank] = [hit]
    else ofRank.push(hit)
  }

  /**
   * Adds substances that are not among the hits, by their approved names, as many as there is room for: their numbers,
   * and the bytes of their hits, which are nobody else's.
   */
  addApproved(substances: ReadonlyArray<number>, hits: Uint8Array<ArrayBuffer>): void {
    const bytes = Buffer.from(hits.buffer, hits.byteOffset, hits.byteLength)
    this.read.push(hits.buffer)
    let start = 0
    for (const substance of substances) {
      this.seen.add(substance)
      if (this.isFull) return
      const next = bytes.indexOf(between, start)
      const end = next === -1 ? bytes.length : next
      this.pieces.push({ bytes, start, end, order: orderOf(bytes, start) })
      start = end + 1
    }
  }

  /** The answer, once. */
  found(): Found {
    const parts: Array<string | Piece> = []
    const { rank: approved } = this.settings.kinds[approvedKind] as Kind
    for (let rank = 0; rank < Math.max(this.hits.length, approved + 1); rank++) {
      // A hit begins with its identifier. By their approved names hits come as texts or as bytes, not as both.
      for (const hit of this.hits[rank]?.sort() ?? []) parts.push(hit)
      if (rank === approved) parts.push(...sorted(this.pieces))
    }
    if (parts.length === 0) return nothing
    const json = arrayOf(parts)
    // Left to the garbage collector they keep it at work: to it they are small objects with much memory behind each.
    for (const buffer of this.read) buffer.transfer(0)
    return { count: parts.length, json, capped: this.isFull }
  }
}

const beginning = Buffer.from('{"dtxsid":"DTXSID')
const mostDigits = 12
const zero = 0x30
const quote = 0x22

// A number by which hits are in the order of the texts of their identifiers; NaN where there is none. To compare the
// texts takes ten times as long.
const orderOf = (bytes: Buffer, start: number): number => {
  let at = start + beginning.length
  if (bytes.compare(beginning, 0, beginning.length, start, at) !== 0) return Number.NaN
  let order = 0
  let digits = 0
  for (; bytes[at] !== quote; at++) {
    const digit = (bytes[at] as number) - zero
    if (digit < 0 || digit > 9 || ++digits > mostDigits) return Number.NaN
    order = order * 10 + digit
  }
  // With noughts at its end it is as long as any; one that has more of them of its own comes after.
  return order * 10 ** (mostDigits - digits) * (mostDigits + 1) + digits
}

const sorted = (pieces: Array<Piece>): ReadonlyArray<Piece> =>
  pieces.some(({ order }) => Number.isNaN(order))
    ? pieces
        .map((piece) => ({ piece, text: piece.bytes.toString("utf8", piece.start, piece.end) }))
        .sort((one, other) => (one.text < other.text ? -1 : 1))
        .map(({ piece }) => piece)
    : pieces.sort((one, other) => one.order - other.order)

const open = 0x5b // [
const comma = 0x2c // ,
const close = 0x5d // ]

// The bytes of the array, part by part: to join texts first and encode the whole takes four times as long.
const arrayOf = (parts: ReadonlyArray<string | Piece>): Uint8Array<ArrayBuffer> => {
  let size = 1
  for (const part of parts) {
    size += 1 + (typeof part === "string" ? Buffer.byteLength(part) : part.end - part.start)
  }
  // Of its own: it is handed to another thread.
  const bytes = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const part of parts) {
    bytes[end] = end === 0 ? open : comma
    end += 1
    end +=
      typeof part === "string" ? bytes.write(part, end) : part.bytes.copy(bytes, end, part.start, part.end)
  }
  bytes[end] = close
  return bytes
}
