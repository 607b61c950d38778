/** Makes text safe for a terminal. A name must not move the cursor or change the writing direction. */

// Control characters (C0, DEL, C1), line separators, and marks that change the direction of writing.
const unsafeCharacters = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu

/** Returns the text on one line, without control characters. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, " ")
    .replace(unsafeCharacters, "\ufffd")
    .trim()

/** Returns the width of a text in columns: wide characters take two, combining marks none. */
export const columnsOf = (text: string): number => {
  let columns = 0
  for (const character of text) columns += widthOf(character)
  return columns
}

/** Wraps a text to lines of at most `columns`. A longer word is split. */
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
    const pieces = splitWord(word, width)
    line = pieces.pop() ?? ""
    for (const piece of pieces) lines.push(piece)
  }
  return line === "" ? lines : [...lines, line]
}

/** Splits a word behind a part of a chemical name, as `-` and `)`, or else where the line is full. */
const splitWord = (word: string, width: number): Array<string> => {
  const pieces: Array<string> = []
  let piece = ""
  for (const character of word) {
    if (piece !== "" && columnsOf(piece) + widthOf(character) > width) {
      const part = /^.+[-)\]},/](?=.)/.exec(piece + character)?.[0] ?? ""
      // A short part would leave most of the line empty.
      const end = part.length > piece.length / 2 ? part.length : piece.length
      pieces.push(piece.slice(0, end))
      piece = piece.slice(end)
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

/** Formats a count with its noun: `1 record`, `2 records`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`
