/**
 * How the records of an answer are looked at: what a lookup is asked with beside its identifiers.
 */
import type { Drift } from "@chemstream/ndjson"

/** The state that lookups keep in one run, each by the function that makes it. */
export type Memory = <State>(make: () => State) => State

/** How records are looked at before they pass on. */
export interface Inspection {
  readonly validate: Drift.Validate
  /** Where what does not fit is tallied. */
  readonly drift: Drift.Drift
  /** The state of the run that the call belongs to. Default: the call is a run of its own. */
  readonly memory?: Memory | undefined
}

/** An empty memory, for a run that starts. */
export const memory = (): Memory => {
  const states = new Map<() => unknown, unknown>()
  return <State>(make: () => State): State => {
    if (!states.has(make)) states.set(make, make())
    return states.get(make) as State
  }
}
