/**
 * How many keys a batch holds while a run goes on: fewer after a batch that was too large or too slow, and more again once
 * the service answers. Without that a bad minute would cut a long run into single keys for good.
 *
 * A size that was refused twice, with nothing of its length answered in between, is not tried again. After several batches
 * of which no part was answered no batch is worth cutting up.
 */
import type { Ledger } from "../../Ledger.ts"

/** How many batches of the present size must be answered in a row before the next is twice as large. */
const successesToGrow = 16

/** After this many batches in a row of which no part was answered, later ones are not cut up. */
const lostBatchesToStop = 3

/** The size of the batches of a run, which is in its ledger. */
export interface BatchSize {
  /** A batch of this length was answered. */
  readonly answered: (length: number) => void
  /** A batch of this length was too large or too slow: no batch is larger than this half of it now. */
  readonly halved: (length: number, half: number) => void
  /** No part of a batch was answered, down to single identifiers: its size was not the cause. */
  readonly lost: () => void
  /** Whether so many batches in a row were lost that cutting up another one has no chance. */
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
    answered: (length) => {
      lostInARow = 0
      beforeHalving = undefined
      if (length >= tooLarge) tooLarge = Number.POSITIVE_INFINITY
      if (length < ledger.batchSize || ++successesInARow < successesToGrow) return
      successesInARow = 0
      ledger.batchSize = Math.max(ledger.batchSize, Math.min(largest, ledger.batchSize * 2))
    },
    halved: (length, half) => {
      successesInARow = 0
      // Of several in flight only the first tells anything.
      if (length > ledger.batchSize) return
      // Again, with none of its length answered since: it is not the time that is bad.
      if (length >= tooLarge) largest = Math.min(largest, half)
      tooLarge = length
      beforeHalving ??= ledger.batchSize
      ledger.batchSize = half
    },
    lost: () => {
      lostInARow++
      if (beforeHalving === undefined) return
      ledger.batchSize = beforeHalving
      beforeHalving = undefined
      tooLarge = Number.POSITIVE_INFINITY
    }
  }
}
