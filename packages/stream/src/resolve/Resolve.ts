/**
 * Any identifiers to the substances that they mean: DTXSID, DTXCID, CAS numbers, InChIKeys and their skeletons, InChI,
 * SMILES, formulas and names, mixed in one column or spread over several.
 *
 * Each value is classified (`IdentifierKind` of the contract), asked for by the cheapest lookup of its kind, and given the
 * candidates that were found. A run is that of a `Lookup`, with its ledger, failures and waits. Reading tables is the
 * caller's.
 */
import type { IdentifierKind } from "@chemstream/api"
import type { InvalidOption } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Effect, Result, Stream } from "effect"
import { dual } from "effect/Function"
import type { Identifier } from "../identifiers/Identifiers.ts"
import { Structures } from "../identifiers/Structures.ts"
import type * as Details from "../lookups/Details.ts"
import { isDataFirst } from "../lookups/internal/dataFirst.ts"
import type * as Lookup from "../lookups/Lookup.ts"
import { absence, withSuggestions } from "../runs/internal/messages.ts"
import { perRow } from "../runs/internal/rowResults.ts"
import type { Outcome, Surplus } from "../runs/Outcome.ts"
import type { Candidate } from "./internal/candidate.ts"
import * as Reading from "./internal/findings.ts"
import type * as Resolution from "./internal/resolution.ts"
import * as Asking from "./internal/rowRequest.ts"
import * as RowText from "./internal/rowText.ts"

export type { Pick, Resolution } from "./internal/resolution.ts"
export type { Candidate }

/** The most candidates of one row when not set. */
export const defaultMaxCandidates = 10

/** The most rows that are asked for together. */
const largestBatch = 1000

/** How identifiers are resolved. */
export interface Options extends Lookup.Options, Details.Options, RowText.Columns {
  /** What is done about several candidates: keep all, those of the best rank, or none. Default: `all`. */
  readonly pick?: Resolution.Pick | undefined
  /** The most candidates of a row. The others are counted. Default: 10. */
  readonly maxCandidates?: number | undefined
  /** Whether a row that repeats is only counted. Default: false, each row has its result. */
  readonly dedupe?: Lookup.Options["dedupe"]
}

/** What became of a row. */
export type Status = "found" | "ambiguous" | "conflict" | "missing" | "invalid" | "failed"

/** The result of a row. */
export interface Resolved {
  /** The identifier as it was given; those of several columns with bars between them. */
  readonly input: string
  /** The line of the input, or the position of the value. */
  readonly line: number
  /** What the identifier was read as. Null where it is none. */
  readonly kind: IdentifierKind.Name | null
  readonly status: Status
  /** What was repaired, why there is no candidate, or what similar names exist. */
  readonly note: string | null
  /** The substances that it may mean, best rank first: one where it is found. */
  readonly candidates: ReadonlyArray<Candidate>
  /** How many candidates are left out. */
  readonly more: number
  /** What the input carried with it. */
  readonly carried?: unknown
}

/** A row as one text, from its identifiers in order of preference; blank ones are passed over. */
export const row: (values: ReadonlyArray<string>) => string = RowText.join

/** The text of a row as people see it. */
export const shown: (text: string) => string = RowText.shown

/** What a run over rows needs. */
export interface Resolver {
  /** Asks for rows, and gives each the one record that says what it means. */
  readonly lookup: Lookup.Lookup<Resolution.Resolution>
  /** Marks the rows whose only identifier is a structure that cannot be read: the step before the lookup. */
  readonly read: <E, R>(identifiers: Stream.Stream<Identifier, E, R>) => Stream.Stream<Identifier, E, R>
  /** The result of a row. A record that belongs to no row has none. */
  readonly resolved: (
    outcome: Exclude<Outcome<Resolution.Resolution, { readonly message: string }>, Surplus>
  ) => Resolved
}

