/**
 * What each benchmark should come to, and whether it does. How a figure is measured, the module of its benchmark says.
 */
import type { Figures } from "./report.ts"
import { short } from "./statistics.ts"

/** The benchmarks that have targets. */
export type Area = "service" | "client" | "stream" | "ndjson" | "workflow" | "command"

export interface Target {
  readonly area: Area
  readonly what: string
  readonly bound: "at most" | "at least"
  readonly limit: number
  /** The figure; NaN where it was not measured. */
  readonly value: (figures: Figures) => number
}

/** A target with what came of it; undefined where it was not measured. */
export interface Verdict {
  readonly target: Target
  readonly value: number
  readonly isMet: boolean | undefined
}

/** Holds figures against the targets of an area. */
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

/** A target for a figure, under its name. */
const plain = (area: Area, what: string, bound: Target["bound"], limit: number): Target => ({
  area,
  what,
  bound,
  limit,
  value: (figures) => figure(figures, what)
})

/** A target for what is made of two figures. */
const made = (
  area: Area,
  what: string,
  bound: Target["bound"],
  limit: number,
  [first, second]: readonly [string, string],
  make: (first: number, second: number) => number
): Target => ({
  area,
  what,
  bound,
  limit,
  value: (figures) => make(figure(figures, first), figure(figures, second))
})

const quotient = (first: number, second: number): number => first / second

/** The same targets for both sizes of records; a pair of limits is that of 3 kB and that of 100 B. */
const ofRecords = (
  make: (size: string, limit: number) => Target,
  large: number,
  small = large
): ReadonlyArray<Target> => [make("3 kB", large), make("100 B", small)]

const targets: ReadonlyArray<Target> = [
  plain("service", "import details (records/s)", "at least", 10_000),
  plain("service", "start to ready, process included (ms)", "at most", 1000),
  plain("service", "batches of 1,000 (records/s)", "at least", 60_000),
  plain("service", "GET by dtxsid / a bare node:http constant", "at least", 0.5),
  plain("service", "exact search p95, 1 client (ms)", "at most", 5),
  plain("service", "exact search p95, 16 clients (ms)", "at most", 5),
  plain("service", "starts-with search p95, 1 client (ms)", "at most", 5),
  plain("service", "starts-with search p95, 16 clients (ms)", "at most", 5),
  plain("service", "contains search p95, 16 clients (ms)", "at most", 60),
  made(
    "service",
    "GET p99, added by 16 contains searches (ms)",
    "at most",
    20,
    ["GET p99, 1 client beside 16 contains searches (ms)", "GET p99, 1 client alone (ms)"],
    (beside, alone) => beside - alone
  ),
  plain("service", "RSS at most (MiB)", "at most", 350),
  plain("client", "batch, client / bare undici and JSON.parse", "at most", 1.3),
  plain("client", "GET, added to bare undici and JSON.parse (µs)", "at most", 150),
  plain("stream", "records as text / by hand", "at least", 1.2),
  plain("stream", "records as checked values / by hand", "at least", 0.85),
  plain("stream", "at 150 ms latency, 8 in flight: share of the ideal", "at least", 0.9),
  made(
    "stream",
    "memory at 1,000,000 identifiers / at 10,000",
    "at most",
    1.2,
    ["1,000,000 identifiers, memory at most (MiB)", "10,000 identifiers, memory at most (MiB)"],
    quotient
  ),
  plain("stream", "1,000,000 identifiers, memory at most (MiB)", "at most", 250),
  ...ofRecords((size, limit) => plain("ndjson", `${size}: decode / bare loop`, "at least", limit), 0.95),
  ...ofRecords(
    (size, limit) =>
      made(
        "ndjson",
        `${size}: decode / split2 and JSON.parse`,
        "at least",
        limit,
        [`${size}: decode (MB/s)`, `${size}: split2 and JSON.parse (MB/s)`],
        quotient
      ),
    1.3,
    1.1
  ),
  ...ofRecords((size, limit) => plain("ndjson", `${size}: decodeRaw / bare split`, "at least", limit), 0.8),
  ...ofRecords(
    (size, limit) =>
      plain(
        "ndjson",
        `${size}: array to lines, key and kinds / parse and stringify an array`,
        "at least",
        limit
      ),
    4,
    2.5
  ),
  ...ofRecords(
    (size, limit) => plain("ndjson", `${size}: encode / bare stringify loop`, "at least", limit),
    0.95
  ),
  ...["bytes", "records", "values"].map((form) =>
    plain("ndjson", `5 GB piped through as ${form}: memory at most (MiB)`, "at most", 120)
  ),
  plain("workflow", "full records, durable / stream alone", "at least", 0.7),
  plain("workflow", "small records, durable / stream alone", "at least", 0.7),
  plain("workflow", "four workers / one", "at least", 3.5),
  plain("command", "command / by hand", "at most", 0.8),
  plain("command", "chemstream --version (ms)", "at most", 150)
]
