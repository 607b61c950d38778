/**
 * Makes web streams of runs, for `pipeThrough`: identifiers in, outcomes or lines out.
 *
 * Write either strings with one identifier each, or bytes with one identifier a line, never both. A slow reader
 * slows the calls and then the writer. A failed run errors both sides after its outcomes have been read.
 * Cancelling or aborting interrupts the requests in flight. Node's own streams are `NodeStream` of the `node`
 * entry.
 */
import type { ChemError } from "@chemstream/client"
import { type RawRecord, WebStream } from "@chemstream/ndjson"
import type { ItemReader } from "../identifiers/Identifiers.ts"
import { type Run, runChunks } from "../identifiers/internal/chunks.ts"
import type { Lookup } from "../lookups/Lookup.ts"
import * as runs from "./internal/streamRun.ts"
import type { Outcome } from "./Outcome.ts"

export { InvalidChunk, type Run } from "../identifiers/internal/chunks.ts"
export { type LineSettings, optionSet, type Problem, type Settings } from "./internal/streamRun.ts"

/** The chunks that can be written. */
export type Input = string | Uint8Array

/**
 * Makes a stream of a lookup: write identifiers, read outcomes. With `id`, write items of your own, and each
 * outcome returns the `carried` of its item.
 *
 * Both sides fail with the `ChemError` that stops the run, with `InvalidOption` for wrong client settings, and
 * with `InvalidChunk`.
 *
 * @example
 * ```ts
 * import { Details, WebStream } from "@chemstream/stream"
 *
 * const found = async (ids: ReadableStream<string>, baseUrl: string, apiKey: string) => {
 *   const counts = { found: 0, others: 0 }
 *   const lookup = WebStream.toTransform(Details.byDtxsid(), { client: { baseUrl, apiKey } })
 *   for await (const outcome of ids.pipeThrough(lookup)) counts[outcome._tag === "Found" ? "found" : "others"]++
 *   return counts
 * }
 * ```
 */
export const toTransform: {
  <R, F, Item, C = undefined>(
    lookup: Lookup<R, F>,
    settings: runs.Settings & ItemReader<Item, C>
  ): ReadableWritablePair<Outcome<R, ChemError.ChemError | F, C>, Item>
  <R, F = never>(
    lookup: Lookup<R, F>,
    settings: runs.Settings
  ): ReadableWritablePair<Outcome<R, ChemError.ChemError | F, undefined>, Input>
} = <R, F, Item, C>(lookup: Lookup<R, F>, settings: runs.Settings & Partial<ItemReader<Item, C>>) =>
  WebStream.make(runChunks(runs.outcomes<R, F, C>(lookup, settings), settings))

/**
 * Makes a stream from identifiers to NDJSON: the found records, one a line, as the service sent them, with one
 * chunk of bytes for each batch. All other outcomes go to `onProblem`. Fails like `toTransform`, and with
 * whatever `onProblem` throws.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http"
 * import { Details, WebStream } from "@chemstream/stream"
 *
 * const service = createServer((_, response) => response.end('[{"dtxsid":"DTXSID7020182","mass":1.0}]'))
 * await new Promise((resolve) => service.listen(0, "127.0.0.1", () => resolve(undefined)))
 * const { port } = service.address() as import("node:net").AddressInfo
 *
 * const problems: Array<string> = []
 * const lines = new Blob(["DTXSID7020182\nDTXSID3039242\n"]).stream().pipeThrough(
 *   WebStream.toLines(Details.byDtxsid(), {
 *     client: { baseUrl: `http://127.0.0.1:${port}`, apiKey: "my key" },
 *     onProblem: ({ _tag, id }) => problems.push(`${_tag} ${id}`)
 *   })
 * )
 * const text = await new Response(lines).text()
 * service.close()
 * text // => '{"dtxsid":"DTXSID7020182","mass":1.0}\n'
 * problems // => ["Missing DTXSID3039242"]
 * ```
 */
export const toLines: {
  <F, Item, C = undefined>(
    lookup: Lookup<RawRecord.RawRecord, F>,
    settings: runs.LineSettings<F, C> & ItemReader<Item, C>
  ): ReadableWritablePair<Uint8Array, Item>
  <F = never>(
    lookup: Lookup<RawRecord.RawRecord, F>,
    settings: runs.LineSettings<F>
  ): ReadableWritablePair<Uint8Array, Input>
} = <F, Item, C>(
  lookup: Lookup<RawRecord.RawRecord, F>,
  settings: runs.LineSettings<F, C> & Partial<ItemReader<Item, C>>
) => WebStream.make(runChunks(runs.lines(lookup, settings), settings))

/**
 * Makes a stream of any run: a function from a stream of identifiers to another stream.
 *
 * If the run finishes before its input does, the writable side fails, which cancels the stream that is piped
 * into it.
 *
 * @example
 * ```ts
 * import { BatchCalls, WebStream } from "@chemstream/stream"
 * import { Result } from "effect"
 *
 * const shout = WebStream.make((identifiers) =>
 *   BatchCalls.outcomes(identifiers, {
 *     parse: Result.succeed,
 *     call: async (ids) => ({ records: ids.map((id) => ({ key: id, record: id.toUpperCase() })) })
 *   })
 * )
 * const bytes = new Blob(["a\n# a comment\nb\n"]).stream()
 * const outcomes: Array<string> = []
 * for await (const { id, line } of bytes.pipeThrough(shout)) outcomes.push(`${id} on line ${line}`)
 * outcomes // => ["a on line 1", "b on line 3"]
 * ```
 */
export const make = <A>(run: Run<A>): ReadableWritablePair<A, Input> => WebStream.make(runChunks(run))
