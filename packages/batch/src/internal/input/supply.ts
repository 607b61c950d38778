/** Tells a call whether other batches of its run can still begin. `batchAdmission.ts` knows. */
import { Context, Effect } from "effect"

/**
 * Whether further batches of a run can begin before one of those that have begun ends. A call that gathers the values of several
 * batches can wait for the others, as long as its run is not exhausted.
 */
export interface Supply {
  /** Whether the run is exhausted: no batch is read or admitted now, and each admitted batch with a slot has begun. */
  readonly isExhausted: () => boolean
  /** Waits until the run is exhausted. */
  readonly exhausted: Effect.Effect<void>
}

/** The supply of the run in whose scope a call is made. Default: nothing comes. */
export const Supply: Context.Reference<Supply> = Context.Reference<Supply>("@chemstream/batch/Supply", {
  defaultValue: () => ({ isExhausted: () => true, exhausted: Effect.void })
})
