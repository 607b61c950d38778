/**
 * Resolves identifiers of any kind to substances: DTXSID, DTXCID, CAS numbers, InChIKeys and their first
 * blocks, InChI, SMILES, formulas and names, mixed in one column or spread over several.
 *
 * Each value is classified (`IdentifierKind` of the contract), and looked up by the cheapest lookup of its kind. The
 * substances found are its candidates. `Lookup` does the run, and the caller reads the tables. The notes of a row are worded in
 * `internal/rowResult.ts`, `internal/readingFindings.ts` (a reading) and `internal/combineFindings.ts` (several identifiers).
 */
import { IdentifierKind } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"
import { Effect, Result, Stream } from "effect"
import type { Identifier } from "../identifiers/Identifiers.ts"
import { Structures } from "../identifiers/Structures.ts"
import type * as Details from "../lookups/Details.ts"
import { detailProjection } from "../lookups/internal/detailProjection.ts"
import { inRun } from "../lookups/internal/lookupPart.ts"
import * as Lookup from "../lookups/Lookup.ts"
import { type InputRowRun, inputRowRun } from "../runs/internal/inputRowRun.ts"
import type { Candidate } from "./internal/candidate.ts"
import type * as Resolution from "./internal/combineFindings.ts"
import * as Readings from "./internal/readingLookups.ts"
import * as ResolveCost from "./internal/resolveCost.ts"
import * as ResolveRows from "./internal/resolveRows.ts"
import * as RowEncoding from "./internal/rowEncoding.ts"
import { type RowOutcome, type RowResult, rowResult } from "./internal/rowResult.ts"

export type { Pick, Resolution } from "./internal/combineFindings.ts"
export type { RowResult, Status } from "./internal/rowResult.ts"
export type { Candidate }

/** The largest number of rows in one batch. */
const largestBatch = 1000

/** The fewest batches in flight. They fill requests together, so more make them fuller. */
const leastConcurrency = 8

/** The options of a run. */
export interface Options extends Lookup.Options, Details.Options, RowEncoding.Columns {
  /** What to do with several candidates: keep all, those of the best rank, or none. Default: `all`. */
  readonly pick?: Resolution.Pick | undefined
  /** The largest number of candidates of a row. Further ones are counted in `more`. Default: 10. */
  readonly maxCandidates?: number | undefined
  /**
   * Whether a name that matched a synonym is searched for alone, because other substances may have it. The batch search of the
   * public service sends only one hit for a name. With `never`, the note of the row says that it was not searched for. Default:
   * `always`.
   */
  readonly checkSynonyms?: "always" | "never" | undefined
  /**
   * Whether an InChIKey that the service does not know means the substances with its first block, which have other stereo, charge or
   * isotopes. With `exact`, the notes of the first 100 unknown InChIKeys of a run name them. Default: `exact`.
   */
  readonly match?: "exact" | "skeleton" | undefined
  /**
   * The fields of detail records that are needed, if a `projection` is requested. If a search hit has all of them, its detail record is
   * not requested: `dtxsid`, `dtxcid`, `casrn`, `preferredName` and `smiles`. Default: all.
   */
  readonly fields?: ReadonlyArray<string> | undefined
  /** Whether a repeated row is only counted. Default: false; each row has its own result. */
  readonly dedupe?: Lookup.Options["dedupe"]
}

const own = {
  projection: detailProjection,
  as: Declared.oneOf(IdentifierKind.names),
  labels: Declared.list(Declared.text),
  split: Declared.text,
  pick: Declared.withDefault(Declared.oneOf(["all", "best", "unique"]), "all"),
  maxCandidates: Declared.withDefault(Declared.count, 10),
  checkSynonyms: Declared.withDefault(Declared.oneOf(["always", "never"]), "always"),
  match: Declared.withDefault(Declared.oneOf(["exact", "skeleton"]), "exact"),
  fields: Declared.list(Declared.text)
} as const

/** The declaration of the options. */
export const optionSet: Declared.Set<Options> = Declared.set<Options>()({
  ...Lookup.optionSet.fields,
  ...own
})

/** The most candidates of a row, if `maxCandidates` is not given. */
export const defaultMaxCandidates = own.maxCandidates.default

/** Joins the identifiers of a row to one text, in order of preference. Blank ones are skipped. */
export const row = (values: ReadonlyArray<string>): string => {
  Declared.refuseArguments({ values: Declared.required(own.labels) }, [values])
  return RowEncoding.join(values)
}

