/** The result of one call, and the meaning of its failure. */
import type { Surplus, Truncation } from "../../Outcome.ts"
import type { Keyed } from "../../Reconcile.ts"

/** What a call for a batch of keys returns: the records, and what is known of keys without one. */
export interface CallResult<R, E> {
  /** The records with their keys, in any order. Records that were not requested become surplus. */
  readonly records: ReadonlyArray<Keyed<R>>
  /**
   * The error of a key without a record. Set it if the key may not be missing, e.g. because a record of the response
   * has no key. Several such keys are requested again, until each is alone.
   */
  readonly doubt?: E | undefined
  /** Records that belong to no key, e.g. because they have none. */
  readonly surplus?: ReadonlyArray<Surplus> | undefined
  /** Why the records of a key are incomplete, by key. Default: they are complete. */
  readonly truncated?: ReadonlyMap<string, Truncation> | undefined
  /** The errors of keys whose part of the response is not usable. */
  readonly errors?: ReadonlyMap<string, E> | undefined
  /** The service's suggestions for keys that it does not know. */
  readonly suggestions?: ReadonlyMap<string, ReadonlyArray<string>> | undefined
  /** The length of the response in bytes. Default: a kilobyte for each record. */
  readonly bytes?: number | undefined
}

/**
 * The meaning of a failed call for its batch.
 *
 * - `stop`: no further request can succeed, e.g. after a refused API key. The run stops.
 * - `halve`: the batch was too large or too slow. It is halved, and later batches are as small. They grow back
 *   after enough successes.
 * - `isolate`: one of its keys may cause the failure. The batch is bisected until those keys are alone.
 * - `missing`: the service has no record for it. A single key is missing; a larger batch is bisected.
 * - `fail`: its keys fail.
 */
export type Verdict = "stop" | "halve" | "isolate" | "missing" | "fail"

/**
 * What to do about a failed batch: bisect it if that can help (`isolate`), fail its keys (`failBatch`), or stop the
 * run (`abort`).
 *
 * A batch that is too large is always halved.
 */
export type OnFailure = "isolate" | "failBatch" | "abort"
