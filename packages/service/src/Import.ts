/**
 * Records from files into a store: NDJSON, a JSON array or one JSON object, plain or compressed, in one transaction for
 * all files.
 *
 * One function for each kind of record, all of one shape. Checks that every record is a JSON object with well-formed
 * identifiers, and nothing else: fields the contract does not name are kept, and so is the text of every value.
 * Only white space between tokens is not kept.
 */

import { existsSync, rmSync } from "node:fs"
import { Effect, Result, Stream } from "effect"
import * as importKinds from "./internal/import/importKinds.ts"
import {
  checkReadable,
  ImportError,
  nothingImported,
  open,
  type PlacedRecord,
  sizeOf
} from "./internal/import/jsonFile.ts"
import type { StoreError } from "./Store.ts"
import { StoreWriter, type Transaction } from "./StoreWriter.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { ImportError } from "./internal/import/jsonFile.ts"

/** The kinds of records that can be imported: each is the name of a function of this module. */
export const kinds: typeof importKinds.kinds = importKinds.kinds

/** A kind of records. */
export type Kind = importKinds.Kind

/**
 * What an import has done.
 *
 * - `records`: how many records the files held.
 * - `replaced`: how many of them took the place of an earlier record with the same identifier, in the database or in
 *   the files.
 * - `bytes`: how many bytes were read, as the files lie on the disk.
 */
export interface Report {
  readonly records: number
  readonly replaced: number
  readonly bytes: number
}

/**
 * How far an import is. `phase` is `"reading"` while records are read, then `"finishing"`, once, when what is computed
 * from all of them is brought up to date.
 *
 * - `records`: how many have been read and handed to the store so far.
 * - `bytes`: how many bytes have been read, of `total` (undefined when a file is a pipe).
 */
export interface Progress {
  readonly phase: "reading" | "finishing"
  readonly records: number
  readonly bytes: number
  readonly total: number | undefined
}

/** Which files, and who is told how far the import is: about every 256 KiB of a file. */
export interface Options {
  readonly files: ReadonlyArray<string>
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The same, and the database file to import into. */
export interface DatabaseOptions extends Options {
  readonly database: string
}

/**
 * Imports detail records into a database file, which is made where there is none: all files or nothing. A record
 * replaces the one that has its `dtxsid`.
 *
 * Fails with `ImportError`, which names the file and the line or element, or with `StoreError`. Memory is bounded by
 * the longest record (64 MiB at most), not by the files: reading waits for the thread that writes.
 *
 * @example
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
  intoDatabase("details", options)

/** Imports synonym records; one replaces the record that has its `dtxsid`. In all else like `details`. */
export const synonyms = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  intoDatabase("synonyms", options)

/**
 * Imports bioactivity data records; one replaces the record that has its `m4id`. A record needs `m4id`, `aeid` and
 * `spid`; its `dtxsid` may be null (control samples). In all else like `details`.
 *
 * The summaries are computed from the fields `hitc`, `nconc` and `mc5Param`, and from three that are not of the
 * contract: `tissue`, `intendedTargetFamily`, and `burstAssay` (1 where the endpoint is one of cytotoxicity).
 *
 * @example
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
  intoDatabase("bioactivity", options)

/** Imports AED records; one replaces the record that has its `dtxsid` and `aeid`. In all else like `details`. */
export const aed = (options: DatabaseOptions): Effect.Effect<Report, ImportError | StoreError> =>
  intoDatabase("aed", options)

/** Imports records of one kind into any store; see `details`. */
export const into = (
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

// Looked at first, so that a misspelt name does not leave an empty database behind.
const intoDatabase = (
  kind: Kind,
  options: DatabaseOptions
): Effect.Effect<Report, ImportError | StoreError> =>
  Effect.gen(function* () {
    yield* Effect.forEach(options.files, checkReadable, { discard: true })
    const isNew = !existsSync(options.database)
    return yield* into(kind, options).pipe(
      Effect.provide(SqliteStore.layerWriter({ file: options.database })),
      Effect.onError(() => (isNew ? removeEmpty(options.database) : Effect.void))
    )
  })

// A first import that fails leaves no database behind, unless another import has put something into it meanwhile.
const removeEmpty = (database: string): Effect.Effect<void> =>
  SqliteStore.make({ file: database }).pipe(
    Effect.flatMap((store) => store.counts),
    Effect.scoped,
    Effect.tap((counts) =>
      Effect.sync(() => {
        const holdsRecords = Object.values(counts).some((count) => count > 0)
        const files = holdsRecords ? [] : ["", "-wal", "-shm"].map((suffix) => `${database}${suffix}`)
        for (const file of files) rmSync(file, { force: true })
      })
    ),
    Effect.ignore
  )

const run = <Entry>(
  kind: Kind,
  importer: importKinds.Importer<Entry>,
  { files, onProgress = () => {} }: Options
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
        for (const file of files) {
          yield* importFile(file, importer, transaction, {
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

interface Listeners {
  readonly onRead: (bytes: number) => void
  readonly onStored: (records: number) => void
}

const importFile = <Entry>(
  file: string,
  importer: importKinds.Importer<Entry>,
  transaction: Transaction,
  { onRead, onStored }: Listeners
): Effect.Effect<void, ImportError | StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const records = yield* open(file, onRead)
      yield* Stream.runForEachArray(
        records,
        Effect.fnUntraced(function* (batch) {
          const entries: Array<Entry> = []
          for (const { place, record } of batch) {
            const entry = importer.toEntry(record)
            if (Result.isFailure(entry)) return yield* refuse(file, place, entry.failure)
            entries.push(entry.success)
          }
          yield* importer.put(transaction, entries)
          onStored(entries.length)
        })
      )
    })
  )

const refuse = (
  file: string,
  place: PlacedRecord["place"],
  { reason, message }: importKinds.Refused
): Effect.Effect<never, ImportError> => {
  const where = "line" in place ? `line ${place.line}` : `element ${place.element}`
  const text = `${file}, ${where}: ${message}. ${nothingImported}`
  return Effect.fail(new ImportError({ file, reason, ...place, message: text }))
}
