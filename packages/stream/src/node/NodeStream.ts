/**
 * Makes Node streams of runs, for `stream.pipeline`: identifiers in, outcomes or lines out.
 *
 * Write either strings with one identifier each, or bytes with one identifier a line, never both: set no
 * encoding on the stream that reads the file. A slow reader slows the calls and then the input. A failed run
 * destroys the stream after its outcomes have been read. Destroying the stream interrupts the requests in
 * flight. Web streams are `WebStream` of the default entry.
 */

import type { ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { NodeStream } from "@chemstream/ndjson/node"
import type { ItemReader } from "../identifiers/Identifiers.ts"
import { type Run, runChunks } from "../identifiers/internal/chunks.ts"
import type { Lookup } from "../lookups/Lookup.ts"
import type { Marks } from "../runs/internal/streamRun.ts"
import * as runs from "../runs/internal/streamRun.ts"
import type { Outcome } from "../runs/Outcome.ts"
import type { Input } from "../runs/WebStream.ts"

export { InvalidChunk, type Run } from "../identifiers/internal/chunks.ts"
export type { Handler, Marks, Problem } from "../runs/internal/streamRun.ts"

/** The options of a lookup, its client, and the marks of the stream. */
export interface Settings extends runs.Settings, Marks {}

/** Settings with a handler of outcomes other than `Found`. */
export interface LineSettings<F = never, C = undefined> extends Settings, runs.Handler<F, C> {}

/** A Node stream with the types of its input and output. */
export type Typed<In, Out> = NodeStream.Typed<In, Out>

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
    lookup: Lookup<R, F>,
    settings: Settings & ItemReader<Item, C>
  ): Typed<Item, Outcome<R, ChemError.ChemError | F, C>>
  <R, F = never>(
    lookup: Lookup<R, F>,
    settings: Settings
  ): Typed<Input, Outcome<R, ChemError.ChemError | F, undefined>>
} = <R, F, Item, C>(lookup: Lookup<R, F>, settings: Settings & Partial<ItemReader<Item, C>>) =>
  NodeStream.make(runChunks(runs.outcomes<R, F, C>(lookup, settings), settings), settings)

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
    lookup: Lookup<RawRecord.RawRecord, F>,
    settings: LineSettings<F, C> & ItemReader<Item, C>
  ): Typed<Item, Buffer>
  <F = never>(lookup: Lookup<RawRecord.RawRecord, F>, settings: LineSettings<F>): Typed<Input, Buffer>
} = <F, Item, C>(
  lookup: Lookup<RawRecord.RawRecord, F>,
  settings: LineSettings<F, C> & Partial<ItemReader<Item, C>>
) =>
  NodeStream.make(runChunks(runs.lines(lookup, settings), settings), {
    ...settings,
    readableObjectMode: false
  }) as never

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
): Typed<Input, A> => NodeStream.make(runChunks(run), marks) as Typed<Input, A>
