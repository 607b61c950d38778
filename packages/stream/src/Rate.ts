/**
 * How fast a stream passes: a meter that the stream moves and that is read whenever one likes.
 *
 * Costs the stream one addition an array, and needs no timer: read while nothing passes it falls to 0. For a run with a
 * ledger, `Progress` has a rate beside the rest.
 */
import { MonotonicClock } from "@chemstream/client"
import { Duration, Effect, Stream } from "effect"

/** The past that the rate is taken over when not set. */
export const defaultWindow: Duration.Input = "10 seconds"

/** The parts a window has: what is older than the window is forgotten part by part. */
const parts = 20

/** Counts what passes. One meter may count several streams: it then has the rate of all together. */
export interface Meter {
  /** Counts elements that pass now. */
  readonly add: (count: number) => Effect.Effect<void>
  /**
   * Elements a second over the window that ends now, or since the first element where that is shorter ago; 0 before it.
   * Exact to a twentieth of the window.
   */
  readonly rate: Effect.Effect<number>
}

/**
 * A meter at rest. `window` is the past that its rate is taken over, 10 seconds when not given.
 *
 * @example
 * ```ts
 * import { Rate } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const meter = Rate.make({ window: "1 second" })
 * const program = Effect.gen(function* () {
 *   const all = yield* Stream.make("a", "b").pipe((stream) => Rate.of(stream, meter), Stream.runCollect)
 *   return { all, isMoving: (yield* meter.rate) > 0 }
 * })
 * await Effect.runPromise(program) // => { all: ["a", "b"], isMoving: true }
 * ```
 */
export const make = (options: { readonly window?: Duration.Input | undefined } = {}): Meter => {
  const window = Math.max(parts, Duration.toMillis(Duration.fromInputUnsafe(options.window ?? defaultWindow)))
  const width = window / parts
  /** The counts of the last parts, each at its number modulo their number. */
  const counts = new Float64Array(parts)
  let began: number | undefined
  /** The number of the part that was last counted in. */
  let last = 0

  /** Forgets what is older than the window that ends at `now`. */
  const advance = (now: number): void => {
    const current = Math.floor(now / width)
    for (let part = Math.max(last + 1, current - parts + 1); part <= current; part++) counts[part % parts] = 0
    last = Math.max(last, current)
  }

  return {
    add: (count) =>
      Effect.map(MonotonicClock.currentMillis, (now) => {
        began ??= now
        advance(now)
        counts[last % parts] = (counts[last % parts] as number) + count
      }),
    rate: Effect.map(MonotonicClock.currentMillis, (now) => {
      if (began === undefined) return 0
      advance(now)
      // The part that now lies in has only begun: the parts reach back this far.
      const span = now - Math.max(began, (last - parts + 1) * width)
      const sum = counts.reduce((total, count) => total + count, 0)
      // Within the first millisecond the time passed is not known any better.
      return (sum * 1000) / Math.max(1, span)
    })
  }
}

/** The same stream, which moves the meter as it passes. */
export const of = <A, E, R>(stream: Stream.Stream<A, E, R>, meter: Meter): Stream.Stream<A, E, R> =>
  Stream.mapArrayEffect(stream, (items) => Effect.as(meter.add(items.length), items))
