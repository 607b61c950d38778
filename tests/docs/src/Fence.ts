// Finds the fenced code blocks of a Markdown file, or in the docstrings of a TypeScript module.
// It reads lines, not Markdown: a fence is a line of three backticks, a language and more words. DocClaims and ShellCommand
// read the code of a block.

/** A block. `line` is the line of its opening fence, so line n of `code` is line `line + n` of the file. */
export interface Fence {
  readonly file: string
  readonly line: number
  readonly language: string
  /** The words after the language: `["no-run"]` in "ts no-run". */
  readonly marks: ReadonlyArray<string>
  readonly code: string
}

/** Returns every block of a Markdown text. Throws on an unclosed fence. */
export const inMarkdown = (file: string, text: string): ReadonlyArray<Fence> =>
  between(file, text.split("\n"))

/** Returns every block in the docstrings of a module, without the asterisks. */
export const inDocstrings = (file: string, text: string): ReadonlyArray<Fence> => {
  let inside = false
  const lines = text.split("\n").map((line) => {
    if (!inside) {
      inside = /^\s*\/\*\*(?!.*\*\/)/.test(line)
      return ""
    }
    if (line.includes("*/")) inside = false
    return inside ? line.replace(/^\s*\* ?/, "") : ""
  })
  return between(file, lines)
}

/** Returns the place of a block, e.g. `packages/api/src/identifiers/Dtxsid.ts:31`. */
export const title = (fence: Fence): string => `${fence.file}:${fence.line}`

const between = (file: string, lines: ReadonlyArray<string>): ReadonlyArray<Fence> => {
  const found: Array<Fence> = []
  for (let open = 0; open < lines.length; open++) {
    const [, indent, rest] = /^(\s*)```(.*)$/.exec(lines[open] ?? "") ?? []
    if (indent === undefined || rest === undefined) continue
    const close = lines.findIndex((line, index) => index > open && /^\s*```\s*$/.test(line))
    if (close < 0) throw new Error(`${file}:${open + 1} opens a block that is not closed`)
    const [language = "", ...marks] = rest.trim().split(/\s+/)
    const code = lines
      .slice(open + 1, close)
      .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ""))
    found.push({ file, line: open + 1, language, marks, code: code.join("\n") })
    open = close
  }
  return found
}
