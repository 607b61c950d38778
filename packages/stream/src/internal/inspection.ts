/**
 * How the records of an answer are looked at: what a lookup is asked with beside its identifiers.
 */
import type { Drift } from "@chemstream/ndjson"

/** How records are looked at before they pass on. */
export interface Inspection {
  readonly validate: Drift.Validate
  /** Where what does not fit is tallied. */
  readonly drift: Drift.Drift
}
