/**
 * Runs what takes a moment within the event that asks for it. `Effect.runSyncExit` does the same, in twice the time: it
 * makes a scheduler for each run.
 */
import { Effect, Exit } from "effect"

/** What an effect gives if it succeeds at once; undefined when it fails, or waits for something: then it goes on by itself. */
export const atOnce = <A, E>(effect: Effect.Effect<A, E>): A | undefined => {
  const exit = Effect.runFork(effect).pollUnsafe()
  return exit !== undefined && Exit.isSuccess(exit) ? exit.value : undefined
}
