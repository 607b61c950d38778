/**
 * How a batch that failed is divided into pieces: in halves, of which the other one is guilty (it certainly
 * has a bad key) if the first succeeds (`bisect`), or spread
 * over the whole batch before the first success of a run (`spread`). `settleKeys.ts` decides which, and in what order they are requested.
 */
import { fewKeys } from "./hopelessRun.ts"
import { type Piece, pieceOf } from "./piece.ts"

/** After this many outages during its request, a piece is suspected to cause them, and is requested alone. */
export const outagesToSuspect = 2

/** Returns both halves of keys. The second is longer if their number is odd. */
export const halves = <Key>(keys: ReadonlyArray<Key>): readonly [Array<Key>, Array<Key>] => {
  const middle = Math.floor(keys.length / 2)
  return [keys.slice(0, middle), keys.slice(middle)]
}

/** The halves of a piece with a bad key. If the piece infers or is suspect, a success of the left one makes the right one guilty. */
export const bisect = (piece: Piece): { readonly left: Piece; readonly right: Piece } => {
  const [leftKeys, rightKeys] = halves(piece.keys)
  const right = { ...pieceOf(rightKeys), failures: piece.failures, infers: piece.infers }
  const sibling = piece.infers || piece.outages >= outagesToSuspect ? right : undefined
  return { left: { ...right, keys: leftKeys, outages: piece.outages, sibling }, right }
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
