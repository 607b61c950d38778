/**
 * What each call of a lookup gets from its run: how records are validated, where differences are counted, the options of the run, and
 * the state that its calls share.
 */
import type { Batch } from "@chemstream/batch"
import type { Drift } from "@chemstream/ndjson"
import type { Duration } from "effect"

/** Returns the state that a lookup keeps during a run. `make` creates the state at the first use, and is its key. */
export type Memory = <State>(make: () => State) => State

/** How a call inspects its records, and what it shares with the other calls of its run. */
export interface Inspection {
  readonly validate: Drift.Validate
  /** Counts differences from the contract. */
  readonly drift: Drift.Drift
  /** The state of the run. Default: the call is a run of its own. */
  readonly memory?: Memory | undefined
  /** The options of the run, for further requests of a lookup. Default: those of a run. */
  readonly run?: RunOptions | undefined
}

/** The options of a run that its further requests share. */
export interface RunOptions {
  readonly concurrency?: number | undefined
  readonly onFailure?: Batch.OnFailure | undefined
  /** Whether the parts of a batch are not requested together with those of other batches: the caller has set the size of batches. */
  readonly isApart?: boolean | undefined
  /** The longest wait for further identifiers. */
  readonly window?: Duration.Input | undefined
}

/** Makes the empty memory of a new run. */
export const memory = (): Memory => {
  const states = new Map<() => unknown, unknown>()
  return <State>(make: () => State): State => {
    if (!states.has(make)) states.set(make, make())
    return states.get(make) as State
  }
}
