/**
 * The elements of a JSON array as raw records, cut out of the bytes without building any of them: a whole body with
 * `cut`, a body of any length in bounded memory with `decode`.
 *
 * Checks the structure (strings end, brackets match, commas stand between elements, nothing follows), not the grammar
 * inside an element: that is `RawRecord.parse`. Handles the array at the root only, in UTF-8. What an element holds is
 * `RawRecord`'s, writing lines is `Ndjson`'s.
 */
import { Result, type Stream } from "effect"
import { atLeastOne } from "./internal/bound.ts"
import { feed } from "./internal/feed.ts"
import { Scanner } from "./internal/scanner.ts"
import type { RawJsonError } from "./RawJsonError.ts"
import type { RawRecord } from "./RawRecord.ts"

/** The default of `maxElementBytes`: 64 MiB. */
export const MAX_ELEMENT_BYTES: number = 64 * 1024 * 1024

export interface DecodeOptions {
  /** The longest element, in bytes; a longer one fails with `too-large`. Default 64 MiB. */
  readonly maxElementBytes?: number | undefined
}

/**
 * The elements of a whole body, in order, as views of it: no copy is made.
 *
 * Allows a byte-order mark and white space; an empty array gives `[]`. Fails with the reason and byte offset of the
 * first thing that is wrong, elements before it included: use `decode` to keep those.
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
export const cut = (bytes: Uint8Array): Result.Result<ReadonlyArray<RawRecord>, RawJsonError> => {
  const scanner = new Scanner(Number.POSITIVE_INFINITY)
  const out: Array<RawRecord> = []
  const error = scanner.push(bytes, out) ?? scanner.end()
  return error === undefined ? Result.succeed(out) : Result.fail(error)
}

/**
 * The elements of a body that arrives in chunks, wherever those end. An element inside one chunk is a view of it, one
 * that spans chunks is copied once; nothing else is held. Elements before an error are emitted before it.
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
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<RawRecord, E | RawJsonError, R>) => {
  const max = atLeastOne("maxElementBytes", options?.maxElementBytes ?? MAX_ELEMENT_BYTES)
  return feed(() => new Scanner(max))
}
