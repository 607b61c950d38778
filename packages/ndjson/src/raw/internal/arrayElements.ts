/** Reads the elements that `arrayScanner.ts` finds: as plain records here, with a shape in `RawShape`. */
import type { Fault } from "./jsonGrammar.ts"
import { RawRecord } from "./rawRecordClass.ts"
import { skipValue } from "./skipJson.ts"

/** Reads elements. */
export interface Elements<Out> {
  /**
   * Scans the object at `start`, and returns the index after it. -1: it is malformed or does not end before `end`, so
   * the scanner must match brackets.
   */
  readonly walk: (bytes: Uint8Array, start: number, end: number) => number
  /** Takes one whole element. `isWalked`: the last `walk` scanned it. */
  readonly take: (
    bytes: Uint8Array,
    start: number,
    end: number,
    isWalked: boolean,
    out: Array<Out>
  ) => Fault | undefined
}

/** Makes a record of each element. */
export const records: Elements<RawRecord> = {
  walk: skipValue,
  take: (bytes, start, end, _isWalked, out) => {
    out.push(new RawRecord(bytes, start, end))
    return undefined
  }
}
