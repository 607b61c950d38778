/**
 * The interface of the service to its records, without SQL.
 *
 * A record is the text of one JSON object, as imported; `Handlers` applies projections. Search results may be
 * long, so a store returns them as bytes that are ready to send. `StoreWriter` fills a store, and `SqliteStore`
 * implements both.
 */
import type { MassRange } from "@chemstream/api"
import { Context, Data, type Effect, type Option } from "effect"

/**
 * A store failed.
 *
 * - `database`: the database, e.g. its file.
 * - `reason`: `"absent"`: the database does not exist; `"empty"`: it has no records yet; `"not-a-database"`: the file
 *   is something else; `"other-version"`: its schema has another version; `"busy"`: another process has locked it;
 *   `"changed"`: an import changed it between two pages of a response; `"replaced"`: another
 *   file has its name; `"failed"`: anything else, e.g. a full disk.
 * - `message`: the reason in words, and what to do.
 */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly database: string
  readonly reason:
    | "absent"
    | "empty"
    | "not-a-database"
    | "other-version"
    | "busy"
    | "changed"
    | "replaced"
    | "failed"
  readonly message: string
  readonly cause?: unknown
}> {}

/** A stored record: the UTF-8 bytes of one JSON object. Read-only. */
export type StoredRecord = Uint8Array

/** The number of records of each kind in a store. */
export interface Counts {
  readonly details: number
  readonly synonyms: number
  readonly bioactivity: number
  readonly aed: number
}

/** What a store has: the number of substances with a detail record, and the names of the endpoints with records. */
export interface Contents {
  readonly substances: number
  readonly endpoints: ReadonlyArray<string>
}

/**
 * A stored detail record in two objects: `record` is the default projection, `others` has the remaining fields of the
 * contract.
 *
 * Both keep the order and the text of the imported fields.
 */
export interface StoredDetail {
  readonly record: StoredRecord
  readonly others: StoredRecord | null
}

