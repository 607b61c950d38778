/** A piece of a batch: keys that are requested together, with what their earlier requests have shown. `settleKeys.ts` requests it. */
import type { Signal } from "../../Availability.ts"
import { fewKeys } from "./runHealth.ts"

/** Keys that are requested together. */
export interface Piece {
  readonly keys: ReadonlyArray<string>
  /** The failed requests that carried all of its keys. */
  readonly failures: number
  /** When it last failed alone, in milliseconds of the monotonic clock, while the service seemed to be available, and how it failed each time. */
  readonly failedAt: number | undefined
  readonly failedAs: ReadonlyArray<Signal>
  /** The outages that began while it was in flight. */
  outages: number
  /** Whether it certainly has a bad key, so that it is split without a request. */
  isGuilty: boolean
  /** Whether its parts are guilty when their sibling succeeds. */
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

/** A piece after it has failed alone once more. */
export const failedAgain = (piece: Piece, failedAt: number, signal: Signal): Piece => ({
  ...piece,
  failures: piece.failures + 1,
  failedAt,
  failedAs: [...piece.failedAs, signal]
})

export const halves = (
  keys: ReadonlyArray<string>
): readonly [ReadonlyArray<string>, ReadonlyArray<string>] => {
  const middle = Math.floor(keys.length / 2)
  return [keys.slice(0, middle), keys.slice(middle)]
}

/**
 * The parts of a batch in which the first success is looked for: its first, middle and last key alone, then the others, alone if they
 * are few, or as two halves.
 */
export const spread = (keys: ReadonlyArray<string>): Array<Piece> => {
  const places = new Set([0, Math.floor(keys.length / 2), keys.length - 1])
  const rest = keys.filter((_, at) => !places.has(at))
  const parts = keys.length <= fewKeys ? rest.map((key) => [key]) : halves(rest)
  return [...[...places].map((at) => [keys[at] as string]), ...parts].map(pieceOf)
}
