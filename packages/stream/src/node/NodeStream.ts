/**
 * Makes Node streams of runs, for `stream.pipeline`: identifiers in, outcomes or lines out.
 *
 * Write either strings with one identifier each, or bytes with one identifier a line, never both: set no
 * encoding on the stream that reads the file. A slow reader slows the calls and then the input. A failed run
 * destroys the stream after its outcomes have been read. Destroying the stream interrupts the requests in
 * flight. For a web stream, use `ReadableStream.from` of a run of `Chemstream`. `NodeStream` of the package `ndjson` makes the
 * Node streams of codecs and transforms, without a service.
 */
import { Options } from "@chemstream/batch"
import { type ChemClient, type ChemError, PromiseClient } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { NodeStream as CodecStream } from "@chemstream/ndjson/node"
import { Layer, Stream } from "effect"
import type { ItemReader } from "../identifiers/Identifiers.ts"
import { type Run, runChunks } from "../identifiers/internal/inputChunks.ts"
import { lookupKind } from "../lookups/internal/lookupType.ts"
import * as Lookup from "../lookups/Lookup.ts"
import { recordsOf } from "../runs/internal/foundRecords.ts"
import type { Outcome } from "../runs/Outcome.ts"
import type { Problem as AnyProblem } from "../runs/Problem.ts"

export { InvalidChunk, type Run } from "../identifiers/internal/inputChunks.ts"

/** The chunks that can be written. */
export type Input = string | Uint8Array

/** The high-water marks of a stream. */
export interface Marks {
  /** The number of written chunks from which `write` returns false. Default: that of Node. */
  readonly writableHighWaterMark?: number | undefined
  /** The number of chunks that are read ahead: outcomes, or bytes of lines. Default: that of Node. */
  readonly readableHighWaterMark?: number | undefined
}

/** The options of a lookup, its client, and the marks of the stream. */
export interface Settings extends Lookup.Options, Marks {
  /**
   * The settings of a new client, as for `createClient`, or a layer that makes the client. Default: the
   * settings of the environment.
   */
  readonly client?: PromiseClient.Settings | Layer.Layer<ChemClient.ChemClient, unknown> | undefined
}

/** An outcome other than `Found` (`Problem` of the main entry). `F` is the type of failures of one identifier. */
export type Problem<F = never, C = undefined> = AnyProblem<ChemError.ChemError | F, C>

/** Settings with a handler of outcomes other than `Found`. */
export interface LineSettings<F = never, C = undefined> extends Settings {
  /**
   * Called with each outcome other than `Found`, in order. The run waits for its promise, and fails with
   * whatever it throws.
   */
  readonly onProblem: (problem: Problem<F, C>) => unknown
}

const marksSet = Options.set<Marks>()({
  writableHighWaterMark: Options.amount,
  readableHighWaterMark: Options.amount
})

/** The declaration of the settings. */
export const optionSet: Options.Set<Settings & Partial<ItemReader<unknown>>> = Options.set<
  Settings & Partial<ItemReader<unknown>>
>()({
  ...Lookup.optionSet.fields,
  client: Options.object<NonNullable<Settings["client"]>>(
    "an object with the settings of a client, or a layer"
  ),
  id: Options.func,
  carried: Options.func,
  ...marksSet.fields
})

/** A Node stream with the types of its input and output. */
export type Typed<In, Out> = CodecStream.Typed<In, Out>

/**
 * Makes a stream of a lookup: write identifiers, read outcomes in object mode. With `id`, write items of your
 * own, and each outcome returns the `carried` of its item.
 *
 * Fails with the `ChemError` that stops the run, with `InvalidOption` for wrong client settings, and with
 * `InvalidChunk`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http"
 * import { Readable } from "node:stream"
 * import { Details } from "@chemstream/stream"
 * import { NodeStream } from "@chemstream/stream/node"
 *
 * const service = createServer((_, response) => response.end('[{"dtxsid":"DTXSID7020182"}]'))
 * await new Promise((resolve) => service.listen(0, "127.0.0.1", () => resolve(undefined)))
 * const { port } = service.address() as import("node:net").AddressInfo
 *
 * const outcomes = Readable.from(["DTXSID7020182", "DTXSID3039242"]).compose(
 *   NodeStream.toTransform(Details.byDtxsid(), {
 *     client: { baseUrl: `http://127.0.0.1:${port}`, apiKey: "my key" }
 *   })
 * )
 * const seen: Array<string> = []
 * for await (const outcome of outcomes) seen.push(`${outcome._tag} ${outcome.id}`)
 * service.close()
 * seen // => ["Found DTXSID7020182", "Missing DTXSID3039242"]
 * ```
 */
