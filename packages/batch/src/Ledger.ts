/**
 * Counts the items and outcomes of a run, and checks that they add up, which is called the law of the ledger:
 * `read = found + missing + failed + duplicates + invalid`.
 *
 * The outcomes themselves are in `Outcome`. `internal/calls/runCalls.ts` counts batches, and finds the slowest. A ledger serves one run at
 * a time. It adds up the counts of its runs, so it continues when a run is stopped, retried or resumed.
 */
import { Data, Effect } from "effect"
import { amount, argument, iterable, type Kind, object, objectWith } from "./Options.ts"
import type { Found } from "./Outcome.ts"
import type { Span } from "./ResumePoint.ts"

/**
 * The counts of a ledger do not add up: items were lost or counted twice.
 *
 * This is a defect of the program, never of the input or the service, and it stops the run.
 */
export class LedgerInvariantError extends Data.TaggedError("LedgerInvariantError")<{
  readonly counts: OutcomeCounts
  readonly message: string
}> {}

/** The counts of items, outcomes and records. */
export interface OutcomeCounts {
  /** Items read from the input. */
  readonly read: number
  /** Items with at least one record. */
  readonly found: number
  /** Items the service does not know. */
  readonly missing: number
  /** Items without a usable response. */
  readonly failed: number
  /** Items with the key of an earlier item. */
  readonly duplicates: number
  /** Items without a key. */
  readonly invalid: number
  /** Records found. */
  readonly records: number
  /** Records that belong to no item (`Outcome.Surplus`). The law does not count them. */
  readonly surplus: number
  /** Found items with more records in the service than it sent. */
  readonly truncated: number
  /** Found items that may mean several things. */
  readonly ambiguous: number
  /** Found items whose parts contradict each other. */
  readonly conflict: number
  /** Requested items that look wrong. */
  readonly suspicious: number
}

/** The counts of a run. */
export interface Counts extends OutcomeCounts {
  /**
   * Calls that were repeated with the same keys, as `retry` says or after a wait for the service. A failed batch that is sent again in
   * parts, or a key alone, counts in `batches`.
   */
  readonly retries: number
  /** Requested batches, successful or not. The parts of a bisected or halved batch count as batches. */
  readonly batches: number
}

/** A batch with the duration of its call, including retries. */
export interface TimedBatch {
  /** Its first key. */
  readonly first: string
  /** The number of its keys. */
  readonly size: number
  readonly milliseconds: number
}

/** The state of a run, besides its counts. */
export interface State {
  /** Calls in flight: their responses have not arrived. */
  readonly inFlight: number
  /** Calls that wait for an unavailable service. `@chemstream/stream` also counts calls that wait after a 429. */
  readonly waiting: number
  /**
   * The largest number of keys in a batch at this moment. It shrinks when the service refuses larger ones, or responses exceed
   * 8 MiB.
   */
  readonly batchSize: number
  /** The smallest and largest `batchSize` so far. Undefined: before the run. */
  readonly batchSizes: { readonly smallest: number; readonly largest: number } | undefined
  /** The five slowest batches, the slowest first. */
  readonly slowest: ReadonlyArray<TimedBatch>
}

/** The counts and the state of a run in progress. Only the stream of the run writes to it. */
export type Ledger = { -readonly [Name in keyof Counts]: Counts[Name] } & {
  -readonly [Name in keyof State]: State[Name]
}

/** Makes an empty ledger. */
export const make = (): Ledger => ({
  read: 0,
  found: 0,
  missing: 0,
  failed: 0,
  duplicates: 0,
  invalid: 0,
  suspicious: 0,
  records: 0,
  surplus: 0,
  truncated: 0,
  ambiguous: 0,
  conflict: 0,
  retries: 0,
  batches: 0,
  inFlight: 0,
  waiting: 0,
  batchSize: 0,
  batchSizes: undefined,
  slowest: []
})

type Writable = { -readonly [Name in keyof OutcomeCounts]: OutcomeCounts[Name] }

/** The outcomes of a part of the input. Items without an outcome are duplicates. */
export interface Entries {
  readonly outcomes: ReadonlyArray<
    | Pick<Found<never, unknown>, "_tag" | "doubt" | "records" | "truncated">
    | { readonly _tag: "Missing" | "Failed" | "Invalid" | "Surplus" }
  >
  readonly spans: ReadonlyArray<Span>
  readonly suspicious?: number | undefined
}

/** The kind of a ledger, for declarations of options (`Options`). */
export const kind: Kind<Ledger> = /* @__PURE__ */ objectWith("a ledger of Ledger.make", { read: amount })

const entered = /* @__PURE__ */ object()
const listed = /* @__PURE__ */ iterable("outcomes, or of spans")

/** Counts the outcomes of a part of the input, and its duplicates: the items of its spans that have no outcome. */
export const enter = (ledger: Writable, entries: Entries): void => {
  argument("ledger", kind, ledger)
  const { outcomes, spans, suspicious = 0 } = argument("entries", entered, entries)
  for (const part of [outcomes, spans]) argument("entries", listed, part)
  let surplus = 0
  for (const outcome of outcomes) {
    switch (outcome._tag) {
      case "Found":
        ledger.found++
        ledger.records += outcome.records.length
        if (outcome.truncated !== undefined) ledger.truncated++
        if (outcome.doubt !== undefined) ledger[outcome.doubt]++
        break
      case "Missing":
        ledger.missing++
        break
      case "Failed":
        ledger.failed++
        break
      case "Invalid":
        ledger.invalid++
        break
      case "Surplus":
        surplus++
    }
  }
  ledger.surplus += surplus
  ledger.suspicious += suspicious
  ledger.duplicates += spans.reduce((all, { from, to }) => all + to - from, 0) - (outcomes.length - surplus)
}

/**
 * Starts a run in a ledger.
 *
 * Subtracts from `read` the items that a stopped run left without an outcome. This run reads them again, so the
 * law holds for all runs together.
 *
 * @example
 *
 * ```ts
 * import { Ledger } from "@chemstream/batch"
 *
 * const ledger = Ledger.make()
 * ledger.read = 20
 * ledger.found = 10
 * Ledger.begin(ledger)
 * ledger.read // => 10
 * ```
 */
export const begin = (ledger: Writable): void => {
  ledger.read = sum(ledger)
}

/** Returns the number of items accounted for: `found + missing + failed + duplicates + invalid`. */
export const sum = (counts: OutcomeCounts): number =>
  argument("counts", kind, counts).found + counts.missing + counts.failed + counts.duplicates + counts.invalid

/**
 * Checks the law at the end of a run: `read = found + missing + failed + duplicates + invalid`.
 *
 * Dies with `LedgerInvariantError` if it does not hold.
 *
 * @example
 *
 * ```ts
 * import { Ledger } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * const ledger = Ledger.make()
 * ledger.read = 2
 * ledger.found = 1
 * ledger.missing = 1
 * Effect.runSync(Ledger.check(ledger)) // the law holds
 * ```
 */
export const check = (counts: OutcomeCounts): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (sum(counts) === counts.read) return Effect.void
    const { read, found, missing, failed, duplicates, invalid } = counts
    const message = `the ledger does not add up: read ${read}, but found ${found} + missing ${missing} + failed ${failed} + duplicates ${duplicates} + invalid ${invalid} = ${sum(counts)}. This is a defect of chemstream: please report it`
    return Effect.die(new LedgerInvariantError({ counts: { ...counts }, message }))
  })
