/**
 * How much of a batch is still asked for when nothing in it succeeds: what a run has learned from the batches before.
 *
 * A single batch gets as many failures in a row as lead down to single identifiers and some way on. Where several batches
 * in a row came to nothing, the service is broken altogether, and each further batch is only probed: its first
 * identifier, then the rest as it is. The first success ends that.
 */

/** So many batches in a row without any success are no chance. */
const enough = 3

/** The patience of a run. */
export interface Patience {
  /** How many failures in a row are borne in a batch of this length. */
  readonly failures: (length: number) => number
  /** The parts in which a batch is asked for, last first. */
  readonly parts: (ids: ReadonlyArray<string>) => Array<ReadonlyArray<string>>
  /** A call got an answer. */
  readonly succeeded: () => void
  /** No part of a batch was answered, down to single identifiers. */
  readonly lost: () => void
}

export const make = (): Patience => {
  let lost = 0
  return {
    failures: (length) => (lost < enough ? 2 * Math.ceil(Math.log2(Math.max(2, length))) + 2 : 1),
    parts: (ids) =>
      (lost < enough ? [ids] : [ids.slice(1), ids.slice(0, 1)]).filter(({ length }) => length > 0),
    succeeded: () => {
      lost = 0
    },
    lost: () => {
      lost++
    }
  }
}
