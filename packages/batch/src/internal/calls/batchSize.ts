/**
 * Adapts the number of keys in a batch: fewer after a batch that was too large or too slow, or whose response was large, more after
 * successes.
 *
 * Without growth one bad minute would make all batches of a long run tiny. A size that was refused twice, without a
 * success in between, is not tried again. A size at which another batch has succeeded is not the cause of one failure:
 * later batches then get smaller only after a second one.
 */
import type { Ledger } from "../../Ledger.ts"

/** The size doubles after this many consecutive successes. */
const successesToGrow = 16

/** The largest response that batches aim at, in bytes. A larger one takes long, is lost as a whole, and fills the memory. */
const largestBody = 8 * 2 ** 20

/** The batch size of a run, which its ledger shows. */
export interface BatchSize {
  /** Records a batch of this length that succeeded, with the bytes of its response. */
  readonly recordSuccess: (length: number, bytes: number) => void
  /** Records the most keys that a batch may have. */
  readonly recordLimit: (limit: number) => void
  /** Records a batch that was too large or too slow. Later batches have at most `half` keys for now. */
  readonly recordHalving: (length: number, half: number) => void
}

/** Sets the batch size of a ledger. */
export const set = (ledger: Ledger, size: number): void => {
  const { largest, smallest } = ledger.batchSizes ?? { largest: size, smallest: size }
  ledger.batchSize = size
  ledger.batchSizes = { smallest: Math.min(smallest, size), largest: Math.max(largest, size) }
}

/** Makes the batch size of a run, which starts with that of its ledger. */
export const make = (ledger: Ledger): BatchSize => {
  /** The size up to which batches grow again. */
  let largest = ledger.batchSize
  let successesInARow = 0
  /** The length that was refused last, without a success of this length since. */
  let tooLarge = Number.POSITIVE_INFINITY
  /** The largest length that succeeded. */
  let proven = 0
  /** Whether a length that had succeeded was refused once since. */
  let isDoubted = false
  return {
    recordSuccess: (length, bytes) => {
      if (length >= proven) {
        proven = length
        isDoubted = false
      }
      if (length >= tooLarge) tooLarge = Number.POSITIVE_INFINITY
      // A response to a few keys says little about others.
      if (bytes > largestBody && length > ledger.batchSize / 2) {
        successesInARow = 0
        return set(
          ledger,
          Math.min(ledger.batchSize, Math.max(1, Math.floor((length * largestBody) / bytes)))
        )
      }
      if (length < ledger.batchSize || ++successesInARow < successesToGrow) return
      successesInARow = 0
      const doubled = Math.min(largest, ledger.batchSize * 2)
      if (doubled > ledger.batchSize && (bytes * doubled) / length <= largestBody) set(ledger, doubled)
    },
    recordLimit: (limit) => {
      largest = Math.min(largest, limit)
      if (largest >= ledger.batchSize) return
      // No larger batch has been accepted.
      ledger.batchSizes = undefined
      set(ledger, largest)
    },
    recordHalving: (length, half) => {
      successesInARow = 0
      // Of several halved batches in flight, only the first counts.
      if (length > ledger.batchSize) return
      if (length <= proven && !isDoubted) {
        isDoubted = true
        return
      }
      proven = Math.min(proven, half)
      // Refused again without a success of this length: the size is the cause.
      if (length >= tooLarge) largest = Math.min(largest, half)
      tooLarge = length
      set(ledger, half)
    }
  }
}
