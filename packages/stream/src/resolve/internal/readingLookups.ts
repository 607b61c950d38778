/**
 * Looks up the readings of texts: each kind by the call that needs the fewest requests.
 *
 * A reading is one way to read a text: a kind and a value, e.g. the CASRN 80-05-7. `IdentifierKind` of the contract returns the readings
 * of a text. The result of a reading is its finding, with notes for people, e.g. that a name is a synonym. A skeleton is the first block of
 * an InChIKey.
 */
import { IdentifierKind, Operation, SearchHit, Search as SearchRows } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import type { ChemClient, ChemError, Dialect } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import { Structures } from "../../identifiers/Structures.ts"
import * as Details from "../../lookups/Details.ts"
import type { Inspection } from "../../lookups/internal/inspection.ts"
import * as Part from "../../lookups/internal/lookupPart.ts"
import type * as Lookup from "../../lookups/Lookup.ts"
import * as Search from "../../lookups/Search.ts"
import { type Candidate, identity, make, ofHit } from "./candidate.ts"

type Reading = IdentifierKind.Reading

/** The result of one reading. */
export interface Finding {
  readonly candidates: ReadonlyArray<Candidate>
  readonly suggestions: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  readonly error?: ChemError.ChemError | undefined
}

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
  Details.Options & {
    /** Whether a name that matched a synonym is searched for alone. */
    readonly checkSynonyms?: "always" | "never" | undefined
    /** Whether an unknown structure also means the substances of its skeleton. */
    readonly match?: "exact" | "skeleton" | undefined
    /** The fields of the records that are needed. */
    readonly fields?: ReadonlyArray<string> | undefined
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

const none: Finding = { candidates: [], suggestions: [], notes: [] }

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
    else findings.set(keyOf(reading), { ...none, notes: [word.failure.message] })
  }
  // Searches for words, each set with its part, and keeps their findings.
  const request = (sets: ReadonlyArray<readonly [Part.Part, ReadonlyArray<WordSearch>]>) =>
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
            findings.set(keyOf(reading), findingOf(reading, word, result, options.fields))
        return found
      }
    )
  // 1. Each word is searched for with the part of its kind.
  const routed = Map.groupBy(searches, ({ reading }) => parts[partNameOf(reading.kind)])
  const results = [...(yield* request([...routed]))]
  const failure = Part.failureOfAll(results)
  if (failure !== undefined) return yield* Effect.fail(failure)
  // 2. Each name that matched a synonym is searched for again, alone.
  if (hasOneHit(dialect)) {
    const doubtful = searches.filter(({ reading }) => isBySynonym(reading, findings.get(keyOf(reading))))
    if (checksSynonyms(options, dialect) && doubtful.length > 0)
      results.push(...(yield* request([[parts.singleWords, doubtful]])))
    else for (const { reading } of doubtful) addNote(findings, reading)
  }
  // 3. The skeletons of unknown structures: all with `match: "skeleton"`, else as many as the run has near misses left.
  const unknown = searches.filter(
    ({ reading }) => isStructure(reading) && isUnknown(findings.get(keyOf(reading)))
  )
  const skeletons = [...new Set(unknown.map(({ word }) => skeletonOf(word)))]
  const ids = options.match === "skeleton" ? skeletons : skeletons.slice(0, parts.nearMisses.left)
  if (ids.length > 0) {
    parts.nearMisses.left -= ids.length
    const request = { part: parts.skeletons, ids }
    const [near] = yield* Part.request(parts.group, [request], inspection, options.onFailure)
    const searched = new Set(ids)
    for (const { reading, word } of unknown)
      if (searched.has(skeletonOf(word))) findings.set(keyOf(reading), nearMiss(reading, word, near, options))
    results.push(near)
  }
  return { findings, surplus: results.flatMap(({ settled }) => settled.surplus) }
})

const isUnknown = (finding: Finding | undefined): boolean =>
  finding !== undefined && finding.error === undefined && finding.candidates.length === 0

