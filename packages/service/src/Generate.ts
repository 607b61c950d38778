/**
 * A synthetic data set of any size, the same on every machine: detail, synonym, bioactivity and AED records of
 * substances that do not exist, for trying the service out at full size.
 *
 * Structures are valid, formulas and masses are computed from them; hit calls come from curves fitted to noisy points.
 * Names and fingerprints are made up, the InChIKeys are no hashes of a structure, and there is no InChI, no
 * stereochemistry and no CAS number. The identifiers begin at `firstNumber`, so that nobody takes a record for a real one.
 */
import { Data, Effect, Stream } from "effect"
import { openFile, type UnwritableFile } from "./internal/generate/recordFiles.ts"
import { addRecords, type Recipe, type Records } from "./internal/generate/records.ts"
import * as substance from "./internal/generate/substance.ts"
import type { Counts, StoreError } from "./Store.ts"
import { type BioactivityEntry, StoreWriter, type SubstanceEntry } from "./StoreWriter.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { UnwritableFile } from "./internal/generate/recordFiles.ts"

/** The most substances: the numbers of their data records end at 2147483647 (docs/service.md, section 2). */
export const largestCount = 25_000_000

/** The largest seed. */
export const largestSeed: number = 2 ** 32 - 1

/** The share of the substances that have bioactivity data unless another is asked for: 2 %. */
export const defaultTested = 0.02

/** The number of the first substance: `DTXSID80100000001`, in the fictitious range. */
export const firstNumber: number = substance.firstNumber

/** The substances of a batch, except the last, which may have fewer. */
export const batchSize = 1000

/** An option that cannot be used; `wanted` says which values can, the message the same as a sentence. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  readonly option: "count" | "seed" | "tested"
  readonly wanted: string
  readonly message: string
}> {}

/** Which data set. The same options give the same bytes. */
export interface Options {
  /** The number of substances, from 1 to `largestCount`. The first of a larger set are those of a smaller one. */
  readonly count: number
  /** An integer from 0 to `largestSeed`: which of the data sets. */
  readonly seed: number
  /** The share of the substances with bioactivity data, from 0 to 1. Default `defaultTested`. */
  readonly tested?: number | undefined
  /** Whether records have `descriptorStringTsv`, which is two thirds of a record. Default true. */
  readonly fingerprints?: boolean | undefined
}

/** The records of up to `batchSize` substances, in the order of their numbers. */
export interface Batch {
  readonly details: ReadonlyArray<SubstanceEntry>
  readonly synonyms: ReadonlyArray<SubstanceEntry>
  readonly bioactivity: ReadonlyArray<BioactivityEntry>
  readonly aed: ReadonlyArray<SubstanceEntry & { readonly aeid: number }>
}

/** How far a run is: `"finishing"` is the end of a database, when its indexes are brought up to date. */
export interface Progress {
  readonly phase: "generating" | "finishing"
  readonly substances: number
  readonly total: number
}

/** What a run has made: the records of each kind, and their bytes as JSON (in files, as they lie on the disk). */
export interface Report {
  readonly records: Counts
  readonly bytes: number
}

