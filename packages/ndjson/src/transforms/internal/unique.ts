/**
 * The first record of each key: `uniqueBy`.
 */
import type { Stream } from "effect"
import { atLeastOne } from "../../internal/bounds.ts"
import { type Keys, keyName, keyReader } from "./key.ts"
import { runStep } from "./recordStep.ts"
import { TransformError } from "./transformError.ts"

/** The default of `uniqueBy`'s `maxBytes`: 256 MiB, which is about three million short keys. */
export const MAX_KEY_BYTES: number = 256 * 1024 * 1024

// What a key costs in a set besides its characters.
const KEY_OVERHEAD = 64

// The most entries of a V8 set.
const MAX_KEYS = 2 ** 24 - 1

/** The options of `unique`. */
export interface UniqueOptions {
  /**
   * The most memory for keys: each counts 64 bytes and two for each character. One more fails with `too-large`. Default
   * 256 MiB.
   */
  readonly maxBytes?: number | undefined
  /**
   * Compare only with the record before, which needs no memory for keys: for a stream whose equal keys stand together, as
   * after `sortBy`. Default false.
   */
  readonly adjacent?: boolean | undefined
}

/**
 * The first record of each key, in the order of the stream; of several fields, all have to be equal. A string is never
 * equal to a number, and the numbers of raw records are compared by all of their digits. A record without a key, `null`
 * or absent in every field, is no duplicate of another, and is passed on.
 *
 * Fails with `too-large` when the keys outgrow `maxBytes`, with `not-a-key` on an array or object in the field, and with
 * `malformed` on a raw record whose fields cannot be read.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const hits = Stream.make({ id: "a", n: 1 }, { id: "b", n: 2 }, { id: "a", n: 3 })
 * await Effect.runPromise(hits.pipe(Transform.uniqueBy("id"), Stream.runCollect))
 * // => [{ id: "a", n: 1 }, { id: "b", n: 2 }]
 * await Effect.runPromise(hits.pipe(Transform.uniqueBy((record) => record.n % 2), Stream.runCollect))
 * // => [{ id: "a", n: 1 }, { id: "b", n: 2 }]
 * ```
 */
export const uniqueBy = <A extends object>(
  keys: Keys<A>,
  options?: UniqueOptions
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | TransformError, R>) => {
  const maxBytes = atLeastOne("maxBytes", options?.maxBytes ?? MAX_KEY_BYTES)
  const adjacent = options?.adjacent === true
  const read = keyReader("uniqueBy", keys)
  return runStep<A, A>(() => {
    const seen = new Set<string>()
    let last: string | undefined
    let bytes = 0
    return (record, index, out) => {
      const scalars = read(record, index)
      if (scalars instanceof TransformError) return scalars
      const name = keyName(scalars)
      if (name !== undefined && (adjacent ? name === last : seen.has(name))) return undefined
      if (adjacent) last = name
      else if (name !== undefined) {
        bytes += KEY_OVERHEAD + 2 * name.length
        if (bytes > maxBytes || seen.size === MAX_KEYS) return tooManyKeys(index, seen.size, maxBytes)
        seen.add(name)
      }
      out.push(record)
      return undefined
    }
  })
}

const tooManyKeys = (index: number, count: number, maxBytes: number): TransformError =>
  new TransformError({
    reason: "too-large",
    transform: "uniqueBy",
    index,
    message: `uniqueBy: at record ${index} the keys of ${count} records fill the ${maxBytes} bytes allowed. Raise maxBytes, or sort by the same keys first and set adjacent`
  })
