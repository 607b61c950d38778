/**
 * Joins the lines of many raw records into few arrays of bytes. Neighbours are copied together, because most elements
 * and lines are one byte apart. Records that are already lines are not copied.
 */

import { holds, indexOf } from "../../internal/byteSearch.ts"
import { copyBytes } from "../../internal/copyBytes.ts"
import { CR, LF } from "../../internal/jsonBytes.ts"
import type { RawRecord } from "../RawRecord.ts"
import { breaksLine, compact } from "./compactJson.ts"

const EMPTY: Uint8Array = new Uint8Array(0)

/** The largest distance of one search for line feeds, in bytes. */
const WINDOW = 64 * 1024

/** From this length, in bytes, a run of lines becomes a piece of its own. */
const MIN_VIEW_BYTES = 16 * 1024

/**
 * Adds the text of each record as a line with LF, in few pieces. A long run of lines within one chunk becomes a piece
 * of its own, without a copy. The records before the run become another piece.
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

/** Returns the text of each record as a line with LF. A view, if the records are already neighbouring lines. */
export const joinLines = (records: ReadonlyArray<RawRecord>): Uint8Array => {
  let out = EMPTY
  let o = 0
  let r = 0
  // The range without a line feed. One search serves many neighbouring records.
  let searchedBytes: Uint8Array | undefined
  let from = 0
  let to = 0
  // Takes runs of neighbours that have no line feed inside, and copies each run as one piece. Other records are copied one by one.
  while (r < records.length) {
    const { bytes, start } = records[r] as RawRecord
    let end = start - 1
    let next = r
    // Whether an LF already follows each record.
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
    if (out === EMPTY) out = new Uint8Array(sizeOf(records))
    if (isPlain) {
      o = copyBytes(bytes, start, end, out, o)
      const shift = o - end
      if (!hasLineFeeds) for (; r < next; r++) out[(records[r] as RawRecord).end + shift] = LF
      out[o++] = LF
      r = next
      continue
    }
    // Escapes of line breaks make a line longer than its text, but only if the text is not JSON.
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

/**
 * Returns the index of the first line feed from `start`. Without one, returns where the search stopped, at least
 * `end`.
 */
const lineFeed = (bytes: Uint8Array, start: number, end: number): number => {
  // There is one at `end` or before, so the search is short.
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
