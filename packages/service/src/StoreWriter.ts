/**
 * How records get into a store: in a transaction, all or none of them.
 *
 * What a record must be is checked by `Import`, which reads files; this only writes. Reading is `Store`'s.
 */
import { Context, type Effect } from "effect"
import type { Counts, StoredRecord, StoreError } from "./Store.ts"

/** A record of a substance and the identifier it is found by. */
export interface SubstanceEntry {
  readonly dtxsid: string
  readonly record: StoredRecord
}

/** A bioactivity data record with what it is found and counted by; `dtxsid` and `hitc` may be unknown. */
export interface BioactivityEntry {
  readonly m4id: number
  readonly aeid: number
  readonly spid: string
  readonly dtxsid: string | null
  readonly record: StoredRecord
}

/**
 * What can be done in a transaction.
 *
 * - `putDetails`, `putSynonyms`: store records of substances; one that has the identifier of an earlier record of its
 *   kind replaces it. Both feed the search index.
 * - `putBioactivity`: stores data records, replacing by `m4id`.
 * - `putAed`: stores AED records, replacing by `dtxsid` and `aeid`.
 * - `finish`: brings what is computed from the records up to date; called once, at the end of an import.
 * - `counts`: how many records there are, those of this transaction included.
 *
 * A store may take records without waiting until they are written: what fails then is a later step, or the transaction.
 */
export interface Transaction {
  readonly putDetails: (entries: ReadonlyArray<SubstanceEntry>) => Effect.Effect<void, StoreError>
  readonly putSynonyms: (entries: ReadonlyArray<SubstanceEntry>) => Effect.Effect<void, StoreError>
  readonly putBioactivity: (entries: ReadonlyArray<BioactivityEntry>) => Effect.Effect<void, StoreError>
  readonly putAed: (
    entries: ReadonlyArray<SubstanceEntry & { readonly aeid: number }>
  ) => Effect.Effect<void, StoreError>
  readonly finish: Effect.Effect<void, StoreError>
  readonly counts: Effect.Effect<Counts, StoreError>
}

/**
 * The write side of a store. `transaction` keeps what `use` has written if it succeeds; if it fails or is
 * interrupted, the store is as it was.
 *
 * @example
 * ```ts
 * import { SqliteStore, StoreWriter } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const record = new TextEncoder().encode('{"dtxsid":"DTXSID7020182","monoisotopicMass":228.1150}')
 * const put = StoreWriter.StoreWriter.use((writer) =>
 *   writer.transaction((transaction) => transaction.putDetails([{ dtxsid: "DTXSID7020182", record }]))
 * ).pipe(Effect.provide(SqliteStore.layerWriter({ file: "chemicals.sqlite" })))
 * ```
 */
export class StoreWriter extends Context.Service<
  StoreWriter,
  {
    readonly transaction: <A, E, R>(
      use: (transaction: Transaction) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
  }
>()("@chemstream/service/StoreWriter") {}
