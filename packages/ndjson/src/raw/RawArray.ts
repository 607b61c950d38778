/**
 * Cuts the elements of a JSON array as raw records, without building them: a whole body with `cut`, a body of any
 * length in bounded memory with `decode`.
 *
 * It checks the structure: ends of strings, brackets, commas between elements, nothing after the array.
 * `RawRecord.parse` checks the grammar within an element. The array must be the whole text, in UTF-8. `Ndjson` writes
 * lines.
 */
import type { Stream } from "effect"
import * as Result from "effect/Result"
import { argument } from "../internal/argumentChecks.ts"
import { LF } from "../internal/jsonBytes.ts"
import { atLeastOne, knownOptions } from "../internal/optionChecks.ts"
import { type Feeder, feedBytes } from "../streams/internal/pushParser.ts"
import { type Elements, records } from "./internal/arrayElements.ts"
import { Scanner } from "./internal/arrayScanner.ts"
import type { RawJsonError } from "./RawJsonError.ts"
import type { RawRecord } from "./RawRecord.ts"
import type { RawShape, Reading } from "./RawShape.ts"

/** The default of `maxElementBytes`: 64 MiB. */
export const MAX_ELEMENT_BYTES: number = 64 * 1024 * 1024

/** The options of cutting chunks. */
export interface DecodeOptions {
  /** The longest element, in bytes. A longer one fails with `too-large`. Default: 64 MiB. */
  readonly maxElementBytes?: number | undefined
}

/**
 * Cuts a whole body into its elements, as views without a copy.
 *
 * Allows a byte-order mark and white space. Fails with the reason and byte offset of the first fault. It then returns
 * no elements; `decode` emits the elements before the fault.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawArray, RawRecord } from "@chemstream/ndjson"
 *
 * const body = new TextEncoder().encode('[{"id":1,"mass":3850.0}, {"id":2}]')
 * Result.getOrThrow(RawArray.cut(body)).map(RawRecord.toText)
 * // => ['{"id":1,"mass":3850.0}', '{"id":2}']
 * ```
 */
export const cut = (bytes: Uint8Array): Result.Result<ReadonlyArray<RawRecord>, RawJsonError> =>
  cutInto(bytes, records)

/**
 * As `cut`, and reads each element with a shape in the same pass: its key and its differences. Also fails if an
 * object is malformed at its top level.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawArray, RawShape } from "@chemstream/ndjson"
 *
 * const shape = RawShape.make({ kinds: { id: "string", mass: ["number", "null"] }, key: "id" })
 * const body = new TextEncoder().encode('[{"id":"a","mass":3850.0},{"id":"b","mass":"12"}]')
 * const readings = Result.getOrThrow(RawArray.cutWith(body, shape))
 * readings.map((reading) => [reading.key, reading.drift.length]) // => [["a", 0], ["b", 1]]
 * ```
 */
export const cutWith = (
  bytes: Uint8Array,
  shape: RawShape
): Result.Result<ReadonlyArray<Reading>, RawJsonError> =>
  cutInto(bytes, argument("shape", "a RawShape", shape).elements)

/**
 * As `cutWith`, but overwrites the comma or bracket after each element with a line feed, so that `Ndjson.lines`
 * returns neighbouring elements without a copy. The caller must own the bytes. After success they are no longer an
 * array; after a failure they are unchanged.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { Ndjson, RawArray, RawShape } from "@chemstream/ndjson"
 *
 * const body = new TextEncoder().encode('[{"id":"a"},{"id":"b"}]')
 * const readings = Result.getOrThrow(RawArray.cutLines(body, RawShape.make({ key: "id" })))
 * const lines = Ndjson.lines(readings)
 * new TextDecoder().decode(lines) // => '{"id":"a"}\n{"id":"b"}\n'
 * lines.buffer === body.buffer // => true
 * ```
 */
export const cutLines = (
  bytes: Uint8Array,
  shape: RawShape
): Result.Result<ReadonlyArray<Reading>, RawJsonError> => {
  const readings = cutWith(bytes, shape)
  if (Result.isSuccess(readings)) for (const { end } of readings.success) bytes[end] = LF
  return readings
}

/**
 * Cuts a body that arrives in chunks. An element within a chunk is a view of it; an element that spans chunks is
 * copied once. Elements before an error are emitted first.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawArray, RawRecord } from "@chemstream/ndjson"
 *
 * const chunks = Stream.make("[1, {", '"a":2}]').pipe(Stream.encodeText)
 * const texts = chunks.pipe(RawArray.decode(), Stream.map(RawRecord.toText), Stream.runCollect)
 * await Effect.runPromise(texts) // => ["1", '{"a":2}']
 * ```
 */
export const decode = (
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<RawRecord, E | RawJsonError, R>) =>
  feedBytes(scannerOf(records, options))

/**
 * As `decode`, and reads each element with a shape, as `cutWith` does.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawArray, RawShape } from "@chemstream/ndjson"
 *
 * const shape = RawShape.make({ key: "id" })
 * const chunks = Stream.make('[{"id":1},{"i', 'd":2}]').pipe(Stream.encodeText)
 * const keys = chunks.pipe(RawArray.decodeWith(shape), Stream.map(({ key }) => key), Stream.runCollect)
 * await Effect.runPromise(keys) // => [1, 2]
 * ```
 */
export const decodeWith = (
  shape: RawShape,
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Reading, E | RawJsonError, R>) =>
  feedBytes(scannerOf(argument("shape", "a RawShape", shape).elements, options))

const cutInto = <Out>(
  bytes: Uint8Array,
  elements: Elements<Out>
): Result.Result<ReadonlyArray<Out>, RawJsonError> => {
  const scanner = new Scanner(Number.POSITIVE_INFINITY, elements)
  const out: Array<Out> = []
  const error = scanner.push(argument("bytes", "a Uint8Array", bytes), out) ?? scanner.end()
  return error === undefined ? Result.succeed(out) : Result.fail(error)
}

/** Returns the function that makes a scanner for each run. */
const scannerOf = <Out>(
  elements: Elements<Out>,
  options: DecodeOptions | undefined
): (() => Feeder<Uint8Array, Out, RawJsonError>) => {
  knownOptions("RawArray.decode", options, { maxElementBytes: true })
  const max = atLeastOne("maxElementBytes", options?.maxElementBytes ?? MAX_ELEMENT_BYTES)
  return () => new Scanner(max, elements)
}
