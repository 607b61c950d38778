/**
 * Adapts the number of keys in a batch: fewer after a batch that was too large or too slow, more after successes.
 *
 * Without growth one bad minute would make all batches of a long run tiny. A size that was refused twice, without a
 * success in between, is not tried again. After several batches without any success, batches are not split any
 * more.
 */
import type { Ledger } from "../../Ledger.ts"

/** The size doubles after this many consecutive successes. */
const successesToGrow = 16

/** Batches are not split after this many consecutive batches without any success. */
const lostBatchesToStop = 3

/** The batch size of a run, which its ledger shows. */
export interface BatchSize {
  /** Records a batch of this length that succeeded. */
  readonly recordSuccess: (length: number) => void
  /** Records a batch that was too large or too slow. Later batches have at most `half` keys for now. */
  readonly recordHalving: (length: number, half: number) => void
  /** Records that no part of a batch succeeded, down to single keys. Its size was not the cause. */
  readonly recordLoss: () => void
  /** Whether splitting another batch is pointless, because too many in a row had no success. */
  readonly isHopeless: () => boolean
}

export const make = (ledger: Ledger): BatchSize => {
  let largest = ledger.batchSize
  let successesInARow = 0
  let tooLarge = Number.POSITIVE_INFINITY
  let beforeHalving: number | undefined
  let lostInARow = 0
  return {
    isHopeless: () => lostInARow >= lostBatchesToStop,
    recordSuccess: (length) => {
      lostInARow = 0
      beforeHalving = undefined
      if (length >= tooLarge) tooLarge = Number.POSITIVE_INFINITY
      if (length < ledger.batchSize || ++successesInARow < successesToGrow) return
      successesInARow = 0
      ledger.batchSize = Math.max(ledger.batchSize, Math.min(largest, ledger.batchSize * 2))
    },
    recordHalving: (length, half) => {
      successesInARow = 0
      // Of several halved batches in flight, only the first counts.
      if (length > ledger.batchSize) return
      // Refused again without a success of this length: the size is the cause.
      if (length >= tooLarge) largest = Math.min(largest, half)
      tooLarge = length
      beforeHalving ??= ledger.batchSize
      ledger.batchSize = half
    },
    recordLoss: () => {
      lostInARow++
      if (beforeHalving === undefined) return
      ledger.batchSize = beforeHalving
      beforeHalving = undefined
      tooLarge = Number.POSITIVE_INFINITY
    }
  }
}
