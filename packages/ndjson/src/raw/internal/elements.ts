/**
 * What becomes of the elements that `arrayScanner.ts` finds.
 */
import type { Fault } from "./grammar.ts"
import { RawRecord } from "./recordView.ts"
import { skipValue } from "./skip.ts"

/** What becomes of the elements. */
export interface Elements<Out> {
  /**
   * The index after the object at `start`, looked at on the way; -1 when it is not well formed or does not end before
   * `end`, so that the brackets have to be followed.
   */
  readonly walk: (bytes: Uint8Array, start: number, end: number) => number
  /** One whole element; `isWalked` when the last walk was over it. */
  readonly take: (
    bytes: Uint8Array,
    start: number,
    end: number,
    isWalked: boolean,
    out: Array<Out>
  ) => Fault | undefined
}

/** Elements as records. */
export const records: Elements<RawRecord> = {
  walk: skipValue,
  take: (bytes, start, end, _isWalked, out) => {
    out.push(new RawRecord(bytes, start, end))
    return undefined
  }
}
