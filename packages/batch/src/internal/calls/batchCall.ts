/**
 * One batch call: what it comes to, and what its failure means.
 */
import type { Effect } from "effect"
import type { ServiceUnavailable, Signal } from "../../Availability.ts"
import type { Ledger } from "../../Ledger.ts"
import type { Surplus, Truncation } from "../../Outcome.ts"
import type { Keyed, Multiplicity } from "../../Reconcile.ts"

/** What a call came to. */
export interface CallResult<R, E> {
  /** The records that carry an identifier, in any order. Records that were not requested are found out and surplus. */
  readonly records: ReadonlyArray<Keyed<R>>
  /**
   * Why an identifier without a record cannot be called missing, e.g. because the answer holds a record that carries
   * no identifier and might be its own. Such identifiers fail with this error.
   */
  readonly doubt?: E | undefined
  /** Records that the call already knows to belong to no identifier, e.g. because they carry none. */
  readonly surplus?: ReadonlyArray<Surplus> | undefined
  /** Why the service has more records of an identifier than it sent. Default: it sent all. */
  readonly truncated?: ReadonlyMap<string, Truncation> | undefined
  /** Why identifiers are failed although they have an answer, e.g. because it is not usable. */
  readonly errors?: ReadonlyMap<string, E> | undefined
  /** What the service names instead of identifiers that it does not know. */
  readonly suggestions?: ReadonlyMap<string, ReadonlyArray<string>> | undefined
}

/**
 * What a failed call means for its batch.
 *
 * - `end`: nothing better can come, e.g. a refused key. The run ends.
 * - `halve`: the batch was too large, or too slow. It is asked for in halves, and later batches are
 *   no larger, until enough of them are answered: then as large again as any that was answered before.
 * - `isolate`: an identifier in it may be poisonous. The batch is bisected until those are alone.
 * - `missing`: the service has nothing for it. A single identifier is missing; a larger batch is bisected.
 * - `fail`: its identifiers are failed.
 */
export type Verdict = "end" | "halve" | "isolate" | "missing" | "fail"

/**
 * What is done about a failed batch: bisect it where that can help (`isolate`), fail all of its identifiers
 * (`failBatch`), end the run (`abort`). A batch that is too large is halved in any case.
 */
export type OnFailure = "isolate" | "failBatch" | "abort"

/** How batches are asked for. */
export interface BatchSettings<R, E, Services, Foreign> {
  readonly call: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<CallResult<R, E>, E | ServiceUnavailable, Services>
  readonly classify: (error: E) => Verdict
  readonly signal?: ((error: E) => Signal) | undefined
  /** What the service names instead of an identifier that it calls missing with this error; nothing when not given. */
  readonly suggestions?: ((error: E) => ReadonlyArray<string>) | undefined
  /** The error of an answer none of whose keys was asked for. */
  readonly unmatched: (key: unknown, asked: string) => Foreign
  /** The error of calls that waited for the service in vain. */
  readonly unavailable: (error: ServiceUnavailable) => Foreign
  readonly onFailure?: OnFailure | undefined
  readonly multiplicity?: Multiplicity | undefined
  readonly ledger: Ledger
}
