/**
 * Computes the Levenshtein distances of sorted terms to one word.
 *
 * A term is compared from its first difference to the previous term, so a sorted walk costs only the new letters.
 */

/** The result of comparing a term with the word. */
export interface Comparison {
  /**
   * The number of insertions, deletions and replacements of a character. Exact up to `reach`; above it, any larger
   * number.
   */
  readonly distance: number
  /** The first text after the term that may be within reach. Undefined if there is none. */
  readonly next: string | undefined
}

/** Compares terms with a word. `reach` is the largest distance of interest. */
export class EditDistance {
  private readonly word: ReadonlyArray<number>
  private readonly reach: number
  // Row p has the distances of the first p letters of the term to the first j letters of the word, up to `reach` + 1.
  private readonly rows: Uint8Array
  // The smallest distance of each row.
  private readonly lowest: Uint8Array
  // The letters of the filled rows, and their ends in the term.
  private readonly letters: Array<number> = []
  private readonly ends: Array<number> = []

  constructor(word: string, reach: number) {
    this.word = Array.from(word, (letter) => letter.codePointAt(0) as number)
    this.reach = reach
    const width = this.word.length + 1
    const deepest = this.word.length + reach
    this.rows = new Uint8Array((deepest + 2) * width).fill(reach + 1)
    this.lowest = new Uint8Array(deepest + 2)
    for (let j = 0; j <= Math.min(reach, this.word.length); j++) this.rows[j] = j
  }

  /** Compares a term. Fastest in sorted order. */
  compare(term: string): Comparison {
    const { letters, reach, word } = this
    const depth = this.fill(term)
    const isWhole = depth === 0 ? term === "" : this.ends[depth - 1] === term.length
    const distance = isWhole ? (this.rows[depth * (word.length + 1) + word.length] as number) : reach + 1
    // A longer term may be within reach if the row has a distance within reach.
    if (isWhole && (this.lowest[depth] as number) <= reach) {
      const first = this.smallest(depth, -1)
      if (first !== -1) return { distance, next: term + String.fromCodePoint(first) }
    }
    for (let p = depth - 1; p >= 0; p--) {
      const letter = this.smallest(p, letters[p] as number)
      if (letter === -1) continue
      const start = p === 0 ? 0 : (this.ends[p - 1] as number)
      return { distance, next: term.slice(0, start) + String.fromCodePoint(letter) }
    }
    return { distance, next: undefined }
  }

  // Fills the rows of a term until a row is out of reach. Returns the number of letters.
  private fill(term: string): number {
    const { ends, letters, lowest, reach } = this
    let depth = 0
    let end = 0
    let isKept = true
    while (end < term.length && (lowest[depth] as number) <= reach) {
      const letter = term.codePointAt(end) as number
      end += letter > 0xffff ? 2 : 1
      if (!isKept || letters[depth] !== letter) {
        isKept = false
        letters[depth] = letter
        ends[depth] = end
        this.fillRow(depth + 1, letter)
      }
      depth++
    }
    letters.length = depth
    ends.length = depth
    return depth
  }

  private fillRow(p: number, letter: number): void {
    const { reach, rows, word } = this
    const previousRow = (p - 1) * (word.length + 1)
    const row = p * (word.length + 1)
    // Farther from the diagonal, every distance is out of reach.
    const last = Math.min(word.length, p + reach)
    let lowestEdits = reach + 1
    for (let j = Math.max(0, p - reach); j <= last; j++) {
      let edits = (rows[previousRow + j] as number) + 1
      if (j > 0) {
        edits = Math.min(
          edits,
          (rows[row + j - 1] as number) + 1,
          (rows[previousRow + j - 1] as number) + (word[j - 1] === letter ? 0 : 1)
        )
      }
      edits = Math.min(edits, reach + 1)
      rows[row + j] = edits
      lowestEdits = Math.min(lowestEdits, edits)
    }
    this.lowest[p] = lowestEdits
  }

  // Returns the smallest letter above `after` that may follow the first p letters of a term, or -1. If an edit is
  // left, it may be any letter. Otherwise it must be the letter of the word at that place.
  private smallest(p: number, after: number): number {
    const { reach, rows, word } = this
    if ((this.lowest[p] as number) < reach) return after === -1 ? 1 : successor(after)
    const row = p * (word.length + 1)
    let best = -1
    for (let j = Math.max(0, p - reach); j < Math.min(word.length, p + reach + 1); j++) {
      const letter = word[j] as number
      if (rows[row + j] === reach && letter > after && (best === -1 || letter < best)) best = letter
    }
    return best
  }
}

// The next code point, as SQLite sorts texts: without surrogates.
const successor = (letter: number): number =>
  letter === 0x10ffff ? -1 : letter === 0xd7ff ? 0xe000 : letter + 1
