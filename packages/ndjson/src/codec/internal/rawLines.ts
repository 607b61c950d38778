/** Makes a raw record of each line. The content is not checked. */
import { RawRecord } from "../../raw/RawRecord.ts"
import type { Handler } from "./lineCutter.ts"

/** A raw record and its line number, from 1, counting blank lines. */
export interface NumberedRecord {
  readonly line: number
  readonly record: RawRecord
}

/** Makes a record of each line. */
export const rawRecords: Handler<RawRecord> = {
  line: (bytes, start, end, out) => {
    out.push(new RawRecord(bytes, start, end))
    return undefined
  }
}

/** Makes a record of each line, with its line number. */
export const numberedRecords: Handler<NumberedRecord> = {
  line: (bytes, start, end, out, line) => {
    out.push({ line, record: new RawRecord(bytes, start, end) })
    return undefined
  }
}
