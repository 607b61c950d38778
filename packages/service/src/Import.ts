/**
 * Imports records from files into a store, all files in one transaction.
 *
 * A file is NDJSON, a JSON array or one JSON object, plain or compressed. Each kind of record has a function, which
 * checks that every record is a JSON object with well-formed identifiers, and looks like its kind. Unknown fields and the text of
 * every value are kept. White space between tokens is removed.
 */

import { type Row, Rows } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import { ImportError } from "./internal/import/importError.ts"
import * as importers from "./internal/import/importers.ts"
import {
  checkReadable,
  type LocatedRecord,
  nothingImported,
  open,
  sizeOf
} from "./internal/import/jsonFile.ts"
import { kindMismatch } from "./internal/import/kindMismatch.ts"
import type { StoreError } from "./Store.ts"
import { type RecordEntry, StoreWriter, type Transaction } from "./StoreWriter.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { ImportError } from "./internal/import/importError.ts"

/** The kinds of records. Each has a function of the same name. */
export const kinds: typeof importers.kinds = importers.kinds

/** A kind of records. */
export type Kind = importers.Kind

/**
 * Whether the records of an endpoint are imported with `rowRecords`. Others are computed, or imported as one of `kinds`.
 *
 * @example
 *
 * ```ts
 * import { Details } from "@chemstream/api"
 * import { Import } from "@chemstream/service"
 *
 * Import.isOfRow(Details.byDtxsid) // => false
 * ```
 */
export const isOfRow: (row: Row.Row) => boolean = importers.isOfRow

/**
 * The result of an import.
 *
 * - `records`: the number of records in the files.
 * - `replaced`: the number of records that replaced one with the same identifier. That one was in the database, or
 *   earlier in the files.
 * - `bytes`: the number of bytes read from the disk.
 */
export interface Report {
  readonly records: number
  readonly replaced: number
  readonly bytes: number
}

/**
 * The progress of an import: `"reading"` while records are read, then `"finishing"` once, while indexes are
 * updated.
 *
 * - `records`: the number of records handed to the store so far.
 * - `bytes`: the number of bytes read, of `total` (undefined if a file is a pipe).
 */
export interface Progress {
  readonly phase: "reading" | "finishing"
  readonly records: number
  readonly bytes: number
  readonly total: number | undefined
}