const skeletonOf = (inchikey: string): string => inchikey.slice(0, 14)

/** Returns the substances of the skeleton of an unknown structure: its candidates with `match: "skeleton"`, else suggestions. */
const nearMiss = (
  { kind }: Reading,
  inchikey: string,
  near: Part.PartResult,
  { fields, match }: Options
): Finding => {
  const skeleton = skeletonOf(inchikey)
  const found = findingOf({ kind: "skeleton", value: skeleton }, skeleton, near, fields)
  // Without `match`, the service has responded about the InChIKey itself: it is missing.
  if (found.error !== undefined && match !== "skeleton") return none
  if (found.error !== undefined || found.candidates.length === 0)
    return { ...none, ...found, suggestions: [] }
  const hits = near.settled.records.get(near.keyOf(skeleton)) ?? []
  const others = new Map(
    hits
      .filter((hit) => isOfSkeleton(hit, skeleton))
      .map((hit) => [
        RawRecord.value(hit, "dtxsid"),
        `${RawRecord.value(hit, "dtxsid")} ${RawRecord.value(hit, "preferredName")} with ${difference(inchikey, String(RawRecord.value(hit, "searchValue")))}`
      ])
  )
  const texts = [...others.values()]
  if (match !== "skeleton") return { ...none, suggestions: texts }
  return {
    candidates: found.candidates.map((candidate) => ({ ...candidate, kind, foundBy: "InChIKey skeleton" })),
    suggestions: [],
    notes: [`matched by its skeleton: ${texts.join(", ")}`, ...found.notes]
  }
}

/** Names the layers in which two InChIKeys of one skeleton differ: the second block has stereo and isotopes, the third the protons. */
const difference = (one: string, other: string): string => {
  const [, layers, protons] = one.split("-")
  const [, otherLayers, otherProtons] = other.toUpperCase().split("-")
  const parts = [
    ...(layers === otherLayers ? [] : ["stereo or isotopes"]),
    ...(protons === otherProtons ? [] : ["charge"])
  ]
  return `other ${parts.join(" and ")}`
}

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

const findingOf = (
  { kind, value }: Reading,
  word: string,
  { keyOf: keyIn, settled }: Part.PartResult,
  fields: ReadonlyArray<string> | undefined
): Finding => {
  const key = keyIn(word)
  const error = settled.errors.get(key)
  if (error !== undefined) return { ...none, error }
  const records = settled.records.get(key) ?? []
  const { label } = IdentifierKind.kinds[kind]
  const notes = settled.truncated.has(key) ? ["the service has more hits than it sent"] : []
  const all = records.flatMap((record): ReadonlyArray<Candidate> => {
    switch (kind) {
      case "dtxsid":
      case "dtxcid":
        return [{ ...make(record, { kind, foundBy: label, rank: kind === "dtxsid" ? 1 : 2 }), record }]
      case "formula":
        return [make(record, { kind, foundBy: label, rank: null })]
      case "skeleton":
        return isOfSkeleton(record, value) ? [ofHit(record, kind, fields)] : []
      default:
        return [ofHit(record, kind, fields)]
    }
  })
  // The substance with this identifier or approved name is meant, not one with an equal synonym.
  const identified = kind === "name" ? all.filter(({ foundBy }) => SearchHit.isIdentity(foundBy)) : []
  const candidates = identified.length > 0 ? identified : all
  const ids = new Set(candidates.map(identity))
  if (all.some((one) => !ids.has(identity(one)))) notes.push("also a synonym of other substances")
  return { candidates, suggestions: settled.suggestions.get(key) ?? [], notes }
}

const isOfSkeleton = (hit: RawRecord.RawRecord, skeleton: string): boolean => {
  const matched = RawRecord.value(hit, "searchValue")
  return typeof matched === "string" && matched.toUpperCase().startsWith(skeleton)
}
