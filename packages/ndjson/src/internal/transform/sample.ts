/**
 * Some records by chance, the same ones for the same seed: `sample`.
 */
import type { Stream } from "effect"
import { feed } from "../feed.ts"
import { detached } from "./arena.ts"

/** A share of the records, or a number of them; `seed` is any whole number, and decides which. */
export type SampleOptions =
  | { readonly fraction: number; readonly seed: number }
  | { readonly count: number; readonly seed: number }

/**
 * Some of the records, in their order; the same for the same seed and input, however the stream is cut.
 *
 * - `fraction`: each record with this chance, from 0 to 1, as it passes.
 * - `count`: exactly so many, or all if there are fewer, each with the same chance. They are held in memory, and emitted
 *   at the end (reservoir sampling, Vitter's algorithm R).
 *
 * Throws a `RangeError` for a fraction or count out of range. Not for secrets: the generator is a small one (sfc32).
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const ids = Stream.range(1, 1000).pipe(Stream.map((id) => ({ id })))
 * const some = await Effect.runPromise(ids.pipe(Transform.sample({ count: 3, seed: 7 }), Stream.runCollect))
 * some.length // => 3
 * const again = await Effect.runPromise(ids.pipe(Transform.sample({ count: 3, seed: 7 }), Stream.runCollect))
 * again // => some
 * ```
 */
export const sample = (
  options: SampleOptions
): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>) => {
  if (!Number.isSafeInteger(options.seed))
    throw new RangeError(`seed must be a whole number, got ${options.seed}`)
  if ("fraction" in options) return byFraction(options.fraction, options.seed)
  return byCount(options.count, options.seed)
}

const byFraction = (
  fraction: number,
  seed: number
): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>) => {
  if (!(fraction >= 0 && fraction <= 1)) throw new RangeError(`fraction must be from 0 to 1, got ${fraction}`)
  return <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    self.pipe(
      feed<A, A, never>(() => {
        const next = random(seed)
        return {
          push: (record, out) => {
            if (next() < fraction) out.push(record)
            return undefined
          },
          end: () => undefined
        }
      })
    )
}

const byCount = (
  count: number,
  seed: number
): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>) => {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`count must be a whole number of records, got ${count}`)
  }
  return <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    self.pipe(
      feed<A, A, never>(() => {
        const next = random(seed)
        const chosen: Array<{ readonly index: number; readonly record: A }> = []
        let index = 0
        return {
          push: (record) => {
            const place = index < count ? index : Math.floor(next() * (index + 1))
            if (place < count) chosen[place] = { index, record: detached(record) }
            index++
            return undefined
          },
          end: (out) => {
            chosen.sort((a, b) => a.index - b.index)
            for (const { record } of chosen) out.push(record)
            return undefined
          }
        }
      })
    )
}

/** Numbers from 0 to 1, with 53 bits: sfc32 of Chris Doty-Humphrey's PractRand. */
const random = (seed: number): (() => number) => {
  let a = 0
  let b = seed | 0
  let c = Math.floor(seed / 2 ** 32) | 0
  let counter = 1
  const next = (): number => {
    const t = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53
}
