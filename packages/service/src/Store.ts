/**
 * Where the records that the service answers are read from: an interface without SQL, which the handlers use.
 *
 * A record is the text of one JSON object, as it was imported; what a projection leaves of it is `DetailsHandlers`'
 * business. What a search finds is made here, as bytes that are sent as they are: it may be long. Filling a store is `StoreWriter`'s, and `SqliteStore` implements both.
 */
import type { MassRange } from "@chemstream/api"
import { Context, Data, type Effect, type Option } from "effect"

/**
 * A store that cannot do what is asked of it.
 *
 * - `database`: which one, e.g. its file.
 * - `reason`: `"absent"` when there is no such database; `"empty"` when nothing was imported into it yet;
 *   `"not-a-database"` when the file is something else; `"other-version"` when its schema is not this version's;
 *   `"busy"` when another process holds it; `"changed"` when it was written to between two pages of one answer;
 *   `"failed"` for the rest, e.g. a full disk.
 * - `message`: the same for people, and what to do now.
 */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly database: string
  readonly reason: "absent" | "empty" | "not-a-database" | "other-version" | "busy" | "changed" | "failed"
  readonly message: string
  readonly cause?: unknown
}> {}

/** A stored record: the UTF-8 bytes of one JSON object. Not to be written to. */
export type StoredRecord = Uint8Array

/** How many records of each kind a store holds. */
export interface Counts {
  readonly details: number
  readonly synonyms: number
  readonly bioactivity: number
  readonly aed: number
}

/**
 * A stored detail record, divided in two objects: what the default projection answers, i.e. all fields but those that
 * the contract puts in other projections only; and those, where the record has any. Both in the order and with the
 * texts of the import.
 */
export interface StoredDetail {
  readonly record: StoredRecord
  readonly others: StoredRecord | null
}

