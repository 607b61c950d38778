/**
 * Imports records from files into a store, all files in one transaction.
 *
 * A file is NDJSON, a JSON array or one JSON object, plain or compressed. Each kind of record has a function, which
 * checks that every record is a JSON object with well-formed identifiers, and looks like its kind. Unknown fields and the text of
 * every value are kept. White space between tokens is removed.
 */

import { Effect, Result, Stream } from "effect"
import * as importKinds from "./internal/import/importKinds.ts"
import {
  checkReadable,
  ImportError,
  type LocatedRecord,
  nothingImported,
  open,
  sizeOf
} from "./internal/import/jsonFile.ts"
import { otherLook } from "./internal/import/recordLook.ts"
import type { StoreError } from "./Store.ts"
import { StoreWriter, type Transaction } from "./StoreWriter.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { ImportError } from "./internal/import/jsonFile.ts"

/** The kinds of records. Each has a function of the same name. */
export const kinds: typeof importKinds.kinds = importKinds.kinds

/** A kind of records. */
export type Kind = importKinds.Kind

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
  toDatabase("details", options)

/** Imports synonym records as `details` does. A record replaces the one with its `dtxsid`. */
export const synonyms = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  toDatabase("synonyms", options)

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
  toDatabase("bioactivity", options)

/** Imports AED records as `details` does. A record replaces the one with its `dtxsid` and `aeid`. */
export const aed = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  toDatabase("aed", options)

/** Imports records of one kind into any store, as `details` does. */
export const toStore = (
  kind: Kind,
  options: Options
): Effect.Effect<Report, ImportError | StoreError, StoreWriter> => {
  switch (kind) {
    case "details":
      return run(kind, importKinds.details, options)
    case "synonyms":
      return run(kind, importKinds.synonyms, options)
    case "bioactivity":
      return run(kind, importKinds.bioactivity, options)
    case "aed":
      return run(kind, importKinds.aed, options)
  }
}

// The files are checked first: a misspelt name must not create an empty database.
const toDatabase = (kind: Kind, options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  Effect.andThen(
    Effect.forEach(options.files, checkReadable, { discard: true }),
    Effect.provide(toStore(kind, options), SqliteStore.layerWriter({ file: options.database }))
  )

const run = <Entry>(
  kind: Kind,
  importer: importKinds.Importer<Entry>,
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
        const before = yield* transaction.counts
        let records = 0
        let bytes = 0
        const check: importKinds.Check = (fields) => (anyFields ? undefined : otherLook(fields, kind))
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
        const after = yield* transaction.counts
        return { records, replaced: records - (after[kind] - before[kind]), bytes }
      })
    )
  )

interface Checks {
  readonly check: importKinds.Check
  readonly onRead: (bytes: number) => void
  readonly onStored: (records: number) => void
}

const importFile = <Entry>(
  file: string,
  importer: importKinds.Importer<Entry>,
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
  { reason, message }: importKinds.Refusal
): Effect.Effect<never, ImportError> => {
  const where = "line" in place ? `line ${place.line}` : `element ${place.element}`
  const text = `${file}, ${where}: ${message}. ${nothingImported}`
  return Effect.fail(new ImportError({ file, reason, ...place, message: text }))
}
