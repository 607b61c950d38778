/**
 * The interface that fills a store, in transactions.
 *
 * `Import` reads and checks the records of files.
 */
import { Context, type Effect } from "effect"
import type { Counts, StoredRecord, StoreError } from "./Store.ts"

/** A record of a substance with its identifier. */
export interface SubstanceEntry {
  readonly dtxsid: string
  readonly record: StoredRecord
}

/** A bioactivity data record with its keys. `dtxsid` and `hitc` may be unknown. */
export interface BioactivityEntry {
  readonly m4id: number
  readonly aeid: number
  readonly spid: string
  readonly dtxsid: string | null
  readonly record: StoredRecord
}

/** A record of an endpoint, named by its row, with its key and its number among the records of the key. */
export interface RecordEntry {
  readonly endpoint: string
  readonly key: string
  /** Undefined: that of an equal record of the key, or the next one. */
  readonly number: number | undefined
  readonly record: StoredRecord
}

/**
 * The writes of a transaction.
 *
 * - `putDetails`, `putSynonyms`: store records of substances. A record replaces the earlier one of its kind and
 *   substance. Both update the search index.
 * - `putBioactivity`: stores data records. A record replaces the one with its `m4id`.
 * - `putRecords`: stores records of another endpoint, e.g. AED data. A record replaces the one with its key and number.
 * - `finish`: updates indexes and summaries. Call it once, at the end of an import.
 * - `counts`: the number of records, including this transaction.
 *
 * A store may accept records before it writes them. If a write fails, a later step or the transaction fails.
 */
export interface Transaction {
  readonly putDetails: (entries: ReadonlyArray<SubstanceEntry>) => Effect.Effect<void, StoreError>
  readonly putSynonyms: (entries: ReadonlyArray<SubstanceEntry>) => Effect.Effect<void, StoreError>
  readonly putBioactivity: (entries: ReadonlyArray<BioactivityEntry>) => Effect.Effect<void, StoreError>
  readonly putRecords: (entries: ReadonlyArray<RecordEntry>) => Effect.Effect<void, StoreError>
  readonly finish: Effect.Effect<void, StoreError>
  readonly counts: Effect.Effect<Counts, StoreError>
  /** The number of records of an endpoint, including this transaction. */
  readonly recordCount: (endpoint: string) => Effect.Effect<number, StoreError>
}

/**
 * Runs `use` in a transaction. If `use` fails or is interrupted, nothing changes.
 *
 * @example
 *
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