/** Returns the text of a row for people. */
export const displayText = (text: string): string =>
  RowEncoding.displayText(Declared.argument("text", Declared.text, text))

/** The parts of a run over rows. */
export interface Resolver {
  /** Looks up rows. The record of a row is its resolution. */
  readonly lookup: Lookup.Lookup<Resolution.Resolution>
  /** Marks rows whose only identifier is an unreadable structure. Runs before the lookup. */
  readonly read: <E, R>(identifiers: Stream.Stream<Identifier, E, R>) => Stream.Stream<Identifier, E, R>
  /** Returns the result of a row. Surplus records have none. */
  readonly result: (outcome: RowOutcome) => RowResult
}

/** Makes the parts of a run, to build one with `Lookup.batches`, e.g. with a checkpoint. */
export const make = (options: Options = {}): Resolver => {
  Declared.refuse(optionSet, options)
  const start = (): Readings.Parts => Readings.start(options)
  const parse = (text: string) => RowEncoding.parse(text, options)
  const { maxCandidates = defaultMaxCandidates, pick = own.pick.default } = options
  const choice = { ...options, maxCandidates, pick }
  return {
    lookup: {
      endpoint: "search.equalBatch",
      parse,
      verify: Result.succeed,
      size: largestBatch,
      multiplicity: "one",
      doubtOf: ([resolution]) =>
        resolution === undefined || resolution.status === "found" ? undefined : resolution.status,
      cost: (dialect) => ResolveCost.of(start(), dialect, choice),
      leastConcurrency,
      requestBatch: (ids, inspection) =>
        inRun(inspection, start, (parts) => ResolveRows.resolveRows(ids, inspection, parts, choice))
    },
    read: Stream.mapArrayEffect((identifiers) => Effect.forEach(identifiers, checkStructure(options))),
    result: (outcome) => rowResult(outcome, options)
  }
}

/**
 * Resolves rows: one result for each row, in the order of the input, with repeated rows.
 *
 * A row is a text with one identifier, or with several identifiers of one substance in order of preference
 * (`row`). The first known identifier counts, and the others narrow its candidates. A contradiction is a
 * `conflict`. SMILES and InChI are looked up by their InChIKey, which needs `Structures`. Fails as
 * `Lookup.outcomes` does. Surplus records are counted in the ledger and logged.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Bundled, Service } from "@chemstream/service"
 * import { Identifiers, Resolve } from "@chemstream/stream"
 * import { Effect, Redacted, Stream } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const apiKey = Redacted.make("a-key")
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
 *   const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
 *   yield* Identifiers.fromIterable(["000080 05 7", "Benzol", "no such name"]).pipe(
 *     Resolve.outcomes(),
 *     Stream.runForEach(({ candidates, input, status }) =>
 *       Effect.sync(() => console.log(input, status, candidates[0]?.dtxsid))
 *     ),
 *     Effect.provideService(ChemClient.ChemClient, client)
 *   )
 * })
 *
 * await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped))
 * // 000080 05 7 found DTXSID7020182
 * // Benzol found DTXSID3039242
 * // no such name missing undefined
 * ```
 */
export const outcomes: InputRowRun<Options, RowResult> = inputRowRun(optionSet, make)

const isStructure = ({ kind }: IdentifierKind.Reading): boolean => kind === "smiles" || kind === "inchi"

/** Adds a fault to an identifier that can only be a structure, if the structure is unreadable. */
const checkStructure =
  (options: Options) =>
  (identifier: Identifier): Effect.Effect<Identifier> => {
    // The run refuses an identifier without a text.
    const isText = typeof identifier?.text === "string" && identifier.fault === undefined
    const [only, ...others] = isText ? RowEncoding.cells(identifier.text, options) : []
    if (only === undefined || others.length > 0 || Result.isFailure(only.classified)) {
      return Effect.succeed(identifier)
    }
    const { first, otherwise } = only.classified.success
    const [structure, ...alternatives] = [...first, ...otherwise]
    if (structure === undefined || alternatives.length > 0 || !isStructure(structure)) {
      return Effect.succeed(identifier)
    }
    return Effect.flatMap(Structures, ({ inchikey }) =>
      Effect.match(inchikey(structure.value), {
        onSuccess: () => identifier,
        onFailure: ({ message }) => ({ ...identifier, fault: message })
      })
    )
  }
