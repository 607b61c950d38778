/**
 * Writes raw records as one JSON array, with an element on each line, in bounded memory.
 *
 * `RawArray` reads arrays.
 */
import type { Stream } from "effect"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { arrayOfLines } from "./internal/arrayOfLines.ts"
import * as Ndjson from "./Ndjson.ts"

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
