/**
 * The ledger of a run: how many identifiers were read and what became of them, and the law that this adds up.
 *
 * Counts only; the outcomes themselves are in `Outcome`. One ledger serves one run.
 */
import { Drift } from "@chemstream/ndjson"
import { Data, Effect } from "effect"
import type { Outcome } from "./Outcome.ts"

/**
 * A law of the ledger is broken: identifiers were lost or counted twice. This is a defect of the program, never of
 * the input or the service, and it stops the run.
 */
export class BrokenLaw extends Data.TaggedError("BrokenLaw")<{
  readonly counts: Counts
  readonly message: string
}> {}

/** The counts of a run. */
export interface Counts {
  /** Identifiers read from the input. */
  readonly read: number
  /** Identifiers with at least one record. */
  readonly found: number
  /** Identifiers the service does not know. */
  readonly missing: number
  /** Identifiers without a usable answer. */
  readonly failed: number
  /** Identifiers that had come before. */
  readonly duplicates: number
  /** Texts that are no identifier. */
  readonly invalid: number
  /** Identifiers that were asked for although their check digit does not fit. */
  readonly suspicious: number
  /** Records found. */
  readonly records: number
  /** Records that nobody asked for, or that came again: reported, never attributed to another identifier. */
  readonly surplus: number
  /** Requests sent, retries included. */
  readonly requests: number
  /** Requests that were sent again after a failure. */
  readonly retries: number
  /** Batches asked for, answered well or badly; the parts of a bisected or halved batch are batches too. */
  readonly batches: number
  /** Answers received, whatever they said. */
  readonly answers: number
  /** Bytes of the answers. */
  readonly bytes: number
}

/** A batch and how long its call took, retries included. */
export interface TimedBatch {
  /** Its first identifier. */
  readonly first: string
  /** How many identifiers it holds. */
  readonly size: number
  readonly milliseconds: number
}

/** What can be seen of a run beside its counts. */
export interface State {
  /** Calls in flight: those whose answers have not arrived. */
  readonly inFlight: number
  /** The most identifiers a batch holds now: smaller than asked for when the service refused larger ones. */
  readonly batchSize: number
  /** Calls that wait because the service limits the rate. */
  readonly waiting: number
  /** What of the records did not fit the contract, each field once, with counts. */
  readonly drift: Drift.Drift
  /** The five slowest batches, the slowest first. */
  readonly slowest: ReadonlyArray<TimedBatch>
}

/** The counts and the state while a run goes on. Only the stream that runs it writes. */
export type Ledger = { -readonly [Name in keyof Counts]: Counts[Name] } & {
  -readonly [Name in keyof State]: State[Name]
}

/** An empty ledger. */
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
  requests: 0,
  retries: 0,
  batches: 0,
  answers: 0,
  bytes: 0,
  inFlight: 0,
  batchSize: 0,
  waiting: 0,
  drift: Drift.make(),
  slowest: []
})

/** The names of the counts. */
export const countNames: ReadonlyArray<keyof Counts> = [
  "read",
  "found",
  "missing",
  "failed",
  "duplicates",
  "invalid",
  "suspicious",
  "records",
  "surplus",
  "requests",
  "retries",
  "batches",
  "answers",
  "bytes"
]

/** Enters outcomes. */
export const enter = <R, E>(ledger: Ledger, outcomes: ReadonlyArray<Outcome<R, E>>): void => {
  for (const outcome of outcomes) {
    switch (outcome._tag) {
      case "Found":
        ledger.found++
        ledger.records += outcome.records.length
        break
      case "Missing":
        ledger.missing++
        break
      case "Failed":
        ledger.failed++
        break
      case "Invalid":
        ledger.invalid++
    }
  }
}

/** The identifiers accounted for so far: `found + missing + failed + duplicates + invalid`. */
export const accounted = (counts: Counts): number =>
  counts.found + counts.missing + counts.failed + counts.duplicates + counts.invalid

/**
 * Checks the law at the end of a run: `read = found + missing + failed + duplicates + invalid`. Dies with
 * `BrokenLaw` when it does not hold.
 *
 * @example
 * ```ts
 * import { Ledger } from "@chemstream/stream"
 * import { Effect } from "effect"
 *
 * const ledger = Ledger.make()
 * ledger.read = 2
 * ledger.found = 1
 * ledger.missing = 1
 * Effect.runSync(Ledger.check(ledger)) // the law holds
 * ```
 */
export const check = (counts: Counts): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (counts.read === accounted(counts)) return Effect.void
    const { read, found, missing, failed, duplicates, invalid } = counts
    const message = `the ledger does not add up: read ${read}, but found ${found} + missing ${missing} + failed ${failed} + duplicates ${duplicates} + invalid ${invalid} = ${accounted(counts)}. This is a defect of chemstream: please report it`
    return Effect.die(new BrokenLaw({ counts: { ...counts }, message }))
  })
