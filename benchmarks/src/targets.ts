/**
 * The targets of each benchmark, and whether they are met. The module of a benchmark describes its figures.
 */
import { withSmallYoungGeneration } from "./child.ts"
import type { Figures } from "./report.ts"
import { short } from "./statistics.ts"

/** The benchmarks that have targets. */
export type Area =
  | "service"
  | "client"
  | "stream"
  | "ndjson"
  | "transforms"
  | "workflow"
  | "growth"
  | "command"
  | "requests"

export interface Target {
  readonly area: Area
  readonly title: string
  readonly bound: "at most" | "at least"
  readonly limit: number
  /** The figure. NaN: not measured. */
  readonly value: (figures: Figures) => number
}

/** A target with its result. Undefined: not measured. */
export interface Verdict {
  readonly target: Target
  readonly value: number
  readonly isMet: boolean | undefined
}

/** Compares figures with the targets of an area. */
export const judge = (area: Area, figures: Figures): ReadonlyArray<Verdict> =>
  targets
    .filter((target) => target.area === area)
    .map((target) => {
      const value = target.value(figures)
      if (Number.isNaN(value)) return { target, value, isMet: undefined }
      return {
        target,
        value: short(value),
        isMet: target.bound === "at most" ? value <= target.limit : value >= target.limit
      }
    })

const figure = (figures: Figures, name: string): number => Number(figures[name] ?? Number.NaN)

/** Makes a target. Default of `value`: the figure of its title. */
const target = (
  area: Area,
  title: string,
  bound: Target["bound"],
  limit: number,
  value: Target["value"] = (figures) => figure(figures, title)
): Target => ({ area, title, bound, limit, value })

const quotient =
  (dividend: string, divisor: string): Target["value"] =>
  (figures) =>
    figure(figures, dividend) / figure(figures, divisor)

const difference =
  (minuend: string, subtrahend: string): Target["value"] =>
  (figures) =>
    figure(figures, minuend) - figure(figures, subtrahend)

/** Makes a target of the codec for records of 3 kB and of 100 B. The names of its figures begin with the size. */
const ofRecords = (
  title: string,
  large: number,
  small = large,
  value?: (size: string) => Target["value"]
): ReadonlyArray<Target> =>
  [
    { size: "3 kB", limit: large },
    { size: "100 B", limit: small }
  ].map(({ limit, size }) => target("ndjson", `${size}: ${title}`, "at least", limit, value?.(size)))

const targets: ReadonlyArray<Target> = [
  target("requests", "largest ratio", "at most", 1.1),
  target("service", "import details (records/s)", "at least", 10_000),
  target("service", "start to ready, process included (ms)", "at most", 1000),
  target("service", "batches of 1,000 (records/s)", "at least", 60_000),
  target("service", "GET by dtxsid / a bare node:http constant", "at least", 0.35),
  target("service", "exact search p95, 1 client (ms)", "at most", 5),
  target("service", "exact search, a fifth unknown: hits p95, 16 clients (ms)", "at most", 25),
  target("service", "exact search, a fifth unknown: misses (1/s)", "at least", 100),
  target("service", "starts-with search p95, 1 client (ms)", "at most", 5),
  target("service", "starts-with search p95, 16 clients (ms)", "at most", 50),
  target("service", "contains search p95, 16 clients (ms)", "at most", 90),
  target("service", "GET p99, added by 2 of the worst batches by mass (ms)", "at most", 50),
  target(
    "service",
    "GET p99, added by 16 contains searches (ms)",
    "at most",
    20,
    difference("GET p99, 1 client beside 16 contains searches (ms)", "GET p99, 1 client alone (ms)")
  ),
  target("service", "peak RSS (MiB)", "at most", 420),
  target("client", "batch, client / bare undici and JSON.parse", "at most", 1.3),
  target("client", "GET, added to bare undici and JSON.parse (µs)", "at most", 150),
  target("stream", "records as text / by hand", "at least", 1.2),
  target("stream", "records as checked values / by hand", "at least", 0.85),
  target("stream", "at 150 ms latency, 8 in flight: share of the ideal", "at least", 0.9),
  target("stream", "1,000,000 identifiers, peak memory (MiB)", "at most", 350),
  ...ofRecords("decode / bare loop", 0.95),
  ...ofRecords("decode / split2 and JSON.parse", 1.3, 1.1, (size) =>
    quotient(`${size}: decode (MB/s)`, `${size}: split2 and JSON.parse (MB/s)`)
  ),
  ...ofRecords("decodeRaw / bare split", 0.8),
  ...ofRecords("array to lines, key and kinds / parse and stringify an array", 4, 2.5),
  ...ofRecords("encode / bare stringify loop", 0.95),
  ...["", withSmallYoungGeneration].flatMap((suffix) =>
    ["records", "values"].flatMap((form) =>
      // 120 MB with a small young generation of V8.
      ["3 kB", "100 B"].map((size) =>
        target(
          "ndjson",
          `${size}: 5 GB piped through as ${form}${suffix}: peak memory (MiB)`,
          "at most",
          suffix === withSmallYoungGeneration ? 114 : 200
        )
      )
    )
  ),
  target("transforms", "filter, unique, derive, sort, gzip: package / plain Node", "at most", 1.3),
  target("workflow", "full records, durable / stream alone", "at least", 0.5),
  target("workflow", "full (chemstream serve) records, durable / stream alone", "at least", 0.5),
  target("workflow", "four workers / one", "at least", 3.5),
  target("workflow", "time until another worker has the shards of a killed one (s)", "at most", 1),
  target("growth", "largest finishing / fetching", "at most", 0.05),
  target("growth", "growth exponent of finishing", "at most", 1.1),
  target("command", "a tenth unknown: command / by hand", "at most", 0.8),
  target("command", "all found: command / by hand", "at most", 0.8),
  target("command", "a tenth unknown: command / bare copy", "at most", 2.2),
  target("command", "all found: command / bare copy", "at most", 2),
  target("command", "chemstream --version (ms)", "at most", 100)
]

/** A target that was dropped or lowered, and the reason. */
export interface Dropped {
  readonly target: string
  readonly reason: string
}

/** The dropped or lowered targets. */
export const dropped: ReadonlyArray<Dropped> = [
  {
    target: "service: exact search p95, 16 clients: at most 5 ms",
    reason:
      "16 clients on two cores wait for each other, not for the service. Instead, the hits are measured while a fifth of the names is unknown."
  },
  {
    target: "service: starts-with search p95, 16 clients: at most 5 ms",
    reason: "Sending the same bytes from memory takes longer. Now at most 50 ms."
  },
  {
    target: "service: contains search p95, 16 clients: at most 60 ms",
    reason: "Now at most 90 ms, the condition for FTS5 (docs/decisions/0005-index-of-parts-of-names.md)."
  },
  {
    target: "service: GET by dtxsid / a bare node:http constant: at least 0.5",
    reason: "Every request takes one pipeline, through the server of Effect. Now at least 0.35."
  },
  {
    target: "service: peak RSS: at most 350 MiB",
    reason: "The run now includes the longest responses. Now at most 420 MiB."
  },
  {
    target: "stream: memory at 1,000,000 identifiers: at most 238 MiB, and 1.2 times that at 10,000",
    reason: "The library no longer forces garbage collection in the process of its user. Now at most 350 MiB."
  },
  {
    target: "workflow: durable / stream alone: at least 0.7",
    reason:
      "A harvest checks its sink at the end. Now at least 0.5 for full records, and no target for small ones."
  }
]
