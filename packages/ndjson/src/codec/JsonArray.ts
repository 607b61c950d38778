/**
 * Values or raw records to the bytes of one JSON array, an element on each line, in bounded memory: `[`, the elements,
 * `]`; an empty array where there is none.
 *
 * The elements are written as `Ndjson` writes lines. Reading an array is `RawArray`'s.
 */
import type { Stream } from "effect"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { arrayOfLines } from "./internal/arrayOfLines.ts"
import * as Ndjson from "./Ndjson.ts"

/**
 * An array of the values, each as `JSON.stringify` writes it. Fails as `Ndjson.encode` does; what came before an error
 * is then an array without its end, so no reader takes it for a complete one.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { JsonArray } from "@chemstream/ndjson"
 *
 * const text = Stream.make({ id: 1 }, { id: 2 }).pipe(JsonArray.encode(), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '[\n{"id":1},\n{"id":2}\n]\n'
 * ```
 */
export const encode =
  (): (<A, E, R>(
    self: Stream.Stream<A, E, R>
  ) => Stream.Stream<Uint8Array, E | Ndjson.NdjsonEncodeError, R>) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<Uint8Array, E | Ndjson.NdjsonEncodeError, R> =>
    self.pipe(Ndjson.encode(), feed(arrayOfLines))

/**
 * An array of the records, each with its text as it was, on one line.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { JsonArray, Ndjson } from "@chemstream/ndjson"
 *
 * const lines = Stream.make('{"mass":3850.0}\n{"mass":1e2}\n').pipe(Stream.encodeText)
 * const text = lines.pipe(Ndjson.decodeRaw(), JsonArray.encodeRaw(), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '[\n{"mass":3850.0},\n{"mass":1e2}\n]\n'
 * ```
 */
export const encodeRaw =
  (): (<E, R>(self: Stream.Stream<RawRecord, E, R>) => Stream.Stream<Uint8Array, E, R>) =>
  <E, R>(self: Stream.Stream<RawRecord, E, R>): Stream.Stream<Uint8Array, E, R> =>
    self.pipe(Ndjson.encodeRaw(), feed(arrayOfLines))
