/**
 * Writes values or raw records as one JSON array, with an element on each line, in bounded memory.
 *
 * Elements are written as `Ndjson` writes lines. `RawArray` reads arrays.
 */
import type { Stream } from "effect"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { arrayOfLines } from "./internal/arrayOfLines.ts"
import * as Ndjson from "./Ndjson.ts"

/**
 * Writes values as an array, each as `JSON.stringify` does. Fails as `Ndjson.encode` does. The closing bracket is then
 * missing, so readers reject the output.
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
    Ndjson.encode()(self).pipe(feed(arrayOfLines))

/**
 * Writes records as an array, each with its original text on one line.
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
    Ndjson.encodeRaw()(self).pipe(feed(arrayOfLines))
