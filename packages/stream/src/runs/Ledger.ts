/**
 * The ledger of a run over a chemical-information service: the accounts of `@chemstream/batch`, and what its requests took.
 *
 * Counts only; the outcomes themselves are in `Outcome`. A ledger serves one run at a time and accumulates the counts of
 * the runs it is given to, so that the ledger of a run that was stopped, retried or continued from a `Checkpoint` goes on.
 */
import { Ledger as Core } from "@chemstream/batch"
import { Drift } from "@chemstream/ndjson"

/** The identifiers accounted for so far: `found + missing + failed + duplicates + invalid`. */
export const accounted = Core.accounted

/** Begins a run in a ledger: takes off `read` the identifiers that a stopped run left without an outcome. */
export const begin = Core.begin

/** Checks the law at the end of a run: `read` equals `accounted`. Dies with `LedgerInvariantError` if it does not. */
export const check = Core.check

/** Enters outcomes. */
export const enter = Core.enter

/** A law of the ledger is broken: identifiers were lost or counted twice. This is a defect of the program. */
export const LedgerInvariantError = Core.LedgerInvariantError
export type LedgerInvariantError = Core.LedgerInvariantError

/** A batch and how long its call took, retries included. */
export type TimedBatch = Core.TimedBatch

/** The counts of a run. */
export interface Counts extends Core.Counts {
  /** Requests sent, retries included. */
  readonly requests: number
  /** Answers received, whatever they said. */
  readonly answers: number
  /** Bytes of the answers. */
  readonly bytes: number
}

/** What can be seen of a run beside its counts. */
export interface State extends Core.State {
  /** What of the records did not fit the contract, each field once, with counts. */
  readonly drift: Drift.Drift
}

/** The counts and the state while a run goes on. Only the stream that runs it writes. */
export type Ledger = { -readonly [Name in keyof Counts]: Counts[Name] } & {
  -readonly [Name in keyof State]: State[Name]
}

/** An empty ledger. */
export const make = (): Ledger => ({
  ...Core.make(),
  requests: 0,
  answers: 0,
  bytes: 0,
  drift: Drift.make()
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
  "truncated",
  "requests",
  "retries",
  "batches",
  "answers",
  "bytes"
]
