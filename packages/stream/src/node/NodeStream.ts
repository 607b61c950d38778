/**
 * Runs as Node streams, for `stream.pipeline`: identifiers in, outcomes or lines out.
 *
 * The guarantees are those of the run. A slow reader holds up the calls and then the input; what ends the run destroys
 * the stream, after the outcomes before it have been read; destroying it interrupts the requests under way. What is
 * written is either strings, each an identifier, or the bytes of a text with one identifier a line, never both: do not
 * set an encoding on the file that is read. The streams of the web are `WebStream` in the default entry.
 */

import type { ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { NodeStream } from "@chemstream/ndjson/node"
import type { Reading } from "../identifiers/Identifiers.ts"
import { ofWritten, type Run } from "../identifiers/internal/chunks.ts"
import type { Lookup } from "../lookups/Lookup.ts"
import * as runs from "../runs/internal/streamRun.ts"
import type { Outcome } from "../runs/Outcome.ts"
import type { Input } from "../runs/WebStream.ts"

export { InvalidChunk, type Run } from "../identifiers/internal/chunks.ts"
export type { Problem } from "../runs/internal/streamRun.ts"

/** How much a stream holds on either side before it asks the other to wait; what Node has them at when not given. */
export type Marks = Pick<NodeStream.Options, "writableHighWaterMark" | "readableHighWaterMark">

/** How a lookup is run, which service it asks, and how much the stream holds. */
export interface Settings extends runs.Settings, Marks {}

/** As `Settings`, with what is done about the identifiers that give no line. */
export interface LineSettings<F = never, C = undefined>
  extends Settings,
    Pick<runs.LineSettings<F, C>, "onProblem"> {}

/** A Node stream that says what is written to it and what is read from it: `In` and `Out`. */
export type Typed<In, Out> = NodeStream.Typed<In, Out>

/**
 * A lookup as a stream: identifiers are written, outcomes are read, in object mode. With `id`, items of one's own are written,
 * and `carried` of each comes out with its outcome.
 *
 * Fails with the `ChemError` that ends the run, with `InvalidOption` where the client's settings are wrong, and with
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
    settings: Settings & Reading<Item, C>
  ): Typed<Item, Outcome<R, ChemError.ChemError | F, C>>
  <R, F = never>(
    lookup: Lookup<R, F>,
    settings: Settings
  ): Typed<Input, Outcome<R, ChemError.ChemError | F, undefined>>
} = <R, F, Item, C>(lookup: Lookup<R, F>, settings: Settings & Partial<Reading<Item, C>>) =>
  NodeStream.make(ofWritten(runs.outcomes<R, F, C>(lookup, settings), settings), settings)

/**
 * A lookup as a stream from identifiers to NDJSON: the records found, one a line, as the service sent them. What has no
 * record goes to `onProblem`, so that nothing is lost. Fails as `toTransform` does, and with what `onProblem` throws.
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
    settings: LineSettings<F, C> & Reading<Item, C>
  ): Typed<Item, Buffer>
  <F = never>(lookup: Lookup<RawRecord.RawRecord, F>, settings: LineSettings<F>): Typed<Input, Buffer>
} = <F, Item, C>(
  lookup: Lookup<RawRecord.RawRecord, F>,
  settings: LineSettings<F, C> & Partial<Reading<Item, C>>
) =>
  NodeStream.make(ofWritten(runs.lines(lookup, settings), settings), {
    ...settings,
    readableObjectMode: false
  }) as never

/**
 * Any run as a stream in object mode: a function from a stream of identifiers to a stream of something, which is
 * neither null nor undefined. Where the run ends by itself before the input does, what is written from then on is
 * dropped.
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
): Typed<Input, A> => NodeStream.make(ofWritten(run), marks) as Typed<Input, A>