/** Options of a run; `onProgress` is told after each batch. */
export interface RunOptions extends Options {
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * The data set, batch by batch. One batch is in memory at a time.
 *
 * Fails with `InvalidOption` before the first batch.
 *
 * @example
 * ```ts
 * import { Generate } from "@chemstream/service"
 * import { Effect, Stream } from "effect"
 *
 * const identifiers = Generate.batches({ count: 2, seed: 1 }).pipe(
 *   Stream.runCollect,
 *   Effect.map((batches) => batches.flatMap(({ details }) => details.map(({ dtxsid }) => dtxsid)))
 * )
 * await Effect.runPromise(identifiers) // => ["DTXSID00100000001", "DTXSID90100000002"]
 * ```
 */
export const batches = (options: Options): Stream.Stream<Batch, InvalidOption> =>
  Stream.unwrap(
    // Chunks of one: a chunk is held as a whole.
    Effect.map(checked(options), (recipe) =>
      Stream.fromIterable(generate(recipe, options.count), { chunkSize: 1 })
    )
  )

/**
 * Generates into a database file, which is made where there is none: all or nothing. Records of a database that is
 * there are replaced where they have the same identifier.
 *
 * @example
 * ```ts
 * import { Generate } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * Generate.database({ count: 1_200_000, seed: 1, database: "synthetic.sqlite" }).pipe(
 *   Effect.map(({ records }) => `${records.details} substances`)
 * )
 * ```
 */
export const database = (
  options: RunOptions & { readonly database: string }
): Effect.Effect<Report, InvalidOption | StoreError> =>
  // Checked first, so that a wrong option does not leave an empty database behind.
  Effect.andThen(
    checked(options),
    into(options).pipe(Effect.provide(SqliteStore.layerWriter({ file: options.database })))
  )

/** Generates into any store; see `database`. */
export const into = (options: RunOptions): Effect.Effect<Report, InvalidOption | StoreError, StoreWriter> =>
  StoreWriter.use((writer) =>
    writer.transaction((transaction) =>
      Effect.gen(function* () {
        const tally = new Tally()
        yield* Stream.runForEach(
          batches(options),
          Effect.fnUntraced(function* (batch) {
            yield* transaction.putDetails(batch.details)
            yield* transaction.putSynonyms(batch.synonyms)
            yield* transaction.putBioactivity(batch.bioactivity)
            yield* transaction.putAed(batch.aed)
            tally.add(batch)
            for (const kind of kinds) for (const { record } of batch[kind]) tally.bytes += record.length
            tell(options, "generating", tally)
            // The next batch is made in one go: lets an interruption in.
            yield* Effect.yieldNow
          })
        )
        tell(options, "finishing", tally)
        yield* transaction.finish
        return tally.report
      })
    )
  )

/**
 * Generates into files of a folder, which is made where there is none: `details.ndjson`, `synonyms.ndjson`,
 * `bioactivity.ndjson` and `aed.ndjson`, with `gzip` each with `.gz` behind. `Import` reads them. Files of these names are
 * replaced when the new ones are complete.
 *
 * @example
 * ```ts
 * import { Generate } from "@chemstream/service"
 *
 * Generate.files({ count: 10_000, seed: 1, folder: "synthetic", gzip: true })
 * ```
 */
export const files = (
  options: RunOptions & { readonly folder: string; readonly gzip?: boolean | undefined }
): Effect.Effect<Report, InvalidOption | UnwritableFile> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* checked(options)
      const tally = new Tally()
      const write = yield* Effect.all(
        Object.fromEntries(
          kinds.map((kind) => [kind, openFile(options.folder, kind, options.gzip ?? false)])
        ) as Record<keyof Batch, ReturnType<typeof openFile>>
      )
      yield* Stream.runForEach(
        batches(options),
        Effect.fnUntraced(function* (batch) {
          for (const kind of kinds) tally.bytes += yield* write[kind](batch[kind])
          tally.add(batch)
          tell(options, "generating", tally)
        })
      )
      return tally.report
    })
  )

const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

class Tally {
  details = 0
  synonyms = 0
  bioactivity = 0
  aed = 0
  bytes = 0

  add(batch: Batch): void {
    for (const kind of kinds) this[kind] += batch[kind].length
  }

  get report(): Report {
    const { aed, bioactivity, bytes, details, synonyms } = this
    return { records: { details, synonyms, bioactivity, aed }, bytes }
  }
}

const tell = (options: RunOptions, phase: Progress["phase"], { details }: Tally): void =>
  options.onProgress?.({ phase, substances: details, total: options.count })

const checked = (options: Options): Effect.Effect<Recipe, InvalidOption> =>
  Effect.suspend(() => {
    const { count, fingerprints = true, seed, tested = defaultTested } = options
    const refuse = (option: InvalidOption["option"], wanted: string): Effect.Effect<never, InvalidOption> =>
      Effect.fail(
        new InvalidOption({
          option,
          wanted,
          message: `${option} must be ${wanted}, and is ${options[option]}`
        })
      )
    if (!Number.isInteger(count) || count < 1 || count > largestCount) {
      return refuse("count", `a whole number from 1 to ${largestCount}`)
    }
    if (!Number.isInteger(seed) || seed < 0 || seed > largestSeed) {
      return refuse("seed", `a whole number from 0 to ${largestSeed}`)
    }
    if (!(tested >= 0 && tested <= 1)) return refuse("tested", "a share from 0 to 1")
    return Effect.succeed({ seed, tested, fingerprints })
  })

function* generate(recipe: Recipe, count: number): Generator<Batch> {
  for (let first = 0; first < count; first += batchSize) {
    const batch: Records = { details: [], synonyms: [], bioactivity: [], aed: [] }
    const end = Math.min(first + batchSize, count)
    for (let index = first; index < end; index++) addRecords(batch, recipe, index)
    yield batch
  }
}
