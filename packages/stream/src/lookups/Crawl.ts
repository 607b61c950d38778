/**
 * From a search to what it leads to: the records that one lookup finds name the identifiers that the next is asked for.
 *
 * Both lookups run as ever (`Lookup`), each with a ledger of its own whose law holds. What came of every query and what
 * came of every lead are outcomes of one stream. A crawl cannot be continued from a `Checkpoint`: where that is wanted,
 * run the search first, and the lookup over what it found.
 */
import type { InvalidOption } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Queue, Stream } from "effect"
import { dual } from "effect/Function"
import type { Carrying, Identifier } from "../identifiers/Identifiers.ts"
import type { Outcome } from "../runs/Outcome.ts"
import * as Lookup from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/** Outcomes that wait for whoever reads them, before the search does. */
const capacity = 16

/** What came of a query, and which identifiers it led to: each once, in the order of its records. */
export interface Query<E, S = Raw, C = unknown> {
  readonly _tag: "Query"
  readonly outcome: Outcome<S, E, C>
  readonly leads: ReadonlyArray<string>
}

/**
 * What came of an identifier that a query led to. `line` of the outcome, and what it carries, are those of the first such
 * query.
 */
export interface Lead<R, E, C = unknown> {
  readonly _tag: "Lead"
  readonly outcome: Outcome<R, E, C>
}

/** What came of one query or of one lead. */
export type Step<R, SearchError, LookupError, S = Raw, C = unknown> =
  | Query<SearchError, S, C>
  | Lead<R, LookupError, C>

/** What is crawled, and how. */
export interface Settings<R, F, G, S extends Raw = Raw> {
  /** Asked for the input. */
  readonly search: Lookup.Lookup<S, F>
  /** Asked for what the search led to. */
  readonly lookup: Lookup.Lookup<R, G>
  /** The identifiers that a record of the search names. Default: its field `dtxsid`. */
  readonly leads?: ((record: S) => Iterable<string>) | undefined
  /** How the search is run. */
  readonly searchOptions?: Lookup.Options | undefined
  /** How the lookup is run. */
  readonly lookupOptions?: Lookup.Options | undefined
}

/**
 * The identifier in a field of a record, as text; none where the field is absent, null or no text or number.
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
 * What comes of a stream of queries and of what they lead to.
 *
 * Every query has one `Query`, in the order of the input, and every distinct identifier that queries lead to has one
 * `Lead`, after the query that was the first to lead to it; how the two are mixed otherwise is not promised. An
 * identifier that another query led to already is counted as a duplicate in the ledger of the lookup, and is not asked
 * for again. All pairs of query and identifier are in the `leads` of the queries; nothing is kept of them, so memory is
 * that of the two runs. What stays unfinished when an error ends one of the runs is not asked for.
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
 * // Lead Found DTXSID7020182
 * ```
 */
export const outcomes: {
  <R, S extends Raw, F = never, G = never>(
    settings: Settings<R, F, G, S>
  ): <I extends Identifier, E, Services>(
    queries: Stream.Stream<I, E, Services>
  ) => Stream.Stream<
    Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
    E | ChemError.ChemError | F | G | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
  <I extends Identifier, R, E, Services, S extends Raw, F = never, G = never>(
    queries: Stream.Stream<I, E, Services>,
    settings: Settings<R, F, G, S>
  ): Stream.Stream<
    Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
    E | ChemError.ChemError | F | G | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
} = dual(
  2,
  <I extends Identifier, R, E, Services, S extends Raw, F, G>(
    queries: Stream.Stream<I, E, Services>,
    settings: Settings<R, F, G, S>
  ) =>
    // One queue for both: a query is in it before what it leads to has been asked for.
    Stream.callback<
      Step<R, ChemError.ChemError | F, ChemError.ChemError | G, S, I["carried"]>,
      E | ChemError.ChemError | F | G | InvalidOption.InvalidOption,
      Services | ChemClient.ChemClient
    >(
      (queue) => {
        const namesOf = settings.leads ?? field("dtxsid")
        const leads = Lookup.outcomes(queries, settings.search, settings.searchOptions).pipe(
          Stream.mapEffect((outcome) => {
            if (outcome._tag !== "Found") {
              return Effect.as(Queue.offer(queue, { _tag: "Query", outcome, leads: [] }), [])
            }
            const leads = [...new Set(outcome.records.flatMap((one) => [...namesOf(one)]))]
            return Effect.as(
              Queue.offer(queue, { _tag: "Query", outcome, leads }),
              leads.map(
                (text) => ({ text, line: outcome.line, carried: outcome.carried }) as Carrying<I["carried"]>
              )
            )
          }),
          Stream.flattenIterable
        )
        return Lookup.outcomes(leads, settings.lookup, settings.lookupOptions).pipe(
          Stream.runForEach((outcome) => Queue.offer(queue, { _tag: "Lead", outcome })),
          Effect.matchCauseEffect({
            onSuccess: () => Queue.end(queue),
            onFailure: (cause) => Queue.failCause(queue, cause)
          })
        )
      },
      { bufferSize: capacity }
    )
)
