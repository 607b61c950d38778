/**
 * Handles signals: the first stops the command in order, the second stops it at once.
 *
 * The runtime interrupts the command on SIGINT and SIGTERM. This module adds SIGHUP, the second signal, and the exit code of the
 * signal.
 */
import { Effect } from "effect"
import { exitCodes } from "../CommandFailure.ts"

/**
 * A repeated signal within this many milliseconds counts as the same one: npm and the terminal both forward a Ctrl-C.
 */
const echo = 500

/** Exit codes by signal: 128 plus the number of the signal. */
const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 }

type Signal = keyof typeof codes

let first: { readonly signal: Signal; at: number } | undefined

/** The action for the second signal. Undefined: the process exits. */
let onSecond: (() => void) | undefined

const receive = (signal: Signal): void => {
  const at = performance.now()
  if (first === undefined) {
    first = { signal, at }
    // The runtime does not listen for SIGHUP, so it is forwarded as a signal that it handles.
    if (signal === "SIGHUP") process.kill(process.pid, "SIGTERM")
  } else if (at - first.at > echo) {
    if (onSecond === undefined) process.exit(codes[first.signal])
    // The action may hang, so a third signal exits.
    first.at = at
    onSecond()
    onSecond = undefined
  }
}

for (const signal of Object.keys(codes) as Array<Signal>) process.on(signal, () => receive(signal))

/** Waits for the second signal. While something waits, this signal does not exit the process. */
export const secondSignal: Effect.Effect<void> = Effect.callback((resume) => {
  onSecond = () => resume(Effect.void)
  return Effect.sync(() => {
    onSecond = undefined
  })
})

let isServer = false

/** Runs a server or a worker. SIGTERM is its usual end, and gives the exit code 0. */
export const server = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    isServer = true
    return effect
  })

/** The exit code of the signal that stopped the command, if any. */
export const exitCodeOfSignal = (): number | undefined => {
  if (first === undefined) return undefined
  return isServer && first.signal === "SIGTERM" ? exitCodes.success : codes[first.signal]
}
