/**
 * Screens suspects: finds the substances that may explain the m/z of a feature, by MS-ready mass.
 *
 * `Adduct` of the contract computes the masses of ions. `Lookup` does the run. The caller reads feature tables, and
 * writes files for other programs.
 */
import { Adduct } from "@chemstream/api"
import { type Batch, Options as Declared } from "@chemstream/batch"
import { type ChemClient, ChemError } from "@chemstream/client"
import { Effect, Result } from "effect"
import * as Details from "../lookups/Details.ts"
import { detailProjection } from "../lookups/internal/detailProjection.ts"
import type { Inspection } from "../lookups/internal/inspection.ts"
import * as Part from "../lookups/internal/lookupPart.ts"
import * as Cost from "../lookups/internal/requestCost.ts"
import { requestsOf, windowAround } from "../lookups/internal/special/massWindowBatch.ts"
import * as WindowSearch from "../lookups/internal/special/massWindowSearch.ts"
import * as Lookup from "../lookups/Lookup.ts"
import { type InputRowRun, inputRowRun } from "../runs/internal/inputRowRun.ts"
import type { Outcome, Surplus } from "../runs/Outcome.ts"
import * as FeatureEncoding from "./internal/featureEncoding.ts"
import { type Match, make as matchOf } from "./internal/massMatch.ts"
import { defaultRanks, ranked, type Suspect } from "./internal/suspectRanking.ts"

export { defaultRanks, type Suspect }

/** The deviation that a mass may have, if `tolerance` is not given: 5 ppm. */
export const defaultTolerance: Adduct.Tolerance = { ppm: 5 }

/** The largest number of features in one batch, so that the requests of a batch are full. */
const largestBatch = 1000

/** The largest number of candidates in one batch. A batch of several features with more is halved, to bound memory. */
const mostMatches = 20_000

/** The options of a run. */
export interface Options extends Lookup.Options, Details.Options {
  /** The tolerance of a measured m/z. Default: 5 ppm. */
  readonly tolerance?: Adduct.Tolerance | undefined
  /** The adducts of a feature that has none of its own. Default: `[M+H]+`, `[M+NH4]+` and `[M+Na]+`. */
  readonly adducts?: ReadonlyArray<Adduct.Adduct> | undefined
  /** The fields of detail records that rank suspects, the most important first. Default: `defaultRanks`. */
  readonly rankBy?: ReadonlyArray<string> | undefined
  /** The most suspects of a feature, the best ones. Default: all. */
  readonly best?: number | undefined
  /**
   * `skeleton`: candidates whose matching forms have the same InChIKey skeleton (the first 14 letters) and adduct are one suspect, the
   * best of them. Stereoisomers, salts and isotopologues have the same skeleton. Default: each candidate is a suspect.
   */
  readonly merge?: "skeleton" | undefined
  /** The named set of fields of detail records. Default: `ntatoolkit`. */
  readonly projection?: Details.Options["projection"]
  /** Whether a repeated feature is only counted. Default: false; each feature has its own result. */
  readonly dedupe?: Lookup.Options["dedupe"]
}

const width = (unit: "da" | "ppm"): Declared.Kind<Adduct.Tolerance> =>
  Declared.kind(`{ ${unit}: a number above 0 }`, (value) =>
    Declared.rate.matches((value as Record<string, unknown> | null)?.[unit])
  )

/** The declaration of the options. */
export const optionSet: Declared.Set<Options> = Declared.set<Options>()({
  ...Lookup.optionSet.fields,
  projection: Declared.withDefault(detailProjection, "ntatoolkit"),
  tolerance: Declared.withDefault(Declared.anyOf(width("ppm"), width("da")), defaultTolerance),
  adducts: Declared.withDefault(
    Declared.list(
      Declared.kind<Adduct.Adduct>(
        "an adduct of Adduct.parse",
        (value) => typeof (value as Adduct.Adduct | null)?.multimer === "number"
      )
    ),
    Adduct.usual.positive
  ),
  rankBy: Declared.withDefault(Declared.list(Declared.text), defaultRanks),
  best: Declared.count,
  merge: Declared.oneOf(["skeleton"])
})

/** The substances whose ion fits a feature, with their deviations. */
export interface FeatureResult {
  /** The m/z as given, with its adduct if it has one. */
  readonly input: string
  /** The m/z. Null if the input is invalid. */
  readonly mz: number | null
  /** The line of the input, or the position of the value, from 1. */
  readonly line: number
  readonly status: "found" | "missing" | "invalid" | "failed"
  /** Why there is no suspect, or how many are left out. */
  readonly note: string | null
  /** The substances that may explain the feature, best rank first. */
  readonly suspects: ReadonlyArray<Suspect>
  /** The data of the caller (`Identifier`). */
  readonly carried?: unknown
}

