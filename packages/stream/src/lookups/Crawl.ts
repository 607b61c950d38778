/**
 * Looks up the identifiers that a search finds.
 *
 * Both lookups are runs of `Lookup` with a ledger each. One stream has the outcomes of all queries and of all
 * discovered identifiers. A crawl cannot resume from a `Checkpoint`. To resume, run the search first, and then
 * the lookup over its results.
 */
import { type InvalidOption, Options } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Queue, Stream } from "effect"
import type { Identifier, IdentifierWithData } from "../identifiers/Identifiers.ts"
import type { Outcome } from "../runs/Outcome.ts"
import { lookupKind } from "./internal/lookupType.ts"
import * as Lookup from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/** The largest number of outcomes that wait for the reader before the search pauses. */
const capacity = 16

/** The outcome of a query, and the identifiers in its records: each once, in the order of the records. */
export interface Query<E, S = Raw, C = unknown> {
  readonly _tag: "Query"
  readonly outcome: Outcome<S, E, C>
  readonly discovered: ReadonlyArray<string>
}

/** The outcome of a discovered identifier. `line` and `carried` are those of the first query that found it. */
export interface Discovered<R, E, C = unknown> {
  readonly _tag: "Discovered"
  readonly outcome: Outcome<R, E, C>
}

/** The outcome of one query or of one discovered identifier. */
export type Step<R, SearchError, LookupError, S = Raw, C = unknown> =
  | Query<SearchError, S, C>
  | Discovered<R, LookupError, C>

/** The two lookups of a crawl, and their options. */
export interface Settings<R, F, G, S extends Raw = Raw> {
  /** Looks up the queries. */
  readonly search: Lookup.Lookup<S, F>
  /** Looks up the discovered identifiers. */
  readonly lookup: Lookup.Lookup<R, G>
  /** Returns the identifiers in a record of the search. Default: its field `dtxsid`. */
  readonly discover?: ((record: S) => Iterable<string>) | undefined
  /** How the requests of the search are sent. */
  readonly searchOptions?: Lookup.Options | undefined
  /** How the requests for the discovered identifiers are sent. */
  readonly lookupOptions?: Lookup.Options | undefined
}

/** The run of a lookup checks its options. */
const lookupOptions = Options.object<Lookup.Options>("an object with the options of a lookup")

/** The declaration of the settings. */
export const optionSet = Options.set<Settings<unknown, unknown, unknown>>()({
  search: Options.required(lookupKind),
  lookup: Options.required(lookupKind),
  discover: Options.func,
  searchOptions: lookupOptions,
  lookupOptions
})

/**
 * Returns the identifier in a field of a record as text, or nothing if the field is absent, null, or neither
 * text nor number.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 * import { Crawl } from "@chemstream/stream"
 *
 * const dtxcid = Crawl.field("dtxcid")
 * dtxcid(RawRecord.fromText('{"dtxcid":"DTXCID30182"}')) // => ["DTXCID30182"]
 * dtxcid(RawRecord.fromText('{"dtxcid":null}')) // => []
 * ```
 */
export const field =
  (name: string) =>
  (record: Raw): ReadonlyArray<string> => {
    const value = RawRecord.value(record, name)
    return typeof value === "string" || typeof value === "number" ? [String(value)] : []
  }

/**
 * Runs a stream of queries, and looks up what they find.
 *
 * Every query has one `Query`, in the order of the input. Every distinct identifier has one `Discovered`, after the
 * first query that found it. No other order is promised. If a later query finds the same identifier, the ledger of
 * the lookup counts a duplicate. The `discovered` of each query lists all its identifiers. The crawl does not keep
 * these lists, so it needs the memory of two runs. An error of one run stops both.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Bundled, Service } from "@chemstream/service"
 * import { Crawl, Details, Identifiers, Search } from "@chemstream/stream"
 * import { Effect, Redacted, Stream } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const apiKey = Redacted.make("a-key")
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
 *   const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
 *   yield* Identifiers.fromIterable(["Bisphenol A", "80-05-7", "no such name"]).pipe(
 *     Crawl.outcomes({ search: Search.equal(), lookup: Details.byDtxsid({ projection: "compact" }) }),
 *     Stream.runForEach(({ _tag, outcome }) => Effect.sync(() => console.log(_tag, outcome._tag, outcome.id))),
 *     Effect.provideService(ChemClient.ChemClient, client)
 *   )
 * })
 *
 * await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped))
 * // Query Found Bisphenol A
 * // Query Found 80-05-7
 * // Query Missing no such name
 * // Discovered Found DTXSID7020182
 * ```
 */
export const outcomes: {
  <I extends Identifier, R, E, Services, S extends Raw, F = never, G = never>(
    queries: Stream.Stream<I, E, Services>,
    settings: Settings<R, F, G, S>
  ): Lookup.RunStream<
    Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
    E | F | G,
    Services
  >
  <R, S extends Raw, F = never, G = never>(
    settings: Settings<R, F, G, S>
  ): <I extends Identifier, E, Services>(
    queries: Stream.Stream<I, E, Services>
  ) => Lookup.RunStream<
    Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
    E | F | G,
    Services
  >
} = Options.streamFrom("queries", { settings: Options.required(optionSet) })(
  <I extends Identifier, R, E, Services, S extends Raw, F, G>(
    queries: Stream.Stream<I, E, Services>,
    settings: Settings<R, F, G, S>
  ) =>
    // One queue for both runs, so a query comes before its identifiers.
    Stream.callback<
      Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
      E | ChemError.ChemError | F | G | InvalidOption.InvalidOption,
      Services | ChemClient.ChemClient
    >(
      (queue) => {
        const discover = settings.discover ?? field("dtxsid")
        const found = Lookup.outcomes(queries, settings.search, settings.searchOptions).pipe(
          Stream.mapEffect((outcome) => {
            const records = outcome._tag === "Found" ? outcome.records : []
            const discovered = [...new Set(records.flatMap((one) => [...discover(one)]))]
            return Effect.as(
              Queue.offer(queue, { _tag: "Query", outcome, discovered }),
              discovered.map(
                (text) =>
                  ({ text, line: outcome.line, carried: outcome.carried }) as IdentifierWithData<I["carried"]>
              )
            )
          }),
          Stream.flattenIterable
        )
        // A discovered identifier is requested once, also if several queries with data find it.
        const options = { ...settings.lookupOptions, dedupe: settings.lookupOptions?.dedupe ?? true }
        return Lookup.outcomes(found, settings.lookup, options).pipe(
          Stream.runForEach((outcome) => Queue.offer(queue, { _tag: "Discovered", outcome })),
          Effect.matchCauseEffect({
            onSuccess: () => Queue.end(queue),
            onFailure: (cause) => Queue.failCause(queue, cause)
          })
        )
      },
      { bufferSize: capacity }
    )
)
