/**
 * The runs behind the streams of the web and of Node: a lookup with the client it asks, to outcomes or to lines.
 */
import { type ChemClient, type ChemError, PromiseClient } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Effect, Layer, Stream } from "effect"
import type { Run } from "../../identifiers/internal/chunks.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import type { Outcome } from "../Outcome.ts"
import type { Problem as AnyProblem } from "../Problem.ts"

/** How a lookup is run, and which service it asks. */
export interface Settings extends Lookup.Options {
  /**
   * The settings of a client of its own, as `createClient` takes them, or a layer that makes the client; of the
   * environment when not given.
   */
  readonly client?: PromiseClient.Settings | Layer.Layer<ChemClient.ChemClient, unknown> | undefined
}

/**
 * What became of an identifier that has no record, or a record that belongs to none; `F` is what the lookup can fail with
 * beside its call.
 */
export type Problem<F = never, C = undefined> = AnyProblem<ChemError.ChemError | F, C>

/** As `Settings`, with what is done about the identifiers that give no line. */
export interface LineSettings<F = never, C = undefined> extends Settings {
  /**
   * Takes what became of each identifier without a record, and each record that belongs to no identifier, in its turn. The
   * run waits for a promise it returns, and ends with what it throws.
   */
  readonly onProblem: (problem: Problem<F, C>) => unknown
}

export const outcomes =
  <R, F, C>(
    lookup: Lookup.Lookup<R, F>,
    { client, ...options }: Settings
  ): Run<Outcome<R, ChemError.ChemError | F, C>, C> =>
  (identifiers) =>
    Stream.provide(Lookup.outcomes(identifiers, lookup, options), layerOf(client))

export const lines = <F, C>(
  lookup: Lookup.Lookup<RawRecord.RawRecord, F>,
  { onProblem, ...settings }: LineSettings<F, C>
): Run<Uint8Array, C> => {
  // Programs without types would lose what has no record, and notice it only at the first.
  if (typeof onProblem !== "function") {
    throw new TypeError("onProblem is missing: set a function that takes each identifier without a record")
  }
  return (identifiers) =>
    outcomes<RawRecord.RawRecord, F, C>(
      lookup,
      settings
    )(identifiers).pipe(
      Stream.chunks,
      Stream.mapEffect((batch) => {
        const records = batch.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
        return Effect.as(
          Effect.forEach(batch.filter(isProblem), handTo(onProblem), { discard: true }),
          Ndjson.lines(records)
        )
      }),
      Stream.filter((bytes) => bytes.length > 0)
    )
}

const isProblem = <R, E, C>(outcome: Outcome<R, E, C>): outcome is AnyProblem<E, C> =>
  outcome._tag !== "Found"

const handTo =
  <A>(taker: (value: A) => unknown) =>
  (value: A): Effect.Effect<void, unknown> =>
    Effect.tryPromise({ try: async () => taker(value), catch: (error) => error })

const layerOf = (client: Settings["client"]): Layer.Layer<ChemClient.ChemClient, unknown> =>
  isLayer(client) ? client : PromiseClient.layer(client)

const isLayer = (client: Settings["client"]): client is Layer.Layer<ChemClient.ChemClient, unknown> =>
  Layer.isLayer(client)
