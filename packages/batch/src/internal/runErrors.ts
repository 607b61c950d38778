/**
 * The errors of runs, with their messages: another input than that of the resumed run, a response to other keys, and a service that a run
 * gives up.
 *
 * `availability/ServiceAvailability.ts` words the error of a wait that is over. The errors of calls are the caller's own.
 */
import { Data } from "effect"
import { ServiceUnavailable } from "./availability/serviceState.ts"
import type { Mismatch } from "./input/batchBuilder.ts"
import { messageOf } from "./messageOf.ts"

/** The input of a resumed run differs from the input of the earlier run. */
export class InputMismatch extends Data.TaggedError("InputMismatch")<{
  /** The earlier run had read at least this many items from the start of the input. */
  readonly settled: number
  /** The number of items in this input, if it has fewer. */
  readonly items?: number | undefined
  readonly message: string
}> {}

/**
 * A response has records, but none with a requested key. Its keys may be spelled differently, or be numbers
 * instead of texts.
 *
 * Such a response does not show which keys are missing, so none is called missing.
 */
export class UnmatchedResponse extends Data.TaggedError("UnmatchedResponse")<{
  /** A key of the response. */
  readonly key: unknown
  /** A requested key. */
  readonly requestedKey: string
  readonly message: string
}> {}

/** The errors of this package itself. */
export type OwnError = UnmatchedResponse | ServiceUnavailable

/** The error of an input that differs from that of the earlier run. */
export const inputMismatch = (found: Mismatch): InputMismatch => {
  const { items, settled } = found
  const reason =
    items === undefined
      ? `its first ${settled} items have changed`
      : `it has ${items} items, but the earlier run has read at least ${settled}`
  const message = `the input differs from that of the earlier run: ${reason}. Use the same input, or start over, e.g. with resume: false`
  return new InputMismatch({ ...found, message })
}

/** The error of a response without a requested key. `key`: that of its first record. */
export const unmatchedResponse = (key: unknown, requestedKey: string): UnmatchedResponse =>
  new UnmatchedResponse({
    key,
    requestedKey,
    message: `no record of the response has a requested key: ${JSON.stringify(requestedKey)} was requested, the first record has ${JSON.stringify(key)}. Give each record its key as it was requested`
  })

/** The error of a run in which no request has succeeded (`calls/hopelessRun.ts`). */
export const hopeless = (failures: number, lastError: unknown): ServiceUnavailable =>
  new ServiceUnavailable({
    message: `none of the first ${failures} requests has succeeded: ${messageOf(lastError)}`
  })

/** The error of a run whose probes fail, though the same requests have succeeded before. */
export const failing = (error: unknown): ServiceUnavailable =>
  new ServiceUnavailable({
    message: `the service fails also for values that it returned before: ${messageOf(error)}`
  })
