/**
 * Looks up the readings of texts: each kind by the call that needs the fewest requests.
 *
 * A reading is one way to read a text: a kind and a value, e.g. the CASRN 80-05-7. `IdentifierKind` of the contract returns the readings
 * of a text. The result of a reading is its finding (`readingFindings.ts`). A skeleton is the first block of an InChIKey.
 */
import { type IdentifierKind, Operation, SearchHit, Search as SearchRows } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import type { ChemClient, ChemError, Dialect } from "@chemstream/client"
import { Effect, Result } from "effect"
import { Structures } from "../../identifiers/Structures.ts"
import * as Details from "../../lookups/Details.ts"
import type { Inspection } from "../../lookups/internal/inspection.ts"
import * as Part from "../../lookups/internal/lookupPart.ts"
import type * as Lookup from "../../lookups/Lookup.ts"
import * as Search from "../../lookups/Search.ts"
import type { Finding, FindingOptions } from "./readingFindings.ts"
import * as Findings from "./readingFindings.ts"

type Reading = IdentifierKind.Reading

/** The lookups of a run: each part (`lookupPart.ts`) collects the values of one call. */
export interface Parts {
  readonly group: Part.Group
  /** Requests the records of DTXSIDs. */
  readonly details: Part.Part
  /** Requests the records of DTXCIDs. */
  readonly compounds: Part.Part
  /** Searches for words, many in a request. */
  readonly batchWords: Part.Part
  /** Searches for one word in a request: the names that matched a synonym. */
  readonly singleWords: Part.Part
  /** Searches for the substances of a skeleton, the beginning of their InChIKeys. */
  readonly skeletons: Part.Part
  /** The number of searches for skeletons of unknown structures that are left in the run. */
  readonly nearMisses: { left: number }
  readonly formulas: Part.Part
}

export type Options = Lookup.CallOptions &
  Details.Options &
  FindingOptions & {
    /** Whether a name that matched a synonym is searched for alone. */
    readonly checkSynonyms?: "always" | "never" | undefined
  }

/** Whether a name that matched a synonym is searched for alone. */
export const checksSynonyms = (
  { checkSynonyms }: Pick<Options, "checkSynonyms">,
  dialect: Dialect.Name
): boolean => checkSynonyms !== "never" && hasOneHit(dialect)

/** Whether the batch search sends one hit for a word that several substances have. */
const hasOneHit = (dialect: Dialect.Name): boolean =>
  Operation.difference(batchSearch, dialect).oneHitPerWord === true

/** Starts the lookups of a run. Nothing is sent yet. */
export const start = (options: Options): Parts => {
  const details = { projection: options.projection ?? ("chemicalidentifier" as const) }
  const group = Part.makeGroup()
  return {
    group,
    details: Part.start(group, "details", Details.byDtxsid(details), options),
    compounds: Part.start(group, "compounds", Details.byDtxcid(details), options),
    batchWords: Part.start(group, "batchWords", Search.equalBatch(), options),
    singleWords: Part.start(group, "singleWords", Search.equal(), options),
    skeletons: Part.start(group, "skeletons", Search.startWith(), options),
    formulas: Part.start(group, "formulas", Search.byExactFormula(), options),
    nearMisses: { left: mostNearMisses }
  }
}

/** The most searches for the skeletons of unknown structures in a run, because each is a request, unless they are asked for. */
export const mostNearMisses = 100

/** Returns whether a reading is a structure, whose skeleton the service may have. Letters alone are more often a name than a SMILES. */
export const isStructure = ({ kind, value }: Reading): boolean =>
  kind === "inchikey" || kind === "inchi" || (kind === "smiles" && /[^A-Za-z]/.test(value))

/** Returns the key of a reading in its batch. */
export const keyOf = ({ kind, value }: Reading): string => `${kind} ${value}`

const batchSearch = Operation.batch(SearchRows.equal) as Operation.Operation

/** Returns the name of the part that looks up a kind. */
export const partNameOf = (kind: IdentifierKind.Name): Exclude<keyof Parts, "group" | "nearMisses"> => {
  switch (kind) {
    case "dtxsid":
      return "details"
    case "dtxcid":
      return "compounds"
    case "skeleton":
      return "skeletons"
    case "formula":
      return "formulas"
    default:
      return "batchWords"
  }
}

/** The findings of readings. */
export interface Results {
  /** The finding of each reading, by its key. */
  readonly findings: ReadonlyMap<string, Finding>
  readonly surplus: ReadonlyArray<Outcome.Surplus>
}

