/**
 * Words the reasons why a harvest waits, or is paused by an outage, as its status and the log of its workers have them.
 * `workersOfHarvest.ts` chooses those that concern workers, `chunkAttempts.ts` and `workerLoop.ts` those that concern the
 * service, and `logWaits.ts` adds the words of a log line.
 */
import { Duration } from "effect"
import { errorText } from "../database/sqlErrorText.ts"

/** No connection comes about, or a gateway says that the service is down. */
export const unavailable = "the service is unavailable: waiting for it"

/** The service was unavailable for longer than the option `wait` of a worker, so the harvest is paused. */
export const stayedUnavailable = (wait: Duration.Duration): string =>
  `the service stayed unavailable for longer than ${Duration.format(wait)}`

const throttled = "the service asks to wait until "

/** The service asks to wait until a time, in milliseconds since 1970. */
export const until = (end: number): string =>
  `${throttled}${new Date(end).toISOString().replace(/\.\d+Z$/, "Z")}`

/** No live worker has given a sign of life. */
export const noWorker = "no worker runs"

/** Nobody can tell whether a worker runs, because the database accepts no writes. */
export const readOnly = "this connection to the database is read-only: no worker has recorded a sign of life"

/** Every worker has an obstacle, e.g. it lacks the key of the service. */
export const unable = (obstacle: string | undefined): string => `no running worker can do it: ${obstacle}`

/** A worker that holds shards gives no sign of life. Both times are in milliseconds. */
export const silent = (worker: string, since: number, remains: number): string =>
  `the worker ${worker} has been silent for ${seconds(since)} s; others get its shards in ${seconds(remains)} s`

const seconds = (millis: number): number => Math.ceil(millis / 1000)

/** An attempt failed, and a retry can help. */
export const retrying = (error: { readonly message: string }): string => `retrying: ${errorText(error)}`

/** The begin of the reason of a harvest whose chunks are all stored. */
const verifyingOutput = "verifying the output: "

/** The sink has verified this many chunks. */
export const verifying = (verified: number, chunks: number): string =>
  `${verifyingOutput}${verified} of ${chunks} chunks`

/** Whether a harvest verifies its output, so that it does not wait for anything. */
export const isVerifying = (reason: string): boolean => reason.startsWith(verifyingOutput)

/** Whether a harvest waits for the service. */
export const isServiceAwaited = (reason: string | undefined): boolean =>
  reason === unavailable || reason?.startsWith(throttled) === true
