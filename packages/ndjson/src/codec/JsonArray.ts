/**
 * Writes raw records as one JSON array, with an element on each line, in bounded memory.
 *
 * `RawArray` reads arrays.
 */
import type { Stream } from "effect"
import { COMMA, LF } from "../internal/jsonBytes.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { type Feeder, feed } from "../streams/internal/pushParser.ts"
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

const encoder = new TextEncoder()
const OPEN = encoder.encode("[\n")
const BETWEEN = encoder.encode(",\n")
const CLOSE = encoder.encode("\n]\n")
const EMPTY = encoder.encode("[]\n")

/** Makes the array of the bytes of lines. Every line must end with LF, and none may be blank. */
const arrayOfLines = (): Feeder<Uint8Array, Uint8Array, never> => {
  // The text before the next line. Undefined: within a line.
  let before: Uint8Array | undefined = OPEN
  return {
    push: (bytes, out) => {
      if (bytes.length === 0) return undefined
      if (before !== undefined) out.push(before)
      const last = bytes.length - 1
      const complete = bytes[last] === LF
      before = complete ? BETWEEN : undefined
      out.push(withCommas(complete ? bytes.subarray(0, last) : bytes))
      return undefined
    },
    end: (out) => {
      out.push(before === OPEN ? EMPTY : CLOSE)
      return undefined
    }
  }
}

/** Adds a comma before each LF. */
const withCommas = (bytes: Uint8Array): Uint8Array => {
  let breaks = 0
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LF) breaks++
  const out = new Uint8Array(bytes.length + breaks)
  let o = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === LF) out[o++] = COMMA
    out[o++] = byte
  }
  return out
}