/**
 * Looks up readings. Fails if no lookup reaches the service, and with errors that stop the run.
 *
 * The batch search of the public service sends one hit for a word. A hit by an identity is the substance. A name that matched a
 * synonym is searched for alone, because other substances may have it.
 */
export const find = Effect.fnUntraced(function* (
  parts: Parts,
  readings: ReadonlyArray<Reading>,
  dialect: Dialect.Name,
  inspection: Inspection,
  options: Options
): Effect.fn.Return<Results, ChemError.ChemError, ChemClient.ChemClient> {
  const findings = new Map<string, Finding>()
  const searches: Array<WordSearch> = []
  for (const reading of new Map(readings.map((one) => [keyOf(one), one])).values()) {
    const word = yield* wordOf(reading)
    if (Result.isSuccess(word)) searches.push({ reading, word: word.success })
    else findings.set(keyOf(reading), { ...Findings.none, notes: [word.failure.message] })
  }
  // Searches for words, each set with its part, and keeps their findings.
  const search = (sets: ReadonlyArray<readonly [Part.Part, ReadonlyArray<WordSearch>]>) =>
    Effect.map(
      Part.request(
        parts.group,
        sets.map(([part, own]) => ({ part, ids: own.map(({ word }) => word) })),
        inspection,
        options.onFailure
      ),
      (found) => {
        for (const [at, result] of found.entries())
          for (const { reading, word } of sets[at]?.[1] ?? [])
            findings.set(keyOf(reading), Findings.findingOf(reading, word, result, options.fields))
        return found
      }
    )
  // 1. Each word is searched for with the part of its kind.
  const routed = Map.groupBy(searches, ({ reading }) => parts[partNameOf(reading.kind)])
  const results = [...(yield* search([...routed]))]
  const failure = Part.failureOfAll(results)
  if (failure !== undefined) return yield* Effect.fail(failure)
  // 2. Each name that matched a synonym is searched for again, alone.
  if (hasOneHit(dialect)) {
    const doubtful = searches.filter(({ reading }) => isBySynonym(reading, findings.get(keyOf(reading))))
    if (checksSynonyms(options, dialect) && doubtful.length > 0)
      results.push(...(yield* search([[parts.singleWords, doubtful]])))
    else for (const { reading } of doubtful) addNote(findings, reading)
  }
  // 3. The skeletons of unknown structures: all with `match: "skeleton"`, else as many as the run has near misses left.
  const unknown = searches.filter(
    ({ reading }) => isStructure(reading) && isUnknown(findings.get(keyOf(reading)))
  )
  const skeletons = [...new Set(unknown.map(({ word }) => Findings.skeletonOf(word)))]
  const ids = options.match === "skeleton" ? skeletons : skeletons.slice(0, parts.nearMisses.left)
  if (ids.length > 0) {
    parts.nearMisses.left -= ids.length
    const request = { part: parts.skeletons, ids }
    const [near] = yield* Part.request(parts.group, [request], inspection, options.onFailure)
    const searched = new Set(ids)
    for (const { reading, word } of unknown)
      if (searched.has(Findings.skeletonOf(word)))
        findings.set(keyOf(reading), Findings.nearMiss(reading, word, near, options))
    results.push(near)
  }
  return { findings, surplus: results.flatMap(({ settled }) => settled.surplus) }
})

const isUnknown = (finding: Finding | undefined): boolean =>
  finding !== undefined && finding.error === undefined && finding.candidates.length === 0

/** A reading with the word to search for. */
interface WordSearch {
  readonly reading: Reading
  readonly word: string
}

const isBySynonym = ({ kind }: Reading, finding: Finding | undefined): boolean =>
  kind === "name" && finding?.candidates.some(({ foundBy }) => !SearchHit.isIdentity(foundBy)) === true

const addNote = (findings: Map<string, Finding>, reading: Reading): void => {
  const finding = findings.get(keyOf(reading)) as Finding
  const note = "a synonym, which other substances may have"
  findings.set(keyOf(reading), { ...finding, notes: [...finding.notes, note] })
}

/** Returns the word to search for: the InChIKey of a structure, otherwise the value. */
const wordOf = ({
  kind,
  value
}: Reading): Effect.Effect<Result.Result<string, { readonly message: string }>> =>
  kind === "smiles" || kind === "inchi"
    ? Effect.flatMap(Structures, ({ inchikey }) => Effect.result(inchikey(value)))
    : Effect.succeed(Result.succeed(value))
