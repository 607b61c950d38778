/**
 * What might have been meant by a word that was not found: the terms within one or two edits of it.
 *
 * The sorted terms are walked like a tree of letters: from one candidate, the next text that can still be within the
 * distance is computed and looked up, so all others are passed over. The result is exact, unless a word takes more
 * look-ups than `mostSteps`. Edits are insertions, deletions and replacements of one character (Levenshtein distance).
 */
import type { DatabaseSync } from "node:sqlite"
import { fold } from "./fold.ts"
import { groupOf, rowOfSubstance, separator, suggestedKinds } from "./groups.ts"

/** How many suggestions there are at most. */
export const mostSuggestions = 10

/** The longest word for which there are suggestions, in characters. */
export const longestWord = 60

/** How many terms are looked at for one word: some 60 ms. */
const mostSteps = 15_000

interface Near {
  readonly term: string
  readonly kind: number
  readonly distance: number
}

/** Makes a function that gives suggestions for a word, best first: fewest edits, then best rank, then by text. */
export const suggester = (database: DatabaseSync): ((word: string) => ReadonlyArray<string>) => {
  const next = database.prepare("SELECT term FROM terms WHERE kind = ? AND term >= ? ORDER BY term LIMIT 1")
  next.setReturnArrays(true)
  const spelling = database.prepare(
    `SELECT terms.line, names.lines FROM terms CROSS JOIN names ON names.id = ${rowOfSubstance("terms.substance", "?")}
     WHERE terms.kind = ? AND terms.term = ? LIMIT 1`
  )
  spelling.setReturnArrays(true)
  return (word) => {
    const letters = [...fold(word)]
    if (letters.length < 2 || letters.length > longestWord) return []
    const found = new Map<string, Near>()
    let steps = 0
    for (let most = 1; most <= (letters.length < 5 ? 1 : 2) && found.size === 0; most++) {
      for (const kind of suggestedKinds) {
        let from: string | undefined = ""
        while (from !== undefined && steps++ < mostSteps) {
          const row = next.get(kind, from) as unknown as readonly [string] | undefined
          if (row === undefined) break
          const { distance, after } = compare(letters, [...row[0]], most)
          if (distance <= most && !found.has(row[0])) found.set(row[0], { term: row[0], kind, distance })
          from = after
        }
      }
    }
    return [...found.values()]
      .sort(
        (a, b) =>
          a.distance - b.distance ||
          suggestedKinds.indexOf(a.kind) - suggestedKinds.indexOf(b.kind) ||
          (a.term < b.term ? -1 : 1)
      )
      .slice(0, mostSuggestions)
      .map(({ term, kind }) => {
        const row = spelling.get(groupOf(kind), kind, term) as unknown as readonly [number, string]
        return row[1].split(separator)[row[0]] as string
      })
  }
}

/**
 * The distance of a term to the word, or more than `most`; and the first text after the term that can be within `most`
 * of the word, undefined when there is none.
 */
export const compare = (
  word: ReadonlyArray<string>,
  term: ReadonlyArray<string>,
  most: number
): { readonly distance: number; readonly after: string | undefined } => {
  // rows[p][j]: the distance of the first p letters of the term to the first j of the word.
  const rows: Array<ReadonlyArray<number>> = [word.map((_, j) => j).concat(word.length)]
  let depth = 0
  while (depth < term.length && Math.min(...(rows[depth] as Array<number>)) <= most) {
    rows.push(nextRow(rows[depth] as Array<number>, word, term[depth] as string))
    depth++
  }
  const isWhole = depth === term.length
  const last = rows[depth] as ReadonlyArray<number>
  const distance = isWhole ? (last[word.length] as number) : most + 1
  // A term can be continued where its row still holds a distance within reach.
  if (isWhole && Math.min(...last) <= most) {
    const first = smallest(rows[depth] as Array<number>, word, undefined, most)
    if (first !== undefined) return { distance, after: term.join("") + first }
  }
  for (let p = depth - 1; p >= 0; p--) {
    const letter = smallest(rows[p] as Array<number>, word, term[p] as string, most)
    if (letter !== undefined) return { distance, after: term.slice(0, p).join("") + letter }
  }
  return { distance, after: undefined }
}

const nextRow = (row: ReadonlyArray<number>, word: ReadonlyArray<string>, letter: string): Array<number> => {
  const next = [(row[0] as number) + 1]
  for (let j = 1; j < row.length; j++) {
    next.push(
      Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (word[j - 1] === letter ? 0 : 1)
      )
    )
  }
  return next
}

// The smallest letter after another (any, where that is undefined) with which a prefix of this row can go on. With an
// edit left it is any letter; with none left, one that the word has where the distance is used up.
const smallest = (
  row: ReadonlyArray<number>,
  word: ReadonlyArray<string>,
  after: string | undefined,
  most: number
): string | undefined => {
  if (Math.min(...row) < most) return after === undefined ? "\u0001" : successor(after)
  let best: string | undefined
  for (let j = 0; j < word.length; j++) {
    const letter = word[j] as string
    if (row[j] !== most || (after !== undefined && order(letter, after) <= 0)) continue
    if (best === undefined || order(letter, best) < 0) best = letter
  }
  return best
}

// The order of SQLite: by code point.
const order = (a: string, b: string): number => (a.codePointAt(0) as number) - (b.codePointAt(0) as number)

const successor = (letter: string): string | undefined => {
  const point = (letter.codePointAt(0) as number) + 1
  if (point > 0x10ffff) return undefined
  return String.fromCodePoint(point >= 0xd800 && point <= 0xdfff ? 0xe000 : point)
}
