/**
 * Writes synthetic records to a database, or to NDJSON files that `chemstream import` reads.
 *
 * `@chemstream/synthetic` makes the records. A file is written whole (`WholeFile`).
 */

import { join } from "node:path"
import { Bioactivity, Rows } from "@chemstream/api"
import { Options as Declared, type InvalidOption } from "@chemstream/client"
import { Compression, WholeFile } from "@chemstream/ndjson/node"
import { Import, SqliteStore, type Store, StoreWriter } from "@chemstream/service"
import { Synthetic } from "@chemstream/synthetic"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, type PlatformError, Result, type Scope, Stream } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"

/** The progress of a generation. In the phase `"finishing"`, the database updates its indexes. */
export interface Progress {
  readonly phase: "generating" | "finishing"
  readonly substances: number
  readonly total: number
}

/** The number of records of forEachBatch kind, and of those of the families together. */
export interface Counts extends Store.Counts {
  readonly families: number
}

/** The data set, and a listener for its progress. */
export interface Options extends Synthetic.Options {
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Writes a data set into a database file, all or nothing. Creates the file if it does not exist. Refuses a database
 * with records, unless `intoExisting`: then it replaces records with the same identifier. Returns the number of records of forEachBatch kind.
 */
export const intoDatabase = (
  options: Options & { readonly database: string; readonly intoExisting?: boolean | undefined }
): Effect.Effect<Counts, InvalidOption.InvalidOption | Store.StoreError | CommandFailure> =>
  // Checked first, so that an invalid option leaves no empty database.
  Effect.andThen(
    Synthetic.validate(dataSetOf(options)),
    StoreWriter.StoreWriter.use((writer) =>
      writer.transaction((transaction) =>
        Effect.gen(function* () {
          const rows = Synthetic.rowNames.map((name) => [name, Import.rowEntries(Rows.byName[name])] as const)
          const before = yield* transaction.counts
          if (options.intoExisting !== true && Object.values(before).some((records) => records > 0)) {
            return yield* usageFailure(
              `${options.database} holds records. Name a new file, or give --into-existing to add to them.`
            )
          }
          const counts = yield* forEachBatch(
            options,
            Effect.fnUntraced(function* (batch) {
              yield* transaction.putDetails(batch.details)
              yield* transaction.putSynonyms(batch.synonyms)
              yield* transaction.putBioactivity(batch.bioactivity)
              yield* transaction.putRecords(
                batch.aed.map(({ aeid, dtxsid, record }) => ({
                  endpoint: Bioactivity.aedByDtxsid.name,
                  key: dtxsid,
                  number: aeid,
                  record
                }))
              )
              for (const [name, entriesOf] of rows) {
                const entries = batch.rows[name].map(({ record }) => Result.getOrThrow(entriesOf(record)))
                yield* transaction.putRecords(entries.flat())
              }
              // Making a batch cannot be interrupted, so the fiber yields after forEachBatch one.
              yield* Effect.yieldNow
            })
          )
          reportProgress(options, "finishing", counts)
          yield* transaction.finish
          return counts
        })
      )
    ).pipe(Effect.provide(SqliteStore.layerWriter({ file: options.database })))
  )

/**
 * Writes a data set into the files `details.ndjson`, `synonyms.ndjson`, `bioactivity.ndjson` and `aed.ndjson` of a
 * folder, and one for forEachBatch endpoint of the families, e.g. `hazard.toxval.ndjson`. With `gzip`, forEachBatch name ends in `.gz`. Creates the folder if it does not exist, and replaces existing files
 * when the new ones are complete. Returns the number of records of forEachBatch kind.
 */
export const intoFiles = (
  options: Options & { readonly folder: string; readonly gzip: boolean }
): Effect.Effect<Counts, InvalidOption.InvalidOption | CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Synthetic.validate(dataSetOf(options))
      const rows = (options.families ?? 0) > 0 ? Synthetic.rowNames : []
      const writers = yield* Effect.forEach([...Import.kinds, ...rows], (kind) =>
        Effect.map(openFile(options.folder, kind, options.gzip), (file) => ({ kind, ...file }))
      )
      const counts = yield* forEachBatch(options, (batch) => {
        const records = { ...batch, ...batch.rows }
        return Effect.forEach(writers, ({ append, kind }) => append(records[kind]), { discard: true })
      })
      yield* Effect.forEach(writers, ({ publish }) => publish, { discard: true })
      return counts
    })
  )

/** Returns the options of the data set alone. */
const dataSetOf = (options: Options): Synthetic.Options => Declared.pick(Synthetic.optionSet, options)

/** Runs an effect for forEachBatch batch, and counts the records. */
const forEachBatch = <E, R>(
  options: Options,
  write: (batch: Synthetic.Batch) => Effect.Effect<void, E, R>
): Effect.Effect<Counts, E | InvalidOption.InvalidOption, R> =>
  Effect.suspend(() => {
    const counts = { details: 0, synonyms: 0, bioactivity: 0, aed: 0, families: 0 }
    const perBatch = (batch: Synthetic.Batch) =>
      Effect.map(write(batch), () => {
        for (const kind of Import.kinds) counts[kind] += batch[kind].length
        for (const row of Synthetic.rowNames) counts.families += batch.rows[row].length
        reportProgress(options, "generating", counts)
      })
    return Effect.as(Stream.runForEach(Synthetic.batches(dataSetOf(options)), perBatch), counts)
  })

const reportProgress = (options: Options, phase: Progress["phase"], { details }: Store.Counts): void =>
  options.onProgress?.({ phase, substances: details, total: options.count })

type Records = ReadonlyArray<{ readonly record: Uint8Array }>

/** A file of records that is being written. */
interface RecordFile {
  readonly append: (records: Records) => Effect.Effect<void, CommandFailure>
  /** Gives the complete file its name. */
  readonly publish: Effect.Effect<void, CommandFailure>
}

/**
 * Opens `<kind>.ndjson`, or `<kind>.ndjson.gz` if `gzipped`, in a folder. Creates the folder if it does not exist. Without `publish`, the
 * file is removed when the scope closes.
 */
const openFile = (
  folder: string,
  kind: string,
  gzipped: boolean
): Effect.Effect<RecordFile, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(folder, `${kind}.ndjson${gzipped ? ".gz" : ""}`)
    const asFailure = Effect.mapError(({ reason }: PlatformError.PlatformError) =>
      runFailure(`${file} cannot be written: ${reasonOf(reason.cause ?? reason)}`)
    )
    const fs = yield* FileSystem.FileSystem
    yield* asFailure(fs.makeDirectory(folder, { recursive: true }))
    const { append, publish } = yield* asFailure(WholeFile.open(file))
    return {
      append: (records) =>
        Effect.suspend(() => {
          if (records.length === 0) return Effect.void
          const lines = Buffer.concat(records.flatMap(({ record }) => [record, newline]))
          // Each batch is one gzip member. Concatenated members are one gzip file (RFC 1952, section 2.2).
          return Effect.flatMap(Compression.member(gzipped ? "gzip" : undefined, lines), (bytes) =>
            asFailure(append(bytes))
          )
        }),
      publish: asFailure(publish())
    } satisfies RecordFile
  }).pipe(Effect.provide(NodeServices.layer))

const newline = Buffer.from("\n")
