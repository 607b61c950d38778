/**
 * Generates the records of made-up substances: detail, synonym, bioactivity and AED records, and those of some families.
 * A family is a group of endpoints that only the public service has, e.g. hazard or exposure (`families/`).
 *
 * The same options give the same bytes on every machine. Structures are valid, formulas and masses are computed
 * from them, and hit calls come from curves fitted to noisy points. Names and fingerprints are invented. InChIKeys
 * are not hashes of a structure, and there is no InChI, no stereochemistry and no CAS number. Identifiers begin at
 * `firstNumber`, in the fictitious range.
 *
 * This package only generates records. `chemstream generate` writes them into a database or into files.
 */
import { Options as Declared, type InvalidOption } from "@chemstream/batch"
import { type Effect, Stream } from "effect"
import { annotations } from "./internal/families/assayAnnotations.ts"
import * as familyRecords from "./internal/families/familyRecords.ts"
import * as lists from "./internal/families/substanceLists.ts"
import * as substance from "./internal/substances/numberedSubstance.ts"
import { addRecords, encode, type Records, type Settings } from "./internal/substances/substanceRecords.ts"

/**
 * The largest number of substances. With more, a number of a data record would exceed 2147483647 (docs/service.md,
 * section 2).
 */
export const largestCount = 25_000_000

/** The largest seed. Seeds are whole numbers from 0. */
export const largestSeed: number = 2 ** 32 - 1

/** The default share of substances with bioactivity data: 2 %. */
export const defaultTested = 0.02

/** The names of the rows of the families with records, e.g. `hazard.toxval`. */
export const rowNames: ReadonlyArray<RowName> = familyRecords.rowNames

/** The name of a row of the families with records. */
export type RowName = familyRecords.RowName

/** The number of the first substance: `DTXSID00100000001`, in the fictitious range. */
export const firstNumber: number = substance.firstNumber

/** The number of substances in a batch. The last batch may have fewer. */
export const batchSize = 1000

/** Selects a data set. The same options give the same bytes. */
export interface Options {
  /** The number of substances, from 1 to `largestCount`. A larger set begins with the substances of a smaller one. */
  readonly count: number
  /** Selects the data set: an integer from 0 to `largestSeed`. */
  readonly seed: number
  /** The share of the substances with bioactivity data, from 0 to 1. Default: `defaultTested`. */
  readonly tested?: number | undefined
  /**
   * The share of the substances with records of the families, from 0 to 1: predicted properties, exposure, and for some of
   * them measured properties, kinetic parameters, functional uses and toxicity values. A substance has about 60 kB of them.
   * With a share above 0, there are lists of these substances, and the annotation of the assays. Default: 0.
   */
  readonly families?: number | undefined
  /** Whether records have `descriptorStringTsv`, which is two thirds of a record. Default: true. */
  readonly fingerprints?: boolean | undefined
}

/** A record of a substance: one JSON object as UTF-8, and the identifier of its substance. */
export interface SubstanceRecord {
  readonly dtxsid: string
  readonly record: Uint8Array
}

/** An AED record of a substance for one endpoint. */
export interface AedRecord extends SubstanceRecord {
  readonly aeid: number
}

/** A bioactivity data record with its number, its endpoint and its sample. */
export interface BioactivityRecord extends SubstanceRecord {
  readonly m4id: number
  readonly aeid: number
  readonly spid: string
}

/** The records of up to `batchSize` substances, in the order of their numbers. */
export interface Batch {
  readonly details: ReadonlyArray<SubstanceRecord>
  readonly synonyms: ReadonlyArray<SubstanceRecord>
  readonly bioactivity: ReadonlyArray<BioactivityRecord>
  readonly aed: ReadonlyArray<AedRecord>
  /** The records of the families, by the name of their row. Each batch has lists of its own. */
  readonly rows: { readonly [N in RowName]: ReadonlyArray<{ readonly record: Uint8Array }> }
}

/**
 * Generates the data set batch by batch, with one batch in memory at a time.
 *
 * Fails with `InvalidOption` before the first batch.
 *
 * @example
 *
 * ```ts
 * import { Synthetic } from "@chemstream/synthetic"
 * import { Effect, Stream } from "effect"
 *
 * const identifiers = Synthetic.batches({ count: 2, seed: 1 }).pipe(
 *   Stream.runCollect,
 *   Effect.map((batches) => batches.flatMap(({ details }) => details.map(({ dtxsid }) => dtxsid)))
 * )
 * await Effect.runPromise(identifiers) // => ["DTXSID00100000001", "DTXSID90100000002"]
 * ```
 */
export const batches = (options: Options): Stream.Stream<Batch, InvalidOption.InvalidOption> =>
  // Each chunk of the stream has one batch, because a chunk is in memory as a whole.
  Declared.start({ options: Declared.required(optionSet) }, [options], () =>
    Stream.fromIterable(generate(Declared.complete(optionSet, options), options.count), { chunkSize: 1 })
  )

/** Checks the options, and fails with `InvalidOption` as `batches` does. Use it before opening an output. */
export const validate = (options: Options): Effect.Effect<void, InvalidOption.InvalidOption> =>
  Declared.check(optionSet, options)

const wholeNumber = (least: number, most: number): Declared.Kind<number> =>
  Declared.kind(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  )

const share = /* @__PURE__ */ Declared.kind<number>(
  "a share from 0 to 1",
  (value) => typeof value === "number" && value >= 0 && value <= 1
)

/** The declaration of the options. */
export const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  count: Declared.required(wholeNumber(1, largestCount)),
  seed: Declared.required(wholeNumber(0, largestSeed)),
  tested: Declared.withDefault(share, defaultTested),
  families: Declared.withDefault(share, 0),
  fingerprints: Declared.withDefault(Declared.flag, true)
})

function* generate(settings: Settings, count: number): Generator<Batch> {
  for (let first = 0; first < count; first += batchSize) {
    const batch: Records = { details: [], synonyms: [], bioactivity: [], aed: [], rows: noRows() }
    const ownLists = lists.make(first / batchSize)
    const end = Math.min(first + batchSize, count)
    for (let index = first; index < end; index++) addRecords(batch, settings, index, ownLists)
    const add = (row: RowName, records: ReadonlyArray<object>): void => {
      for (const record of records) batch.rows[row].push({ record: encode(record) })
    }
    add("lists.all", ownLists.records())
    if (first === 0 && settings.families > 0) add("assays.all", annotations)
    yield batch
  }
}

const noRows = (): Records["rows"] =>
  Object.fromEntries(familyRecords.rowNames.map((name) => [name, []])) as unknown as Records["rows"]
