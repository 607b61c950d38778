/**
 * Joins the lines of many raw records into one array of bytes. Neighbours are copied together, for elements of an array
 * and lines of a chunk mostly stand one byte apart; records that stand as lines already are not copied at all.
 */

import { CR, LF } from "../../internal/ascii.ts"
import { copyBytes } from "../../internal/copy.ts"
import { holds, indexOf } from "../../internal/find.ts"
import type { RawRecord } from "../RawRecord.ts"
import { breaksLine, compact } from "./compact.ts"

/** How far line feeds are looked for at once, in bytes: beyond, nothing is known of who stands there. */
const WINDOW = 64 * 1024

/** Bytes of lines that stand together from which they are worth a piece of their own. */
const MIN_VIEW_BYTES = 16 * 1024

/**
 * The text of every record as one line, each followed by LF, in as few pieces as spare the copying: records of one chunk
 * that stand as lines there are a piece of their own, which the one before them, that spans two chunks, is not part of.
 */
export const linePieces = (records: ReadonlyArray<RawRecord>, out: Array<Uint8Array>): void => {
  let from = 0
  for (let at = 0; at < records.length; ) {
    const { bytes, start, end } = records[at] as RawRecord
    let next = at + 1
    while (next < records.length && (records[next] as RawRecord).bytes === bytes) next++
    if (bytes[end] === LF && (records[next - 1] as RawRecord).end - start >= MIN_VIEW_BYTES) {
      if (at > from) out.push(joinLines(records.slice(from, at)))
      out.push(joinLines(records.slice(at, next)))
      from = next
    }
    at = next
  }
  if (from < records.length) out.push(joinLines(records.slice(from)))
}

/** The text of every record as one line, each followed by LF: a view of their bytes where they stand so. */
export const joinLines = (records: ReadonlyArray<RawRecord>): Uint8Array => {
  let whole: Uint8Array | undefined
  let out = nothing
  let o = 0
  let r = 0
  // Where no line feed is known to stand: one search serves many records that follow one another.
  let searchedBytes: Uint8Array | undefined
  let from = 0
  let to = 0
  while (r < records.length) {
    const { bytes, start } = records[r] as RawRecord
    let end = start - 1
    let next = r
    // Whether each is followed by a line feed already.
    let hasLineFeeds = true
    for (; next < records.length; next++) {
      const record = records[next] as RawRecord
      if (record.bytes !== bytes || record.start !== end + 1) break
      const last = record.end
      if (bytes !== searchedBytes || record.start < from || last > to) {
        searchedBytes = bytes
        from = record.start
        to = lineFeed(bytes, from, last)
        if (to < last) break
      }
      end = last
      if (hasLineFeeds && bytes[end] !== LF) hasLineFeeds = false
    }
    const isPlain = next > r && !holds(bytes, CR, start, end)
    if (isPlain && hasLineFeeds && r === 0 && next === records.length) return bytes.subarray(start, end + 1)
    if (whole === undefined) {
      whole = new Uint8Array(sizeOf(records))
      out = whole
    }
    if (isPlain) {
      o = copyBytes(bytes, start, end, out, o)
      const shift = o - end
      if (!hasLineFeeds) for (; r < next; r++) out[(records[r] as RawRecord).end + shift] = LF
      out[o++] = LF
      r = next
      continue
    }
    // Escapes of line breaks make a line longer than its text, but only in text that is not JSON.
    for (next = Math.max(next, r + 1); r < next; r++) {
      const record = records[r] as RawRecord
      if (!breaksLine(bytes, record.start, record.end)) o = copyBytes(bytes, record.start, record.end, out, o)
      else {
        const line = compact(bytes, record.start, record.end)
        const excess = line.length - (record.end - record.start)
        if (excess > 0) out = extend(out, excess)
        o = copyBytes(line, 0, line.length, out, o)
      }
      out[o++] = LF
    }
  }
  return o === out.length ? out : out.subarray(0, o)
}

const nothing: Uint8Array = new Uint8Array(0)

/** The place of the first line feed from `start` on, or how far there is none: at least to `end`. */
const lineFeed = (bytes: Uint8Array, start: number, end: number): number => {
  // Then there is one not far off.
  if (bytes[end] === LF) return indexOf(bytes, LF, start)
  const limit = Math.min(bytes.length, Math.max(end, start + WINDOW))
  const found = indexOf(bytes.subarray(start, limit), LF, 0)
  return found === -1 ? limit : start + found
}

const sizeOf = (records: ReadonlyArray<RawRecord>): number => {
  let size = records.length
  for (let r = 0; r < records.length; r++) {
    const { start, end } = records[r] as RawRecord
    size += end - start
  }
  return size
}

const extend = (bytes: Uint8Array, by: number): Uint8Array => {
  const next = new Uint8Array(bytes.length + by)
  next.set(bytes)
  return next
}