/** Chemical detail records (docs/service.md, section 3.1). A batch is answered in any order, each record once. */
export interface DetailQueries {
  readonly detail: (dtxsid: string) => Effect.Effect<Option.Option<StoredDetail>, StoreError>
  /** The `record` of the same alone. */
  readonly detailRecord: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
  readonly details: (dtxsids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredDetail>, StoreError>
  /** The `record`s of the same, as the bytes of a JSON array. */
  readonly detailArray: (dtxsids: ReadonlyArray<string>) => Effect.Effect<Uint8Array, StoreError>
  readonly detailByDtxcid: (dtxcid: string) => Effect.Effect<Option.Option<StoredDetail>, StoreError>
  readonly detailsByDtxcid: (
    dtxcids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<StoredDetail>, StoreError>
  readonly detailArrayByDtxcid: (dtxcids: ReadonlyArray<string>) => Effect.Effect<Uint8Array, StoreError>
  /**
   * Some fields of all detail records, in a fixed order: page `page` (from 1) of `size` records, as the bytes of a JSON
   * array. Each record has exactly these fields, null where it lacks one. Empty past the end.
   */
  readonly detailPage: (
    page: number,
    size: number,
    fields: ReadonlyArray<string>
  ) => Effect.Effect<Uint8Array, StoreError>
  /**
   * The same of the records whose number in the store is above `after`: `size` of them, each with that number as `id`
   * before the fields, in the order of the numbers. `last` is the number of the last one.
   */
  readonly detailsAfter: (
    after: number,
    size: number,
    fields: ReadonlyArray<string>
  ) => Effect.Effect<{ readonly json: Uint8Array; readonly last: number | undefined }, StoreError>
}

/**
 * What a search found, as the bytes of the JSON array of hits: each substance once, by the best of its names that
 * match; in order of rank, then of `dtxsid`.
 *
 * `capped` when more were found than are answered. The best ranks are answered then; of the last of them, which ones is
 * the store's choice, the same each time.
 */
export interface Hits {
  readonly count: number
  readonly json: Uint8Array
  readonly capped: boolean
}

/**
 * Identifiers of substances (`dtxsid`) as the bytes of a JSON array: in their order as text, unless told otherwise. None
 * with `isTooLong`: there are more than the store answers.
 */
export interface Identifiers {
  readonly json: Uint8Array
  readonly isTooLong: boolean
}

/** Search by name, identifier and formula (docs/service.md, section 3.2). Formulas are in Hill order. */
export interface SearchQueries {
  readonly searchEqual: (word: string) => Effect.Effect<Hits, StoreError>
  /** The same of each word. */
  readonly searchEqualEach: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Hits>, StoreError>
  readonly searchStartWith: (word: string) => Effect.Effect<Hits, StoreError>
  readonly searchContain: (word: string) => Effect.Effect<Hits, StoreError>
  /**
   * What might have been meant by a word that was not found, best first; at most ten. None where they would take more
   * work than a miss is worth.
   */
  readonly suggestions: (word: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
  readonly byExactFormula: (formula: string) => Effect.Effect<Identifiers, StoreError>
  readonly countByExactFormula: (formula: string) => Effect.Effect<number, StoreError>
}

/**
 * MS-ready chemicals (docs/service.md, section 3.3). Masses in dalton, bounds included. Where several lists get too long
 * together, the last one given says so, and the rest are absent.
 */
export interface MsReadyQueries {
  /** The substances whose MS-ready form is that of each compound, in the order of the compounds. */
  readonly msreadyByDtxcid: (
    dtxcids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Identifiers>, StoreError>
  readonly msreadyByFormula: (formula: string) => Effect.Effect<Identifiers, StoreError>
  readonly countByMsreadyFormula: (formula: string) => Effect.Effect<number, StoreError>
  /** The substances of each range, in the order of the ranges; those of one by mass, then by identifier. */
  readonly msreadyByMass: (
    ranges: ReadonlyArray<MassRange.MassRange>
  ) => Effect.Effect<ReadonlyArray<Identifiers>, StoreError>
}

/** Synonym records (docs/service.md, section 3.4). */
export interface SynonymQueries {
  readonly synonym: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
  readonly synonyms: (
    dtxsids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
}

/** Samples counted by the rules of docs/service.md, section 5.6. */
export interface AssayCounts {
  readonly activeMc: number
  readonly totalMc: number
  readonly activeSc: number
  readonly totalSc: number
}

/**
 * Where a page of a batch begins: among the records of the value at `index`, after the record whose number is `after`.
 * The number is the `m4id` of a data record, the `aeid` of an AED record.
 */
export interface Cursor {
  readonly index: number
  readonly after: number
  /** Which state of the store the page before was of, if there is one: this page is of the same. */
  readonly version?: number | undefined
}

/** Where the first page of a batch begins. */
export const start: Cursor = { index: 0, after: 0 }

/** Some of the records of a batch, about 256 KiB or one longer record; `next` is where the next page begins, if there is one. */
export interface Page {
  readonly records: ReadonlyArray<StoredRecord>
  readonly next: Cursor | undefined
}

/**
 * Bioactivity data and what is computed from it (docs/service.md, section 3.5).
 *
 * Data records and AED records are read page by page, as an endpoint or a batch may have more than fits in memory. Their
 * order: the values as they were given, repeated ones once, and the records of each by number (`m4id`, or `aeid`),
 * ascending. Unknown values have no records.
 */
export interface BioactivityQueries {
  readonly dataByDtxsid: (dtxsids: ReadonlyArray<string>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataByAeid: (aeids: ReadonlyArray<number>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataBySpid: (spids: ReadonlyArray<string>, from: Cursor) => Effect.Effect<Page, StoreError>
  readonly dataByM4id: (m4ids: ReadonlyArray<number>, from: Cursor) => Effect.Effect<Page, StoreError>
  /** None when the endpoint has no data. */
  readonly endpointCounts: (aeid: number) => Effect.Effect<Option.Option<AssayCounts>, StoreError>
  /** The bytes of the summary; none when the chemical has no data. */
  readonly chemicalSummary: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
  /**
   * The bytes of the summaries of `most` records of a chemical in a tissue, whose case does not matter. The first one
   * represents the chemical: multi-concentration records come before single-concentration ones, then those with the higher
   * hit call, then those with the lower AC50, then those with the lower `m4id`.
   */
  readonly tissueSummaries: (
    dtxsid: string,
    tissue: string,
    most: number
  ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
  readonly aed: (dtxsids: ReadonlyArray<string>, from: Cursor) => Effect.Effect<Page, StoreError>
}

/** Every question that the service asks of a store. */
export interface Queries
  extends DetailQueries,
    SearchQueries,
    MsReadyQueries,
    SynonymQueries,
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
 * await Effect.runPromise(count) // => 340
 * ```
 */
export class Store extends Context.Service<Store, Queries>()("@chemstream/service/Store") {}
