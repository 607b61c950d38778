/** Removes records with a duplicate key: `uniqueBy`. */
import type { Stream } from "effect"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import { type Keys, keyName, keyReader } from "./recordKey.ts"
import { runStep } from "./recordStep.ts"
import { failure, TransformError } from "./transformError.ts"

/** The default of `maxBytes` of `uniqueBy`: 256 MiB, about three million short keys. */
export const MAX_KEY_BYTES: number = 256 * 1024 * 1024

// The overhead of a key in a set, in bytes.
const KEY_OVERHEAD = 64

// The largest size of a set in V8.
const MAX_KEYS = 2 ** 24 - 1

/** The options of `uniqueBy`. */
export interface UniqueOptions {
  /**
   * The largest memory for keys, in bytes. Each key counts 64 bytes and two for each character. A larger set fails
   * with `too-large`. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined
  /**
   * Whether a record is compared only with the record before it, which needs no memory for keys. Use it if equal keys
   * are neighbours, as after `sortBy`. Default: false.
   */
  readonly adjacent?: boolean | undefined
}

/**
 * Keeps the first record of each key, in the order of the stream. With several fields, all must be equal. A string
 * never equals a number; numbers of raw records are compared by all digits. A record without a key (`null` or absent
 * in every field) is always kept.
 *
 * Fails with `too-large` if the keys exceed `maxBytes`, with `not-a-key` if the field is an array or object, and with
 * `malformed` for a malformed raw record.
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
  knownOptions("uniqueBy", options, { maxBytes: true, adjacent: true })
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
  failure(
    "uniqueBy",
    "too-large",
    `the keys exceed ${maxBytes} bytes at record ${index}, after ${count} keys. Raise maxBytes, or sort by the same keys first and set adjacent`,
    { index }
  )
