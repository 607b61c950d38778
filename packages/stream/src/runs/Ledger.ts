/**
 * The ledger of a run: the counts of `@chemstream/batch`, and counts of its requests.
 *
 * The outcomes themselves are in `Outcome`. A ledger serves one run at a time. It adds up the counts of its
 * runs, so that it continues when a run is retried or resumed from a `Checkpoint`.
 */
import { Ledger as Core } from "@chemstream/batch"
import type { CallObserver } from "@chemstream/client"
import { Drift } from "@chemstream/ndjson"

/** Returns the number of identifiers accounted for so far: `found + missing + failed + duplicates + invalid`. */
export const sum = Core.sum

/** Begins a run in a ledger: subtracts from `read` the identifiers that a stopped run left without an outcome. */
export const begin = Core.begin

/** Checks the law at the end of a run: `read` equals `sum`. Dies with `LedgerInvariantError` if it does not. */
export const check = Core.check

/** Adds outcomes to the counts. */
export const enter = Core.enter

/** The counts do not add up: identifiers were lost or counted twice. This is a defect of the program. */
export const LedgerInvariantError = Core.LedgerInvariantError
export type LedgerInvariantError = Core.LedgerInvariantError

/** A batch and the duration of its call, with retries. */
export type TimedBatch = Core.TimedBatch

/** The counts of a run. */
export interface Counts extends Core.Counts {
  /** Requests sent, with retries. */
  readonly requests: number
  /**
   * Those for one word, in a run that searches for words in batches: to check a synonym, or because the service refuses batches.
   */
  readonly singleWords: number
  /** Those for one window of mass that no batch can have, or all of them if the service refuses batches. */
  readonly singleMasses: number
  /** Responses received, with any status. */
  readonly responses: number
  /** Bytes of the responses. */
  readonly bytes: number
}

/** The state of a run besides its counts. */
export interface State extends Core.State {
  /** The differences of records from the contract, each field once, with counts. */
  readonly drift: Drift.Drift
}

/** The counts and the state during a run. Only the run writes them. */
export type Ledger = { -readonly [Name in keyof Counts]: Counts[Name] } & {
  -readonly [Name in keyof State]: State[Name]
}

/** Makes an empty ledger. */
export const make = (): Ledger => ({
  ...Core.make(),
  requests: 0,
  singleWords: 0,
  singleMasses: 0,
  responses: 0,
  bytes: 0,
  drift: Drift.make()
})

/** Makes an observer of calls that counts their requests, retries and responses in a ledger. */
export const observer = (ledger: Ledger): CallObserver.CallObserver => ({
  onRequest: () => {
    ledger.requests++
  },
  onRetry: () => {
    ledger.retries++
  },
  onBody: (_, bytes) => {
    ledger.responses++
    ledger.bytes += bytes
  }
})

const states: Readonly<Record<keyof State, true>> = {
  inFlight: true,
  waiting: true,
  batchSize: true,
  batchSizes: true,
  slowest: true,
  drift: true
}

/** The counts of a ledger in the order of its summary. */
export const countNames: ReadonlyArray<keyof Counts> = /* @__PURE__ */ (() =>
  (Object.keys(make()) as ReadonlyArray<keyof Ledger>).filter(
    (name): name is keyof Counts => !(name in states)
  ))()