/** The parts of a run, for one that is built of `Lookup.batches`, e.g. with a checkpoint. */
export const make = (options: Options = {}): Resolver => {
  const start = (): Reading.Parts => Reading.start(options)
  const parse = (text: string) => RowText.parse(text, options)
  const { maxCandidates = defaultMaxCandidates, pick = "all" } = options
  const choice = { ...options, maxCandidates, pick }
  return {
    lookup: {
      endpoint: "search.equalBatch",
      parse,
      verify: Result.succeed,
      size: largestBatch,
      multiplicity: "one",
      ask: (ids, inspection) => Asking.ask(ids, inspection, inspection.memory?.(start) ?? start(), choice)
    },
    read: Stream.mapArrayEffect((identifiers) => Effect.forEach(identifiers, readable(options))),
    resolved: (outcome) => resolved(outcome, options)
  }
}

/**
 * What rows mean: one result a row, in the order of the input, repeated ones included.
 *
 * A row is a text: an identifier, or several of one substance in order of preference (`row`). The first that is known
 * counts, narrowed by the others; a contradiction is a `conflict`. SMILES and InChI are found by their InChIKey, for which
 * `Structures` must be provided. Ends with an error as `Lookup.outcomes` does. Records that belong to no row are counted in
 * the ledger and logged.
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
export const outcomes: {
  (
    options?: Options
  ): <E, R>(
    identifiers: Stream.Stream<Identifier, E, R>
  ) => Stream.Stream<
    Resolved,
    E | ChemError.ChemError | InvalidOption.InvalidOption,
    R | ChemClient.ChemClient
  >
  <E, R>(
    identifiers: Stream.Stream<Identifier, E, R>,
    options?: Options
  ): Stream.Stream<Resolved, E | ChemError.ChemError | InvalidOption.InvalidOption, R | ChemClient.ChemClient>
} = dual(
  isDataFirst,
  <E, R>(
    identifiers: Stream.Stream<Identifier, E, R>,
    options: Options = {}
  ): Stream.Stream<
    Resolved,
    E | ChemError.ChemError | InvalidOption.InvalidOption,
    R | ChemClient.ChemClient
  > => {
    const { lookup, read, resolved } = make(options)
    return perRow(read(identifiers), lookup, resolved, options)
  }
)

const isStructure = ({ kind }: IdentifierKind.Reading): boolean => kind === "smiles" || kind === "inchi"

/** An identifier with its fault, where it can only be a structure and none can be read. */
const readable =
  (options: Options) =>
  (identifier: Identifier): Effect.Effect<Identifier> => {
    const [only, ...others] = identifier.fault === undefined ? RowText.cells(identifier.text, options) : []
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

const resolved: (
  outcome: Exclude<Outcome<Resolution.Resolution, { readonly message: string }>, Surplus>,
  options: Options
) => Resolved = (outcome, options) => {
  const text = outcome.given ?? outcome.id
  const cells = RowText.cells(text, options)
  const readings = cells.flatMap(({ classified }) =>
    Result.isSuccess(classified) ? [...classified.success.first] : []
  )
  const repairs = readings.flatMap(({ note }) => note ?? [])
  const base = {
    input: RowText.shown(text),
    line: outcome.line,
    kind: readings[0]?.kind ?? null,
    candidates: [],
    more: 0,
    ...(outcome.carried === undefined ? {} : { carried: outcome.carried })
  }
  switch (outcome._tag) {
    case "Found": {
      const [{ candidates, kind, more, notes, status }] = outcome.records as [Resolution.Resolution]
      const left = more === 0 ? [] : [`${more} more ${more === 1 ? "candidate" : "candidates"}`]
      return { ...base, kind, status, candidates, more, note: noteOf([...notes, ...left]) }
    }
    case "Missing":
      return {
        ...base,
        status: "missing",
        note: noteOf([...repairs, withSuggestions(absence(base.input), outcome.suggestions)])
      }
    case "Failed":
      return { ...base, status: "failed", note: outcome.error.message }
    case "Invalid":
      return { ...base, status: "invalid", note: outcome.error.message }
  }
}

const noteOf = (notes: ReadonlyArray<string>): string | null =>
  notes.length === 0 ? null : [...new Set(notes)].join("; ")
