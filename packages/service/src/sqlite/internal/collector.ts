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
}

/** Collects the hits, each substance once: by the first of its names that comes, which has the best rank. */
export class Collector {
  private readonly settings: Settings
  private readonly seen = new Set<number>()
  private size = 0
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
      `{${fields},"searchName":"${searchName}","searchValue":${name},"rank":${rank}}`
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
   * Adds substances that are not among the hits, by their approved names, as many as there is room for: how many they
   * are, their numbers with commas, and the bytes of their hits, which are nobody else's.
   */
  addApproved(count: number, substances: string, hits: Uint8Array<ArrayBuffer>): void {
    const bytes = Buffer.from(hits.buffer, hits.byteOffset, hits.byteLength)
    this.read.push(hits.buffer)
    const answered = Math.min(count, this.settings.cap - this.size)
    let start = 0
    for (let n = 0; n < answered; n++) {
      const next = bytes.indexOf(between, start)
      const end = next === -1 ? bytes.length : next
      this.pieces.push({ bytes, start, end })
      start = end + 1
    }
    this.size = Math.min(this.size + count, this.settings.cap + 1)
    // Nobody asks which they are once there are enough.
    if (!this.isFull) for (const substance of substances.split(",")) this.seen.add(Number(substance))
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

const prefix = Buffer.from("DTXSID")
const prefixAt = '{"dtxsid":"'.length
// The check digit, a nought, and a number.
const mostDigits = 12
const zero = 0x30
const quote = 0x22

// A number by which hits are in the order of the texts of their identifiers, with noughts at the end of a short one; NaN
// where there is none. To compare the texts takes ten times as long.
const orderOf = ({ bytes, start }: Piece): number => {
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

const sorted = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const places = pieces.length
  // Each with its place at its end, so that numbers alone are sorted.
  const orders = Float64Array.from(pieces, (piece, place) => orderOf(piece) * places + place).sort()
  const isClear = orders.every(
    (order, n) =>
      order <= Number.MAX_SAFE_INTEGER &&
      (n === 0 || Math.floor(order / places) !== Math.floor((orders[n - 1] as number) / places))
  )
  return isClear ? Array.from(orders, (order) => pieces[order % places] as Piece) : sortedByText(pieces)
}

const sortedByText = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> =>
  pieces
    .map((piece) => ({ piece, text: piece.bytes.toString("utf8", piece.start, piece.end) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ piece }) => piece)

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
