/** The result of one batch call, and the meaning of its failure. */
import type { Effect } from "effect"
import type { ServiceUnavailable, Signal } from "../../Availability.ts"
import type { Ledger } from "../../Ledger.ts"
import type { Surplus, Truncation } from "../../Outcome.ts"
import type { Keyed, Multiplicity } from "../../Reconcile.ts"

/** The result of a call. */
export interface CallResult<R, E> {
  /** The records with their keys, in any order. Records that were not requested become surplus. */
  readonly records: ReadonlyArray<Keyed<R>>
  /**
   * The error of keys without a record. Set it if these keys may not be missing, e.g. because a record of the
   * response has no key.
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

/** How batches are requested. */
export interface BatchSettings<R, E, Services, Foreign> {
  readonly call: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<CallResult<R, E>, E | ServiceUnavailable, Services>
  readonly classify: (error: E) => Verdict
  readonly signal?: ((error: E) => Signal) | undefined
  /** Returns the service's suggestions for a key that is missing with this error. Default: none. */
  readonly suggestions?: ((error: E) => ReadonlyArray<string>) | undefined
  /** Makes the error of a response without any requested key. */
  readonly unmatched: (key: unknown, requestedKey: string) => Foreign
  /** Makes the error of calls that waited for the service in vain. */
  readonly unavailable: (error: ServiceUnavailable) => Foreign
  readonly onFailure?: OnFailure | undefined
  readonly multiplicity?: Multiplicity | undefined
  readonly ledger: Ledger
}
