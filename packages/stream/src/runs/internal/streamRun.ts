/**
 * Runs a lookup with its own client to outcomes or to lines, for the web and Node streams.
 */
import { Options } from "@chemstream/batch"
import { type ChemClient, type ChemError, PromiseClient } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Layer, Stream } from "effect"
import type { ItemReader } from "../../identifiers/Identifiers.ts"
import type { Run } from "../../identifiers/internal/chunks.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import type { Outcome } from "../Outcome.ts"
import type { Problem as AnyProblem } from "../Problem.ts"
import { recordsOf } from "./recordsOf.ts"

/** The options of a lookup, and its client. */
export interface Settings extends Lookup.Options {
  /**
   * The settings of a new client, as for `createClient`, or a layer that makes the client. Default: the
   * settings of the environment.
   */
  readonly client?: PromiseClient.Settings | Layer.Layer<ChemClient.ChemClient, unknown> | undefined
}

/** An outcome other than `Found`. `F` is the type of failures of one identifier. */
export type Problem<F = never, C = undefined> = AnyProblem<ChemError.ChemError | F, C>

/** The handler of the outcomes other than `Found`. */
export interface Handler<F = never, C = undefined> {
  /**
   * Called with each outcome other than `Found`, in order. The run waits for its promise, and fails with
   * whatever it throws.
   */
  readonly onProblem: (problem: Problem<F, C>) => unknown
}

/** Settings with a handler of outcomes other than `Found`. */
export interface LineSettings<F = never, C = undefined> extends Settings, Handler<F, C> {}

/** The high-water marks of a Node stream. */
export interface Marks {
  /** The number of written chunks from which `write` returns false. Default: that of Node. */
  readonly writableHighWaterMark?: number | undefined
  /** The number of chunks that are read ahead: outcomes, or bytes of lines. Default: that of Node. */
  readonly readableHighWaterMark?: number | undefined
}

/** The declaration of the settings of the web and Node streams. */
export const optionSet: Options.Set<Settings & Marks & Partial<ItemReader<unknown>>> = Options.set<
  Settings & Marks & Partial<ItemReader<unknown>>
>()({
  ...Lookup.optionSet.fields,
  client: Options.object<NonNullable<Settings["client"]>>(
    "an object with the settings of a client, or a layer"
  ),
  id: Options.func,
  carried: Options.func,
  writableHighWaterMark: Options.amount,
  readableHighWaterMark: Options.amount
})

export const outcomes =
  <R, F, C>(
    lookup: Lookup.Lookup<R, F>,
    settings: Settings
  ): Run<Outcome<R, ChemError.ChemError | F, C>, C> =>
  (identifiers) =>
    Options.start(optionSet, settings, () => {
      const { client, ...options } = settings
      return Stream.provide(Lookup.outcomes(identifiers, lookup, options), layerOf(client))
    })

export const lines = <F, C>(
  lookup: Lookup.Lookup<RawRecord.RawRecord, F>,
  { onProblem, ...settings }: LineSettings<F, C>
): Run<Uint8Array, C> => {
  // A program without types can omit it. The run would then fail only at the first such outcome.
  if (typeof onProblem !== "function") {
    throw new TypeError("onProblem is missing: set a function that takes each outcome without a record")
  }
  return (identifiers) =>
    Stream.map(
      recordsOf(outcomes<RawRecord.RawRecord, F, C>(lookup, settings)(identifiers), onProblem),
      Ndjson.lines
    )
}

const layerOf = (client: Settings["client"]): Layer.Layer<ChemClient.ChemClient, unknown> =>
  isLayer(client) ? client : PromiseClient.layer(client)

const isLayer = (client: Settings["client"]): client is Layer.Layer<ChemClient.ChemClient, unknown> =>
  Layer.isLayer(client)
