/**
 * How a lookup validates the records of a response.
 */
import type { Drift } from "@chemstream/ndjson"

/** Returns the state that a lookup keeps during a run. `make` creates the state at the first use, and is its key. */
export type Memory = <State>(make: () => State) => State

/** How records are validated. */
export interface Inspection {
  readonly validate: Drift.Validate
  /** Counts differences from the contract. */
  readonly drift: Drift.Drift
  /** The state of the run. Default: the call is a run of its own. */
  readonly memory?: Memory | undefined
}

/** Makes the empty memory of a new run. */
export const memory = (): Memory => {
  const states = new Map<() => unknown, unknown>()
  return <State>(make: () => State): State => {
    if (!states.has(make)) states.set(make, make())
    return states.get(make) as State
  }
}
