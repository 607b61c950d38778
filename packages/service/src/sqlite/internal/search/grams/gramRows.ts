/**
 * Numbers the rows of the gram index, and splits a text into grams, e.g. `phenol` into `phen`, `heno` and `enol`.
 *
 * `postingRows.ts` encodes the content of a row.
 */
import { holdsIdentifiers } from "../nameGroups.ts"

/** Returns the number of characters of the grams of a group. */
export const sizeOf = (group: number): number => (holdsIdentifiers(group) ? 3 : 4)

// Upper bounds of the number of grams, and of stripes in a group.
export const maxGrams = 2 ** 28
export const maxStripes = 2 ** 16

// Returns the first row number of a gram. A row has this number plus the number of its last stripe.
export const gramStart = (group: number, gram: number): number => (group * maxGrams + gram) * maxStripes

/** A row of `postings`: its number, and the encoded sets. */
export type Row = readonly [number, Uint8Array]

// Selects the first row of a gram that may have a stripe. Parameters: the row number of the stripe, and the end of
// the gram.
export const rowFrom = "SELECT id, documents FROM postings WHERE id >= ? AND id < ? ORDER BY id LIMIT 1"

/** Returns the grams of a text, which is given as its characters. */
export const gramsOf = (characters: ReadonlyArray<string>, size: number): ReadonlyArray<string> => {
  const grams: Array<string> = []
  for (let i = 0; i + size <= characters.length; i++) grams.push(characters.slice(i, i + size).join(""))
  return grams
}
