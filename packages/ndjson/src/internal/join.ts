/**
 * Joins the lines of many raw records into one array of bytes, each copied once: neighbours together, for elements of
 * an array and lines of a chunk mostly stand one byte apart.
 */
import type { RawRecord } from "../RawRecord.ts"
import { LF } from "./ascii.ts"
import { breaksLine, compact } from "./compact.ts"
import { copied } from "./copy.ts"

/** The text of every record as one line, each followed by LF. */
export const joinLines = (records: ReadonlyArray<RawRecord>): Uint8Array => {
  let size = records.length
  for (let r = 0; r < records.length; r++) {
    const { start, end } = records[r] as RawRecord
    size += end - start
  }
  const whole = new Uint8Array(size)
  let out = whole
  let o = 0
  let r = 0
  while (r < records.length) {
    const first = records[r] as RawRecord
    const { bytes, start } = first
    let end = first.end
    let next = r + 1
    for (; next < records.length; next++) {
      const record = records[next] as RawRecord
      if (record.bytes !== bytes || record.start !== end + 1 || bytes[end] === LF) break
      end = record.end
    }
    if (!breaksLine(bytes, start, end)) {
      o = copied(bytes, start, end, out, o)
      const shift = o - end
      for (; r < next; r++) out[(records[r] as RawRecord).end + shift] = LF
      o++
      continue
    }
    // Escapes of line breaks make a line longer than its text, but only in text that is not JSON.
    for (; r < next; r++) {
      const record = records[r] as RawRecord
      if (!breaksLine(bytes, record.start, record.end)) o = copied(bytes, record.start, record.end, out, o)
      else {
        const line = compact(bytes, record.start, record.end)
        const excess = line.length - (record.end - record.start)
        if (excess > 0) out = longer(out, excess)
        o = copied(line, 0, line.length, out, o)
      }
      out[o++] = LF
    }
  }
  return out === whole && o === size ? whole : out.subarray(0, o)
}

const longer = (bytes: Uint8Array, by: number): Uint8Array<ArrayBuffer> => {
  const next = new Uint8Array(bytes.length + by)
  next.set(bytes)
  return next
}
