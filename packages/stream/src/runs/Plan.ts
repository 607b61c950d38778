/**
 * Plans a run: counts the requests that it will send, without sending any.
 *
 * It runs the lookup (`Lookup.outcomes`) with a request that sends nothing, and only adds its cost. So the plan reads the input as the run
 * does: it checks the identifiers, leaves out duplicates and makes the same batches. Retries and the
 * parts of a failed batch are not in the plan.
 */
import { Availability, type Batch, type InvalidOption, Metrics, Options } from "@chemstream/batch"
import { ChemClient, type ChemError } from "@chemstream/client"
import { Effect, Stream } from "effect"
import type { Identifier } from "../identifiers/Identifiers.ts"
import { lookupKind } from "../lookups/internal/lookupType.ts"
import * as Cost from "../lookups/internal/requestCost.ts"
import * as Lookup from "../lookups/Lookup.ts"
import * as Ledger from "./Ledger.ts"

/** The requests of a run, and the identifiers that they are for. */
export interface Plan {
  /** Identifiers of the input. */
  readonly read: number
  /** Identifiers that are not requested, because they came before. */
  readonly duplicates: number
  /** Identifiers that are not requested, because they are malformed. */
  readonly invalid: number
  /** The requested identifiers of each kind, by its name in the plural, e.g. `substances`. */
  readonly kinds: Readonly<Record<string, number>>
  /** The fewest requests. */
  readonly least: number
  /** The most requests. Undefined: the responses decide, e.g. by the number of candidates. */
  readonly most: number | undefined
}

/**
 * Adds the requests of several runs. The most is unknown if it is unknown for one of them.
 *
 * @example
 * ```ts
 * import { Plan } from "@chemstream/stream"
 *
 * Plan.sum([{ least: 1, most: 3 }, { least: 2, most: undefined }]) // => { least: 3, most: undefined }
 * ```
 */
export const sum: (all: Iterable<Pick<Plan, "least" | "most">>) => Pick<Plan, "least" | "most"> =
  Cost.sumRequests

/**
 * Returns the plan of a run over identifiers. Fails if the identifiers cannot be read, or with `InvalidOption`. A `batchSize`
 * above the size of the lookup is that of chunks, which are requested one by one.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Details, Identifiers, Plan } from "@chemstream/stream"
 * import { Effect, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const ids = Array.from({ length: 2500 }, (_, at) => `DTXSID00${at + 10_000}`)
 * const program = Plan.of(Identifiers.fromIterable(ids), Details.byDtxsid())
 * const client = ChemClient.layer({ baseUrl: "http://127.0.0.1:8765", apiKey: Redacted.make("a-key") })
 * const plan = await Effect.runPromise(
 *   program.pipe(Effect.provide(client), Effect.provide(FetchHttpClient.layer))
 * )
 * plan.least // => 3
 * ```
 */
export const of = <E, Services, R, F>(
  identifiers: Stream.Stream<Identifier, E, Services>,
  lookup: Lookup.Lookup<R, F>,
  options: Lookup.Options = {}
): Effect.Effect<
  Plan,
  E | ChemError.ChemError | F | InvalidOption.InvalidOption,
  Services | ChemClient.ChemClient
> =>
  Effect.gen(function* () {
    yield* Options.check(Lookup.optionSet, options)
    yield* Options.check(lookupKind, lookup, "lookup")
    const client = yield* ChemClient.ChemClient
    const ledger = Ledger.make()
    const ofBatch = Cost.of(lookup, client.dialect)
    let cost = Cost.none
    const planned: Lookup.Lookup<R, F> = {
      ...lookup,
      size: Math.max(lookup.size, options.batchSize ?? 1),
      requestBatch: (ids) =>
        Effect.sync((): Batch.CallResult<R, ChemError.ChemError | F> => {
          cost = Cost.sum([cost, ofBatch(ids)])
          return { records: [] }
        })
    }
    // A set of the caller belongs to the run.
    const dedupe = typeof options.dedupe === "object" ? true : options.dedupe
    yield* Lookup.outcomes(identifiers, planned, { ...options, dedupe, ledger }).pipe(
      Stream.runDrain,
      // Nothing is sent, so nothing waits for the service, and nothing shows that it responds.
      Effect.provideService(ChemClient.ChemClient, { ...client, availability: Availability.make() }),
      Metrics.unobserved
    )
    const { duplicates, invalid, read } = ledger
    return { read, duplicates, invalid, ...cost }
  })
