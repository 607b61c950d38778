// Writes Markdown from plain values: tables, lists and wrapped paragraphs.

/** The longest line of a paragraph or list, in characters. */
const lineWidth = 118

/** Writes a text as inline code. */
export const code = (text: string): string => `\`${text}\``

/** Writes a number with separators, e.g. `10,000`. */
export const count = (value: number): string => value.toLocaleString("en-US")

/** Writes names as inline code, in one sentence. */
export const nameList = (names: ReadonlyArray<string>): string => wrap(`${names.map(code).join(", ")}.`)

/** Writes a table, with its columns padded to the same width. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")
}

/** Wraps a text into lines of at most `lineWidth` characters. `indent` comes before each line except the first. */
export const wrap = (text: string, indent = ""): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].join("\n")
}