/** The files, and a callback for the progress, called about once per 256 KiB. */
export interface Options {
  readonly files: ReadonlyArray<string>
  /** Whether to accept records that have no field of their kind, or more fields of another kind. Default: false. */
  readonly anyFields?: boolean | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The options with the database file to import into. */
export interface DatabaseOptions extends Options {
  readonly database: string
}

const databaseSet = /* @__PURE__ */ Declared.set<DatabaseOptions>()({
  database: Declared.required(Declared.text),
  files: Declared.required(Declared.list(Declared.text)),
  anyFields: Declared.flag,
  onProgress: Declared.func
})

/**
 * Imports detail records into a database file, all files or none. A missing database is created.
 *
 * A record replaces the one with its `dtxsid`. Fails with `ImportError`, which names the file and the line or
 * element, or with `StoreError`. Reading waits for the writing thread. The memory is therefore bounded by the longest
 * record, which has at most 64 MiB.
 *
 * @example
 *
 * ```ts
 * import { Import } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * Import.details({ database: "chemicals.sqlite", files: ["details.ndjson", "more.json.gz"] }).pipe(
 *   Effect.map((report) => `${report.records} records, ${report.replaced} of them replaced others`)
 * )
 * ```
 */
export const details = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  ofKind("details", options)

/** Imports synonym records as `details` does. A record replaces the one with its `dtxsid`. */
export const synonyms = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  ofKind("synonyms", options)

/**
 * Imports bioactivity data records as `details` does. A record replaces the one with its `m4id`.
 *
 * A record needs `m4id`, `aeid` and `spid`; its `dtxsid` may be null (control samples). Summaries are computed from
 * `hitc`, `nconc` and `mc5Param`, and from three fields outside the contract: `tissue`, `intendedTargetFamily`, and
 * `burstAssay` (1 for a cytotoxicity endpoint).
 *
 * @example
 *
 * ```ts
 * import { Import } from "@chemstream/service"
 *
 * Import.bioactivity({
 *   database: "chemicals.sqlite",
 *   files: ["bioactivity.ndjson.gz"],
 *   onProgress: ({ records, bytes, total }) => console.error(`${records} records, ${bytes} of ${total} bytes`)
 * })
 * ```
 */
export const bioactivity = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  ofKind("bioactivity", options)

/** Imports AED records as `details` does. A record replaces the one with its `dtxsid` and `aeid`. */
export const aed = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  ofKind("aed", options)

/**
 * Imports the records of an endpoint, e.g. `hazard.toxval`, and what other `rows` have from them. A record replaces the one with
 * its key and `Row.order`; without an order, records with the same text are one record.
 *
 * @example
 *
 * ```ts
 * import { Key, Row } from "@chemstream/api"
 * import { Import } from "@chemstream/service"
 * import { Schema } from "effect"
 *
 * const row = Row.make({
 *   name: "exposure.useByDtxsid",
 *   section: "-",
 *   what: "functional uses",
 *   key: Key.dtxsid,
 *   multiplicity: "many",
 *   miss: "empty",
 *   record: () => Schema.Struct({ dtxsid: Schema.String }),
 *   get: { path: "/exposure/functional-use/search/by-dtxsid/{dtxsid}", answer: "list" }
 * })
 * Import.rowRecords(row, { database: "chemicals.sqlite", files: ["uses.ndjson"] })
 * ```
 */
export const rowRecords = (
  row: Row.Row,
  options: DatabaseOptions,
  rows: ReadonlyArray<Row.Row> = Rows.all
): Effect.Effect<Report, ImportError | StoreError> =>
  ifReadable(options, () =>
    run(
      { importer: importers.ofRow(row, rows), count: ({ recordCount }) => recordCount(row.name) },
      { ...options, anyFields: true }
    )
  )

/**
 * Returns the entries that `rowRecords` stores for a record of an endpoint, for `Transaction.putRecords`: its own, and those of
 * other endpoints that have their records from it. Fails with the reason if the record has no key.
 *
 * @example
 *
 * ```ts
 * import { Hazard } from "@chemstream/api"
 * import { Import } from "@chemstream/service"
 * import { Result } from "effect"
 *
 * const entriesOf = Import.rowEntries(Hazard.cancer)
 * const record = new TextEncoder().encode('{"id":1,"dtxsid":"DTXSID9099800001","cancerCall":"example"}')
 * Result.getOrThrow(entriesOf(record)).map(({ endpoint, key }) => [endpoint, key]) // => [["hazard.cancer", "DTXSID9099800001"]]
 * ```
 */
export const rowEntries = (
  row: Row.Row,
  rows: ReadonlyArray<Row.Row> = Rows.all
): ((record: Uint8Array) => Result.Result<ReadonlyArray<RecordEntry>, string>) => {
  const { toEntry } = importers.ofRow(row, rows)
  return (record) =>
    Result.mapError(
      toEntry(RawRecord.fromBytes(record), () => undefined),
      ({ message }) => message
    )
}

// The files are checked first: a misspelt name must not create an empty database.
const ifReadable = (
  options: DatabaseOptions,
  imported: () => Effect.Effect<Report, ImportError | StoreError, StoreWriter>
): Effect.Effect<Report, ImportError | StoreError> =>
  Effect.andThen(
    Effect.suspend(() => {
      Declared.refuse(databaseSet, options)
      return Effect.forEach(options.files, checkReadable, { discard: true })
    }),
    Effect.suspend(() => Effect.provide(imported(), SqliteStore.layerWriter({ file: options.database })))
  )

const ofKind = (kind: Kind, options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> => {
  const importer = importers.ofKind[kind] as importers.Importer<unknown>
  const count: Subject<unknown>["count"] = ({ counts }) => Effect.map(counts, (all) => all[kind])
  return ifReadable(options, () => run({ importer, kind, count }, options))
}

/** What is imported, and how its records are counted. */
interface Subject<Entry> {
  readonly importer: importers.Importer<Entry>
  /** The kind that its records must look like. Undefined: they are not compared. */
  readonly kind?: Kind
  readonly count: (transaction: Transaction) => Effect.Effect<number, StoreError>
}

const run = <Entry>(
  { count, importer, kind }: Subject<Entry>,
  { anyFields = false, files, onProgress = () => {} }: Options
): Effect.Effect<Report, ImportError | StoreError, StoreWriter> =>
  StoreWriter.use((writer) =>
    writer.transaction(
      Effect.fnUntraced(function* (transaction) {
        const sizes = yield* Effect.forEach(files, sizeOf)
        const total = sizes.reduce<number | undefined>(
          (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
          0
        )
        const before = yield* count(transaction)
        let records = 0
        let bytes = 0
        const check: importers.Check = (fields) =>
          anyFields || kind === undefined ? undefined : kindMismatch(fields, kind)
        for (const file of files) {
          yield* importFile(file, importer, transaction, {
            check,
            onRead: (read) => {
              bytes += read
            },
            onStored: (stored) => {
              records += stored
              onProgress({ phase: "reading", records, bytes, total })
            }
          })
        }
        onProgress({ phase: "finishing", records, bytes, total })
        yield* transaction.finish
        const after = yield* count(transaction)
        return { records, replaced: records - (after - before), bytes }
      })
    )
  )

interface Checks {
  readonly check: importers.Check
  readonly onRead: (bytes: number) => void
  readonly onStored: (records: number) => void
}

const importFile = <Entry>(
  file: string,
  importer: importers.Importer<Entry>,
  transaction: Transaction,
  { check, onRead, onStored }: Checks
): Effect.Effect<void, ImportError | StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const records = yield* open(file, onRead)
      yield* Stream.runForEachArray(
        records,
        Effect.fnUntraced(function* (batch) {
          const entries: Array<Entry> = []
          for (const { place, record } of batch) {
            const entry = importer.toEntry(record, check)
            if (Result.isFailure(entry)) return yield* refuseRecord(file, place, entry.failure)
            entries.push(entry.success)
          }
          yield* importer.put(transaction, entries)
          onStored(entries.length)
        })
      )
    })
  )

const refuseRecord = (
  file: string,
  place: LocatedRecord["place"],
  { reason, message }: importers.Refusal
): Effect.Effect<never, ImportError> => {
  const where = "line" in place ? `line ${place.line}` : `element ${place.element}`
  const text = `${file}, ${where}: ${message}. ${nothingImported}`
  return Effect.fail(new ImportError({ file, reason, ...place, message: text }))
}
