/**
 * Text in lines of a width, and how wide they may be.
 */

/** The columns of help: those of the terminal where it is wider than 80. */
export const helpColumns = (): number => Math.max(process.stdout.columns ?? 0, 80)

/** A text in lines of at most so many columns, each with the indent. */
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

/** A command in lines of at most so many columns where it has spaces outside of quotes, still to be copied as a whole. */
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
 * Rows of a term and its text, the texts below each other: from the longest term on, or from a column of so many characters;
 * a term too long for it has a line of its own.
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
