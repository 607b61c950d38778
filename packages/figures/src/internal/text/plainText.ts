/**
 * Text for a terminal: names come from elsewhere, and must not move the cursor or turn the direction of writing.
 */

// Controls (C0, DEL, C1), line separators and the marks that change the direction of writing.
const unsafe = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu

/** The text on one line, without anything that a terminal would act on. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, " ")
    .replace(unsafe, "\ufffd")
    .trim()

/** The columns that a text takes: wide characters take two, marks that stand on others none. */
export const columnsOf = (text: string): number => {
  let columns = 0
  for (const character of text) columns += widthOf(character)
  return columns
}

/** The text on lines of at most `columns`, broken between words, and within a word that is longer than a line. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const width = Math.max(1, columns)
  const lines: Array<string> = []
  let line = ""
  for (const word of oneLine(text).split(/\s+/)) {
    const joined = line === "" ? word : `${line} ${word}`
    if (columnsOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== "") lines.push(line)
    const pieces = cut(word, width)
    line = pieces.pop() ?? ""
    for (const piece of pieces) lines.push(piece)
  }
  return line === "" ? lines : [...lines, line]
}

const cut = (word: string, width: number): Array<string> => {
  const pieces: Array<string> = []
  let piece = ""
  for (const character of word) {
    if (piece !== "" && columnsOf(piece) + widthOf(character) > width) {
      pieces.push(piece)
      piece = ""
    }
    piece += character
  }
  return [...pieces, piece]
}

const widthOf = (character: string): number => {
  if (/\p{M}/u.test(character)) return 0
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    character
  )
    ? 2
    : 1
}

/** A count with its noun: `1 record`, `2 records`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