export const toTransform: {
  <R, F, Item, C = undefined>(
    lookup: Lookup.Lookup<R, F>,
    settings: Settings & ItemReader<Item, C>
  ): Typed<Item, Outcome<R, ChemError.ChemError | F, C>>
  <R, F = never>(
    lookup: Lookup.Lookup<R, F>,
    settings: Settings
  ): Typed<Input, Outcome<R, ChemError.ChemError | F, undefined>>
} = <R, F, Item, C>(lookup: Lookup.Lookup<R, F>, settings: Settings & Partial<ItemReader<Item, C>>) => {
  Options.refuseArguments(lookupArguments, [lookup, settings])
  return duplexOf(runChunks(outcomes<R, F, C>(lookup, settings), settings), settings)
}

/** The run checks the settings. */
const lookupArguments = { lookup: Options.required(lookupKind), settings: Options.required(Options.object()) }

const handler = Options.set<Pick<LineSettings, "onProblem">>()({ onProblem: Options.required(Options.func) })

/**
 * Makes a stream from identifiers to NDJSON: the found records, one a line, as the service sent them. All other
 * outcomes go to `onProblem`. Fails like `toTransform`, and with whatever `onProblem` throws.
 *
 * @example
 * ```ts
 * import { createReadStream, createWriteStream } from "node:fs"
 * import { pipeline } from "node:stream/promises"
 * import { Details } from "@chemstream/stream"
 * import { NodeStream } from "@chemstream/stream/node"
 *
 * const run = (input: string, output: string, baseUrl: string, apiKey: string) =>
 *   pipeline(
 *     createReadStream(input),
 *     NodeStream.toLines(Details.byDtxsid({ projection: "compact" }), {
 *       client: { baseUrl, apiKey },
 *       onProblem: ({ _tag, id, line }) => console.error(`line ${line}: ${id} ${_tag}`)
 *     }),
 *     createWriteStream(output)
 *   )
 * ```
 */
export const toLines: {
  <F, Item, C = undefined>(
    lookup: Lookup.Lookup<RawRecord.RawRecord, F>,
    settings: LineSettings<F, C> & ItemReader<Item, C>
  ): Typed<Item, Buffer>
  <F = never>(lookup: Lookup.Lookup<RawRecord.RawRecord, F>, settings: LineSettings<F>): Typed<Input, Buffer>
} = <F, Item, C>(
  lookup: Lookup.Lookup<RawRecord.RawRecord, F>,
  given: LineSettings<F, C> & Partial<ItemReader<Item, C>>
) => {
  Options.refuseArguments(lookupArguments, [lookup, given])
  const { onProblem, ...settings } = given
  // A program without types can omit it. The run would then fail only at the first such outcome.
  Options.refuse(handler, { onProblem })
  const found = outcomes<RawRecord.RawRecord, F, C>(lookup, settings)
  const lines: Run<Uint8Array, C> = (identifiers) =>
    Stream.map(recordsOf(found(identifiers), onProblem), Ndjson.lines)
  return duplexOf(runChunks(lines, settings), { ...settings, readableObjectMode: false }) as never
}

/**
 * Makes a stream in object mode from any run: a function from a stream of identifiers to another stream. No item of
 * that stream may be null or undefined.
 *
 * @example
 * ```ts
 * import { Readable } from "node:stream"
 * import { NodeStream } from "@chemstream/stream/node"
 * import { Stream } from "effect"
 *
 * const texts = NodeStream.make((identifiers) => Stream.map(identifiers, ({ line, text }) => `${line}: ${text}`))
 * await Readable.from(["a", "b"]).compose(texts).toArray() // => ["1: a", "2: b"]
 * ```
 */
export const make = <A extends object | string | number | boolean>(
  run: Run<A>,
  marks: Marks = {}
): Typed<Input, A> => {
  Options.refuseArguments({ run: Options.required(Options.func), marks: marksSet }, [run, marks])
  return duplexOf(runChunks(run), marks) as Typed<Input, A>
}

const outcomes =
  <R, F, C>(
    lookup: Lookup.Lookup<R, F>,
    settings: Settings
  ): Run<Outcome<R, ChemError.ChemError | F, C>, C> =>
  (identifiers) =>
    Options.start({ settings: Options.required(optionSet) }, [settings], () => {
      const options = Options.pick(Lookup.optionSet, settings)
      return Stream.provide(Lookup.outcomes(identifiers, lookup, options), layerOf(settings.client))
    })

const layerOf = (client: Settings["client"]): Layer.Layer<ChemClient.ChemClient, unknown> =>
  isLayer(client) ? client : PromiseClient.layer(client)

const isLayer = (client: Settings["client"]): client is Layer.Layer<ChemClient.ChemClient, unknown> =>
  Layer.isLayer(client)

/** Makes the stream. Node would refuse wrong marks with an error of its own. */
const duplexOf: typeof CodecStream.make = (transform, options = {}) => {
  Options.refuse(marksSet, Options.pick(marksSet, options))
  return CodecStream.make(transform, options)
}
