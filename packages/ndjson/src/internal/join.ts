/**
 * Joins the lines of many raw records into one array of bytes, each copied once.
 */
import type { RawRecord } from "../RawRecord.ts"
import { LF } from "./ascii.ts"
import { breaksLine, compact } from "./compact.ts"

// Below this length a loop is faster than a view and a call of `set`.
const LOOP_BYTES = 48

/** The text of every record as one line, each followed by LF. */
export const joinLines = (records: ReadonlyArray<RawRecord>): Uint8Array => {
  let size = records.length
  // What does not stand on one line as it is, by its place in `records`.
  const compacted = new Map<number, Uint8Array>()
  for (let r = 0; r < records.length; r++) {
    const { bytes, start, end } = records[r] as RawRecord
    if (breaksLine(bytes, start, end)) {
      const line = compact(bytes, start, end)
      compacted.set(r, line)
      size += line.length
    } else size += end - start
  }
  const out = new Uint8Array(size)
  let o = 0
  for (let r = 0; r < records.length; r++) {
    const line = compacted.size > 0 ? compacted.get(r) : undefined
    if (line !== undefined) {
      out.set(line, o)
      o += line.length
    } else {
      const { bytes, start, end } = records[r] as RawRecord
      if (end - start < LOOP_BYTES) for (let i = start; i < end; i++) out[o++] = bytes[i] as number
      else {
        out.set(bytes.subarray(start, end), o)
        o += end - start
      }
    }
    out[o++] = LF
  }
  return out
}
