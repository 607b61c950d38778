/**
 * Texts: the reasons why a harvest waits, as its status and the log of its workers have them. `../worker/chunkAttempts.ts` decides when one is
 * shown.
 */
import { errorText } from "../database/sqlErrorText.ts"

/** No connection comes about, or a gateway says that the service is down. */
export const unavailable = "the service is unavailable: waiting for it"

const throttled = "the service asks to wait until "

/** The service asks to wait until a time, in milliseconds since 1970. */
export const until = (end: number): string =>
  `${throttled}${new Date(end).toISOString().replace(/\.\d+Z$/, "Z")}`

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