/** Queries of detail records (docs/service.md, section 3.1). A batch returns each record once, in any order. */
export interface DetailQueries {
  readonly detail: (dtxsid: string) => Effect.Effect<Option.Option<StoredDetail>, StoreError>
  /** Returns only the `record`. */
  readonly detailRecord: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
  readonly details: (dtxsids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredDetail>, StoreError>
  /** Returns the `record`s as the bytes of a JSON array. */
  readonly detailArray: (dtxsids: ReadonlyArray<string>) => Effect.Effect<Uint8Array, StoreError>
  readonly detailByDtxcid: (dtxcid: string) => Effect.Effect<Option.Option<StoredDetail>, StoreError>
  readonly detailsByDtxcid: (
    dtxcids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<StoredDetail>, StoreError>
  readonly detailArrayByDtxcid: (dtxcids: ReadonlyArray<string>) => Effect.Effect<Uint8Array, StoreError>
  /**
   * Returns a page of all detail records with some fields, as the bytes of a JSON array. Pages count from 1.
   *
   * The order is fixed. Each record has exactly these fields; a missing one is null. A page past the end is empty.
   */
  readonly detailPage: (
    page: number,
    size: number,
    fields: ReadonlyArray<string>
  ) => Effect.Effect<Uint8Array, StoreError>
  /**
   * Returns some fields of up to `size` detail records with numbers above `after`, in the order of their numbers.
   *
   * The store numbers its records. Each record has its number as `id` before the fields. `last` is the last number.
   */
  readonly detailsAfter: (
    after: number,
    size: number,
    fields: ReadonlyArray<string>
  ) => Effect.Effect<{ readonly json: Uint8Array; readonly last: number | undefined }, StoreError>
}

/**
 * The hits of a search as the bytes of a JSON array. Each substance occurs once, with its best matching name. The
 * hits are sorted by rank, then by `dtxsid`.
 *
 * `isCapped`: the search has more hits than the limit of a response. The best ranks are kept. Within the last rank,
 * the same search always keeps the same hits.
 */
export interface Hits {
  readonly count: number
  readonly json: Uint8Array
  readonly isCapped: boolean
}

/**
 * Identifiers (`dtxsid`) as the bytes of a JSON array, sorted as text unless a query says otherwise.
 *
 * `isTooLong`: there are more identifiers than the limit of a response. The list is then empty.
 */
export interface Identifiers {
  readonly json: Uint8Array
  readonly isTooLong: boolean
}

/** Searches by name, identifier and formula (docs/service.md, section 3.2). Formulas are in Hill order. */
export interface SearchQueries {
  readonly searchEqual: (word: string) => Effect.Effect<Hits, StoreError>
  /** Searches each word. */
  readonly searchEqualEach: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Hits>, StoreError>
  readonly searchStartWith: (word: string) => Effect.Effect<Hits, StoreError>
  readonly searchContain: (word: string) => Effect.Effect<Hits, StoreError>
  /** Returns at most ten suggestions for a word without hits, best first. None if computing them takes too long. */
  readonly suggestions: (word: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
  readonly byExactFormula: (formula: string) => Effect.Effect<Identifiers, StoreError>
  readonly countByExactFormula: (formula: string) => Effect.Effect<number, StoreError>
}

/**
 * Queries of MS-ready chemicals (docs/service.md, section 3.3). Masses are in dalton, bounds included.
 *
 * If the lists together exceed the limit, the last returned list has `isTooLong`. Further lists are absent.
 */
export interface MsReadyQueries {
  /** Returns a list for each compound, in order: the substances with the same MS-ready form. */
  readonly msreadyByDtxcid: (
    dtxcids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Identifiers>, StoreError>
  readonly msreadyByFormula: (formula: string) => Effect.Effect<Identifiers, StoreError>
  readonly countByMsreadyFormula: (formula: string) => Effect.Effect<number, StoreError>
  /** Returns a list for each range, in order: its substances, sorted by mass, then by identifier. */
  readonly msreadyByMass: (
    ranges: ReadonlyArray<MassRange.MassRange>
  ) => Effect.Effect<ReadonlyArray<Identifiers>, StoreError>
}

/** Queries of the records of endpoints by key, e.g. synonyms and AED data. */
export interface RecordQueries {
  /**
   * Reads records of an endpoint, named by its row, e.g. `synonyms.byDtxsid`. They come in the order of the keys, those of
   * a key sorted by number (`Row.order`).
   */
  readonly records: (
    endpoint: string,
    keys: ReadonlyArray<string>,
    from: Cursor
  ) => Effect.Effect<Page, StoreError>
  /** Reads a page of the records of a key, and the number of all its records. Pages count from 1. */
  readonly recordPage: (
    endpoint: string,
    key: string,
    page: number,
    size: number
  ) => Effect.Effect<{ readonly records: ReadonlyArray<StoredRecord>; readonly total: number }, StoreError>
  /** The number of records of an endpoint. */
  readonly recordCount: (endpoint: string) => Effect.Effect<number, StoreError>
  readonly contents: () => Effect.Effect<Contents, StoreError>
}

/** Counts of samples (docs/service.md, section 5.6). */
export interface AssayCounts {
  readonly activeMc: number
  readonly totalMc: number
  readonly activeSc: number
  readonly totalSc: number
}

/**
 * The start of a page: the value at `index`, and the number of the record before the page.
 *
 * The number is the `m4id` of a data record, that of any other record is its `Row.order`.
 */
export interface Cursor {
  readonly index: number
  readonly after: number
  /** The version of the store at the previous page. This page must have the same version. */
  readonly version?: number | undefined
}

/** The start of the first page of a batch. */
export const start: Cursor = { index: 0, after: -1 }

/**
 * A page of a batch: about 256 KiB of records, or one longer record. `next` is the start of the next page; undefined
 * for the last one.
 */
export interface Page {
  readonly records: ReadonlyArray<StoredRecord>
  readonly next: Cursor | undefined
}

/**
 * Queries of bioactivity data and its summaries (docs/service.md, section 3.5).
 *
 * Data records are read in pages, because a batch may not fit in memory. Records come in the order of the values. A
 * repeated value counts once. The records of a value are sorted by `m4id`. Unknown values have no records.
 */
export interface BioactivityQueries {
  readonly dataByDtxsid: (dtxsids: ReadonlyArray<string>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataByAeid: (aeids: ReadonlyArray<number>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataBySpid: (spids: ReadonlyArray<string>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataByM4id: (m4ids: ReadonlyArray<number>, from: Cursor) => Effect.Effect<Page, StoreError>
  /** Undefined if the endpoint has no data. */
  readonly endpointCounts: (aeid: number) => Effect.Effect<Option.Option<AssayCounts>, StoreError>
  /** The bytes of the summary. Undefined if the chemical has no data. */
  readonly chemicalSummary: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
  /**
   * Returns the summaries of up to `limit` records of a chemical in a tissue, as bytes. The case of the tissue does
   * not matter.
   *
   * The first summary represents the chemical. The order: multi-concentration records first, then by descending hit
   * call, ascending AC50 and ascending `m4id`.
   */
  readonly tissueSummaries: (
    dtxsid: string,
    tissue: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
}

/** All queries of the service. */
export interface Queries
  extends DetailQueries,
    SearchQueries,
    MsReadyQueries,
    RecordQueries,
    BioactivityQueries {
  readonly counts: Effect.Effect<Counts, StoreError>
}

/**
 * The records of the service.
 *
 * @example
 * ```ts
 * import { Bundled, SqliteStore, Store } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const count = Store.Store.use((store) => store.counts).pipe(
 *   Effect.map((counts) => counts.details),
 *   Effect.provide(SqliteStore.layer({ file: Bundled.database }))
 * )
 * await Effect.runPromise(count) // => 343
 * ```
 */
export class Store extends Context.Service<Store, Queries>()("@chemstream/service/Store") {}

/**
 * The client whose request a query answers: a name that identifies its key. Long queries of clients take turns. Default:
 * one client.
 */
export const Client: Context.Reference<string> = Context.Reference<string>("@chemstream/service/Client", {
  defaultValue: () => ""
})