/** Returns the text of a feature for people. */
export const displayText = (text: string): string =>
  FeatureEncoding.displayText(Declared.argument("text", Declared.text, text))

/**
 * Joins the m/z of a feature, its adduct and its polarity, if known, to one text. A feature with a polarity and without an adduct is
 * tried with the adducts of that polarity.
 *
 * @example
 * ```ts
 * import { Suspects } from "@chemstream/stream"
 *
 * Suspects.displayText(Suspects.feature("227.1077", "", "ESI-")) // => "227.1077 ESI-"
 * ```
 */
export const feature = (mz: string, adduct?: string, polarity?: string): string => {
  Declared.refuseArguments(featureTexts, [mz, adduct, polarity])
  return FeatureEncoding.join(mz, adduct, polarity)
}

const featureTexts = { mz: Declared.required(Declared.text), adduct: Declared.text, polarity: Declared.text }

/** The parts of a run over features. */
export interface Screener {
  /** Looks up features. The records of a feature are its suspects, best rank first. */
  readonly lookup: Lookup.Lookup<Suspect>
  /** The result of a feature. */
  readonly result: (
    outcome: Exclude<Outcome<Suspect, { readonly message: string }>, Surplus>
  ) => FeatureResult
}

interface Parts {
  readonly group: Part.Group
  readonly masses: WindowSearch.WindowSearch
  readonly details: Part.Part
  /** The substances of the windows of a batch that was halved afterwards. Its parts take them from here. */
  readonly known: Map<string, ReadonlyArray<string>>
}

/** Makes the parts of a run, to build one with `Lookup.batches`, e.g. with a checkpoint. */
export const make = (options: Options = {}): Screener => {
  Declared.refuse(optionSet, options)
  const adducts = options.adducts ?? Adduct.usual.positive
  const details = Details.byDtxsid({ projection: options.projection ?? "ntatoolkit" })
  const start = (): Parts => {
    const group = Part.makeGroup()
    return {
      group,
      masses: WindowSearch.make(group),
      known: new Map(),
      details: Part.start(group, "details", details, options)
    }
  }
  return {
    lookup: {
      endpoint: "msready.byMass",
      parse: (text) => FeatureEncoding.parse(text, adducts),
      verify: Result.succeed,
      size: largestBatch,
      multiplicity: "many",
      // The number of candidates decides about the requests for their details.
      cost: (dialect) => {
        const isNew = Cost.newOnly()
        return (ids) => {
          const features = readFeatures(ids, { ...options, adducts })
          const windows = features.flatMap(({ ions }) => ions.map(({ window }) => window)).filter(isNew)
          return {
            kinds: { features: ids.length },
            least: requestsOf(windows, dialect),
            most: undefined
          }
        }
      },
      requestBatch: (ids, inspection) =>
        Part.inRun(inspection, start, (parts) => screen(ids, inspection, parts, { ...options, adducts }))
    },
    result: featureResult
  }
}

/**
 * Finds the suspects of features: one result for each feature, in the order of the input, with repeated
 * features.
 *
 * Each feature is searched once for each of its ions, many in one request. The service finds the substances with
 * an MS-ready form of that mass. If it refuses such requests, each mass is a request of its own, after a warning.
 *
 * The mass error refers to the mass of the substance if that mass matches too. Otherwise it refers to the mass of the
 * MS-ready form, which needs `Structures`. Fails as `Lookup.outcomes` does.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 * import { ChemClient } from "@chemstream/client"
 * import { Bundled, Service } from "@chemstream/service"
 * import { Identifiers, Suspects } from "@chemstream/stream"
 * import { Effect, Redacted, Stream } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const apiKey = Redacted.make("a-key")
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
 *   const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
 *   yield* Identifiers.fromIterable(["195.0877", Suspects.feature("227.1077", "[M-H]-")]).pipe(
 *     Suspects.outcomes({ tolerance: { ppm: 5 }, adducts: [Adduct.table[0]!] }),
 *     Stream.runForEach(({ input, suspects }) =>
 *       Effect.sync(() => console.log(input, suspects[0]?.dtxsid, suspects[0]?.error?.ppm.toFixed(1)))
 *     ),
 *     Effect.provideService(ChemClient.ChemClient, client)
 *   )
 * })
 *
 * await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped))
 * // 195.0877 DTXSID0020232 0.2
 * // 227.1077 [M-H]- DTXSID7020182 -0.2
 * ```
 */
export const outcomes: InputRowRun<Options, FeatureResult> = inputRowRun(optionSet, make)

/** Searches for the masses of all ions, then looks up the details of the substances found. */
const screen = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  { details, group, known, masses }: Parts,
  options: Options & { readonly adducts: ReadonlyArray<Adduct.Adduct> }
): Effect.fn.Return<
  Batch.CallResult<Suspect, ChemError.ChemError>,
  ChemError.ChemError,
  ChemClient.ChemClient
