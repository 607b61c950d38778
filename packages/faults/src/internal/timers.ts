/**
 * Runs functions after a time, until all pending timers are cancelled.
 */

/** Runs a function after a time, in milliseconds: at once if it is 0 or less, never after `cancel`. */
export type RunAfter = (millis: number, run: () => void) => void

export interface Timers {
  readonly runAfter: RunAfter
  /** Cancels all pending timers. */
  readonly cancel: () => void
}

export const make = (): Timers => {
  const pending = new Set<NodeJS.Timeout>()
  return {
    runAfter: (millis, run) => {
      if (millis <= 0) {
        run()
        return
      }
      const timer = setTimeout(() => {
        pending.delete(timer)
        run()
      }, millis)
      pending.add(timer)
    },
    cancel: () => {
      for (const timer of pending) clearTimeout(timer)
    }
  }
}
