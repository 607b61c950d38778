/**
 * What a signal means: the first ends the command in order, a second at once. The runtime interrupts the command on
 * SIGINT and SIGTERM; here is what it leaves out: which signal it was, SIGHUP, and the second one.
 */
import { Effect } from "effect"
import { exitCodes } from "../CommandFailure.ts"

/**
 * The milliseconds within which a signal that comes again is the same one: npm and a terminal both pass on one Ctrl-C.
 */
const echo = 500

/** Exit codes by signal: 128 and the number of the signal. */
const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 }

type Signal = keyof typeof codes

let first: { readonly signal: Signal; at: number } | undefined

/** What to do on the second signal instead of ending the process. */
let onSecond: (() => void) | undefined

const receive = (signal: Signal): void => {
  const at = performance.now()
  if (first === undefined) {
    first = { signal, at }
    // The runtime does not listen for it, so it is passed on as one it does listen for.
    if (signal === "SIGHUP") process.kill(process.pid, "SIGTERM")
  } else if (at - first.at > echo) {
    if (onSecond === undefined) process.exit(codes[first.signal])
    // What is done now may hang: a third signal ends the process.
    first.at = at
    onSecond()
    onSecond = undefined
  }
}

for (const signal of Object.keys(codes) as Array<Signal>) process.on(signal, () => receive(signal))

/** Waits for the second signal, which then does not end the process. */
export const second: Effect.Effect<void> = Effect.callback((resume) => {
  onSecond = () => resume(Effect.void)
  return Effect.sync(() => {
    onSecond = undefined
  })
})

/** The exit code of the signal that ended the command, if one did. */
export const ending = (): number | undefined => (first === undefined ? undefined : codes[first.signal])
