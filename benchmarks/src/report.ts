/**
 * The results as a table: one row a figure, one column a size.
 */
import type { Figures } from "./service.ts"

/** The results of one size, with what they were measured on. */
export interface Result {
  readonly date: string
  readonly machine: string
  readonly figures: Figures
}

/** The Markdown of some results, smallest size first. */
export const markdown = (results: ReadonlyArray<Result>): string => {
  const sorted = results.toSorted((a, b) => Number(a.figures["substances"]) - Number(b.figures["substances"]))
  const rows = [...new Set(sorted.flatMap(({ figures }) => Object.keys(figures)))].filter(
    (row) => row !== "substances"
  )
  const cells = [
    ["", ...sorted.map(({ figures }) => written(figures["substances"]))],
    ...rows.map((row) => [row, ...sorted.map(({ figures }) => written(figures[row]))]),
    ["date", ...sorted.map(({ date }) => date)],
    ["machine", ...sorted.map(({ machine }) => machine)]
  ]
  return `# Results

Made by \`npm run bench -- service --count N --date D\`; what each figure is, src/service.ts says. Ratios are medians of five
alternating pairs in one run. Clients and servers share the cores.

${table(cells)}
`
}

const written = (figure: number | string | undefined): string => figure?.toLocaleString("en") ?? ""

// Padded as a formatter would: names to the left, figures to the right.
const table = ([head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((_, n) => Math.max(3, ...[head, ...rows].map((row) => row[n]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(" | ")} |`
  const rule = widths.map((width, n) => (n === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
  return [head, rule, ...rows].map(line).join("\n")
}
