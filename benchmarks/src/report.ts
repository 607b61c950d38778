/**
 * Writes the results as tables, with a row for each figure and a column for each size.
 */
import * as Targets from "./targets.ts"

/** Figures by name. */
export type Figures = Readonly<Record<string, number | string>>

/** Figures, and the measurements behind them. */
export interface Measured {
  readonly figures: Figures
  readonly raw: Readonly<Record<string, ReadonlyArray<number>>>
}

/** The results of one size, with their date and machine. */
export interface Result {
  readonly date: string
  readonly machine: string
  readonly figures: Figures
  readonly raw?: Measured["raw"]
}

/** The results of each benchmark. */
export interface Results {
  readonly service: ReadonlyArray<Result>
  readonly client: ReadonlyArray<Result>
  readonly stream: ReadonlyArray<Result>
  readonly ndjson: ReadonlyArray<Result>
  readonly transforms: ReadonlyArray<Result>
  readonly workflow: ReadonlyArray<Result>
  readonly growth: ReadonlyArray<Result>
  readonly recovery: ReadonlyArray<Result>
  readonly command: ReadonlyArray<Result>
  readonly tables: ReadonlyArray<Result>
  readonly peers: ReadonlyArray<Result>
  readonly scale: ReadonlyArray<Result>
  readonly requests: ReadonlyArray<Result>
  readonly families: ReadonlyArray<Result>
  readonly scenarios: ReadonlyArray<Result>
  readonly soak: ReadonlyArray<Result>
  readonly load: ReadonlyArray<Result>
  readonly attacks: ReadonlyArray<Result>
}

/** Returns the Markdown of all results. */
export const markdown = (results: Results): string => {
  const bySize = results.service.toSorted(
    (a, b) => Number(a.figures["substances"]) - Number(b.figures["substances"])
  )
  // The targets of the service are for its largest size.
  const judged = { ...results, service: bySize.slice(-1) }
  const parts = [
    `# Results`,
    `Ratios are medians of alternating rounds in one run. Clients and servers share the cores. The module of each
benchmark in src/ describes its figures. The folder results/ has them as JSON, some with their single measurements.`,
    `## Targets`,
    targetTable(judged),
    `Targets that were dropped or lowered:`,
    Targets.dropped.map(({ reason, target }) => `- ${target}. ${reason}`).join("\n"),
    ...section("Command", bench("command"), results.command, "figure"),
    ...section("Command into tables", bench("tables"), results.tables, "figure"),
    ...section("Command and peers", bench("peers"), results.peers, "figure"),
    ...section("Command and scale", bench("scale"), results.scale, "figure"),
    ...section("Requests", bench("requests"), results.requests, "dialect"),
    ...section("Families", bench("families"), results.families, "figure"),
    ...section("Service", bench("service --count N"), bySize, "substances"),
    ...section("Client", bench("client"), results.client, "figure"),
    ...section("Stream", bench("stream"), results.stream, "figure"),
    ...section("NDJSON", bench("ndjson"), results.ndjson, "figure"),
    ...section("Transforms", bench("transforms"), results.transforms, "figure"),
    ...section("Workflow", bench("workflow"), results.workflow, "figure"),
    ...section("Growth of a harvest", bench("growth"), results.growth, "figure"),
    ...section("Recovery of a harvest from attacks", bench("recovery"), results.recovery, "figure"),
    ...section("Scenarios of faults", scenariosCommand, results.scenarios, "figure"),
    ...section("An hour of faults", soakCommand, results.soak, "figure"),
    ...section("The service under load", loadCommand, results.load, "figure"),
    ...section("The service under attack", attacksCommand, results.attacks, "bounds")
  ]
  return `${parts.join("\n\n")}\n`
}

const bench = (name: string): string => `npm run bench -- ${name} --date D`

const scenariosCommand = "npm run faults -- --count 50000 --date D"

const soakCommand = "npm run faults -- soak --minutes 60 --date D"

const loadCommand = "npm run faults -- load --minutes 10 --date D"

const attacksCommand = "npm run test:thorough -- --filter=chemstream -- attacks"

const areas: ReadonlyArray<Targets.Area> = [
  "requests",
  "command",
  "service",
  "client",
  "stream",
  "ndjson",
  "transforms",
  "workflow",
  "growth"
]

const targetTable = (results: Pick<Results, Targets.Area>): string => {
  const verdicts = areas.flatMap((area) =>
    results[area].flatMap(({ figures }) => Targets.judge(area, figures))
  )
  return table([
    ["", "target", "measured", "met"],
    ...verdicts.map(({ isMet, target: { area, bound, limit, title }, value }) => [
      `${area}: ${title}`,
      `${bound} ${formatted(limit)}`,
      isMet === undefined ? "" : formatted(value),
      isMet === undefined ? "not measured" : isMet ? "yes" : "no"
    ])
  ])
}

const section = (
  title: string,
  command: string,
  results: ReadonlyArray<Result>,
  head: string
): ReadonlyArray<string> =>
  results.length === 0
    ? []
    : [`## ${title}`, `Run \`${command}\` to measure these figures.`, tableOf(results, head)]

// One column for each result, under the figure that distinguishes them.
const tableOf = (results: ReadonlyArray<Result>, head: string): string => {
  const rows = [...new Set(results.flatMap(({ figures }) => Object.keys(figures)))].filter(
    (row) => row !== head
  )
  return table([
    ["", ...results.map(({ figures }) => formatted(figures[head]))],
    ...rows.map((row) => [row, ...results.map(({ figures }) => formatted(figures[row]))]),
    ["date", ...results.map(({ date }) => date)],
    ["machine", ...results.map(({ machine }) => machine)]
  ])
}

const formatted = (figure: number | string | undefined): string => figure?.toLocaleString("en") ?? ""

// Padded like by a formatter: names to the left, figures to the right.
const table = ([head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((_, n) => Math.max(3, ...[head, ...rows].map((row) => row[n]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(" | ")} |`
  const rule = widths.map((width, n) => (n === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
  return [head, rule, ...rows].map(line).join("\n")
}
