/**
 * Wraps text to a width, and chooses the width.
 */

/** The width of help: that of the terminal, and at least 80 columns. */
export const helpColumns = (): number => Math.max(process.stdout.columns ?? 0, 80)

/** Wraps a text to lines of at most this many columns, each with the indent. */
export const wrap = (text: string, indent: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > columns) {
      lines.push(line)
      line = ""
    }
    line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => `${indent}${one}`)
}

/** Wraps a command at spaces outside of quotes. It can still be copied as a whole. */
export const wrapCommand = (command: string, indent: string, columns: number): ReadonlyArray<string> => {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+/g) ?? []
  // An option stays with its value.
  const units: Array<string> = []
  for (const [at, word] of words.entries()) {
    const isValue = /^--?\w/.test(words[at - 1] ?? "") && /^\w/.test(word)
    units.push(isValue ? `${units.pop()} ${word}` : word)
  }
  const lines: Array<string> = []
  let line = indent
  for (const unit of units) {
    if (line.trim() !== "" && line.length + 1 + unit.length + 2 > columns) {
      lines.push(`${line} \\`)
      line = `${indent}  `
    }
    line = line.trim() === "" ? `${line}${unit}` : `${line} ${unit}`
  }
  return [...lines, line]
}

/**
 * Returns rows of a term and its text, with the texts in one column. The column starts after the longest term, or at `widest`. A longer
 * term gets its own line.
 */
export const rows = (
  all: ReadonlyArray<{ readonly term: string; readonly text: string }>,
  columns: number,
  widest = Math.max(0, ...all.map(({ term }) => term.length))
): ReadonlyArray<string> => {
  const indent = " ".repeat(widest + 4)
  return all.flatMap(({ term, text }) => {
    const lines = wrap(text, indent, columns)
    const [first = "", ...rest] = lines
    return term.length <= widest
      ? [`  ${term}${first.slice(term.length + 2)}`, ...rest]
      : [`  ${term}`, ...lines]
  })
}
