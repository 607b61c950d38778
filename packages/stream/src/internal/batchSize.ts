/**
 * How many identifiers a batch holds while a run goes on: fewer after a batch that was too large or too slow, and again as
 * many as were answered before once the service has got over it. Without that a bad minute would cut a long run into
 * single identifiers for good.
 *
 * Never more than was answered before: what a service cannot take is asked of it no more than twice.
 */
import type { Ledger } from "../Ledger.ts"

/** How many batches of the present size must be answered in a row before the next is twice as large. */
const patience = 16

/** The size of the batches of a run, which is in its ledger. */
export interface BatchSize {
  /** A batch of this length was answered. */
  readonly answered: (length: number) => void
  /** A batch of this length was too large or too slow: no batch is larger than this half of it now. */
  readonly halved: (length: number, half: number) => void
  /** No part of a batch was answered, down to single identifiers: its size was not the cause. */
  readonly lost: () => void
}

export const make = (ledger: Ledger): BatchSize => {
  let largest = 0
  let inARow = 0
  let tooLarge = Number.POSITIVE_INFINITY
  let beforeHalving: number | undefined
  return {
    answered: (length) => {
      beforeHalving = undefined
      largest = Math.max(largest, length)
      if (length >= tooLarge) tooLarge = Number.POSITIVE_INFINITY
      if (length < ledger.batchSize || ++inARow < patience) return
      inARow = 0
      ledger.batchSize = Math.max(ledger.batchSize, Math.min(largest, ledger.batchSize * 2))
    },
    halved: (length, half) => {
      inARow = 0
      // Of several in flight only the first tells anything.
      if (length > ledger.batchSize) return
      // Again, with none of its length answered since: it is not the time that is bad.
      if (length >= tooLarge) largest = Math.min(largest, half)
      tooLarge = length
      beforeHalving ??= ledger.batchSize
      ledger.batchSize = half
    },
    lost: () => {
      if (beforeHalving === undefined) return
      ledger.batchSize = beforeHalving
      beforeHalving = undefined
      tooLarge = Number.POSITIVE_INFINITY
    }
  }
}
