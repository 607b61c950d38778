/**
 * Encodes the rows of the gram index. A row has the sets of one gram in several stripes, so a search usually reads
 * one row per gram.
 *
 * `documentSets.ts` encodes the sets. Before each set are its stripe and its length: two bytes each, the lower byte first.
 */

/** The set of a gram in a stripe. */
export interface Posting {
  readonly stripe: number
  readonly set: Uint8Array
}

const headerBytes = 4

/** The longest row with several sets, in bytes: one page. A longer set has its own row. */
const longestRow = 4000

/** Makes rows from sets in the order of stripes. */
export const toRows = function* (postings: ReadonlyArray<Posting>): Generator<{
  readonly last: number
  readonly row: Uint8Array
}> {
  let first = 0
  while (first < postings.length) {
    let end = first
    let size = 0
    do size += headerBytes + sizeAt(postings, end++)
    while (end < postings.length && size + headerBytes + sizeAt(postings, end) <= longestRow)
    yield { last: (postings[end - 1] as Posting).stripe, row: toRow(postings.slice(first, end), size) }
    first = end
  }
}

const sizeAt = (postings: ReadonlyArray<Posting>, n: number): number => (postings[n] as Posting).set.length

const toRow = (postings: ReadonlyArray<Posting>, size: number): Uint8Array => {
  const row = new Uint8Array(size)
  let at = 0
  for (const { stripe, set } of postings) {
    put16(row, at, stripe)
    put16(row, at + 2, set.length)
    row.set(set, at + headerBytes)
    at += headerBytes + set.length
  }
  return row
}

/** Returns the sets of a row, in the order of stripes. */
export const fromRow = (row: Uint8Array): ReadonlyArray<Posting> => {
  const postings: Array<Posting> = []
  for (let at = 0; at < row.length; at = nextSet(row, at)) {
    postings.push({ stripe: get16(row, at), set: row.subarray(at + headerBytes, nextSet(row, at)) })
  }
  return postings
}

/** Reads the sets of a row by ascending stripe. */
export class RowReader {
  private readonly row: Uint8Array
  private at = 0

  constructor(row: Uint8Array) {
    this.row = row
  }

  /** Returns the set of a stripe, which must be above the previous one. */
  setOf(stripe: number): Uint8Array | undefined {
    const { row } = this
    while (this.at < row.length && get16(row, this.at) < stripe) this.at = nextSet(row, this.at)
    if (this.at >= row.length || get16(row, this.at) !== stripe) return undefined
    return row.subarray(this.at + headerBytes, nextSet(row, this.at))
  }
}

// The start of the next set.
const nextSet = (row: Uint8Array, at: number): number => at + headerBytes + get16(row, at + 2)

const get16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8)

const put16 = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
}
