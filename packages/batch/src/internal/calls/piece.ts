/**
 * A piece of a batch: keys that are requested together, with what their earlier requests have shown. `settleKeys.ts` requests it, and
 * `splitBatch.ts` divides it.
 *
 * For example, a batch of four keys fails, and is divided in halves. If the first half succeeds, its sibling, the second half, is guilty: it
 * has a bad key, and is divided without another request.
 */
import type { Signal } from "../../Availability.ts"

/** Keys that are requested together. */
export interface Piece {
  readonly keys: ReadonlyArray<string>
  /** The failed requests that carried all of its keys. */
  readonly failures: number
  /** When it last failed without the keys of other pieces, in milliseconds of the monotonic clock, while the service seemed to be available, and how it failed each time. */
  readonly failedAt: number | undefined
  readonly failedAs: ReadonlyArray<Signal>
  /** The outages that began while it was in flight. */
  outages: number
  /** Whether it certainly has a bad key, so that it is split without a request. */
  isGuilty: boolean
  /** Whether the success of one of its parts shows that the other is guilty. */
  readonly infers: boolean
  /** The other part of a piece with a bad key, not requested yet. */
  readonly sibling?: Piece | undefined
}

/** A piece that has not been requested. */
export const pieceOf = (keys: ReadonlyArray<string>): Piece => ({
  keys,
  failures: 0,
  failedAt: undefined,
  failedAs: [],
  outages: 0,
  isGuilty: false,
  infers: false
})

/** A piece after one more failed request of its keys alone. */
export const failedAgain = (piece: Piece, failedAt: number, signal: Signal): Piece => ({
  ...piece,
  failures: piece.failures + 1,
  failedAt,
  failedAs: [...piece.failedAs, signal]
})