> {
  const features = readFeatures(ids, options)
  const windows = new Set(features.flatMap(({ ions }) => ions.map(({ window }) => window)))
  const found = yield* masses.search(
    [...windows].filter((window) => !known.has(window)),
    inspection
  )
  const substances = new Map([...windows].map((window) => [window, known.get(window) ?? found.of(window)]))
  const wanted = new Set([...substances.values()].flatMap(listOf))
  const isTooLarge = wanted.size > mostMatches && ids.length > 1
  for (const [window, dtxsids] of substances) {
    if (isTooLarge && WindowSearch.isList(dtxsids)) known.set(window, dtxsids)
    else known.delete(window)
  }
  if (isTooLarge) return yield* Effect.fail(tooManyMatches(ids.length, wanted.size))
  const request = { part: details, ids: [...wanted] }
  const [result] = yield* Part.request(group, [request], inspection, options.onFailure)
  const errors = new Map<string, ChemError.ChemError>()
  const records: Array<{ readonly key: string; readonly record: Suspect }> = []
  const suggestions = new Map<string, ReadonlyArray<string>>()
  for (const { id, ions, mz } of features) {
    const matches: Array<Match> = []
    const unfit: Array<string> = []
    for (const { adduct, window } of ions) {
      const dtxsids = substances.get(window) as WindowSearch.Found
      if (!WindowSearch.isList(dtxsids)) errors.set(id, dtxsids)
      for (const dtxsid of listOf(dtxsids)) {
        const key = result.keyOf(dtxsid)
        const error = result.settled.errors.get(key)
        if (error !== undefined) errors.set(id, error)
        for (const record of result.settled.records.get(key) ?? []) {
          const match = yield* matchOf(record, key, mz, adduct)
          if (match !== undefined) matches.push(match)
          else if (adduct.isPermanent !== true) unfit.push(`${dtxsid} as ${adduct.name}`)
        }
      }
    }
    if (unfit.length > 0) suggestions.set(id, unfit)
    for (const record of ranked(matches, { ...options, rankBy: options.rankBy ?? defaultRanks }))
      records.push({ key: id, record })
  }
  return { records, errors, suggestions, surplus: [...found.surplus, ...result.settled.surplus] }
})

/** Reads features, and returns the windows of their ions. */
const readFeatures = (
  ids: ReadonlyArray<string>,
  { adducts, tolerance = defaultTolerance }: Options & { readonly adducts: ReadonlyArray<Adduct.Adduct> }
) =>
  ids.map((id) => {
    const { adducts: own, mz } = Result.getOrThrow(FeatureEncoding.read(id, adducts))
    return { id, mz, ions: own.map((adduct) => ({ adduct, window: windowOf(adduct, mz, tolerance) })) }
  })

const listOf = (found: WindowSearch.Found): ReadonlyArray<string> => (WindowSearch.isList(found) ? found : [])

const windowOf = (adduct: Adduct.Adduct, mz: number, within: Adduct.Tolerance): string =>
  windowAround(Adduct.neutralMass(adduct, mz), Adduct.massTolerance(adduct, mz, within))

const tooManyMatches = (features: number, matches: number): ChemError.BatchTooLarge =>
  new ChemError.BatchTooLarge({
    endpoint: "msready.byMass",
    attempts: 0,
    batchSize: features,
    message: `${features} features have ${matches} candidates; use a smaller batch size`
  })

const leftOut = ({ more } = { more: 0 }): string | null =>
  more === 0 ? null : `${more} more ${more === 1 ? "candidate" : "candidates"}`

/** Returns why a feature has no suspect. `unfit` are the substances of its mass whose charge does not fit the adduct. */
const missingNote = (unfit: ReadonlyArray<string> = []): string =>
  unfit.length === 0
    ? "no substance has an MS-ready form of this mass"
    : `left out, because the charge of the form does not fit: ${unfit.slice(0, 3).join(", ")}${unfit.length > 3 ? ` and ${unfit.length - 3} more` : ""}`

const featureResult: Screener["result"] = (outcome) => {
  const { carried, id, line } = outcome
  const base = {
    input: FeatureEncoding.displayText(outcome.given ?? id),
    mz: FeatureEncoding.mzIn(id),
    line,
    suspects: [],
    ...(carried === undefined ? {} : { carried })
  }
  switch (outcome._tag) {
    case "Found":
      return { ...base, status: "found", note: leftOut(outcome.records[0]), suspects: outcome.records }
    case "Missing":
      return { ...base, status: "missing", note: missingNote(outcome.suggestions) }
    case "Failed":
      return { ...base, status: "failed", note: outcome.error.message }
    case "Invalid":
      return { ...base, status: "invalid", note: outcome.error.message }
  }
}
