/** Maps the items of a stream with a function that may throw. */
import { Array as Arr, Effect, Stream } from "effect"

/** Maps items. If `map` throws, the items before come first, and then the stream ends as `end` says. */
export const mapEach = <A, B, E, R, F = never>(
  items: Stream.Stream<A, E, R>,
  map: (item: A, index: number) => B,
  end: (error: unknown) => Effect.Effect<never, F>
): Stream.Stream<B, E | F, R> =>
  Stream.transformPull(items, (upstream) =>
    Effect.sync(() => {
      let index = 0
      let failure: Effect.Effect<never, F> | undefined
      return Effect.suspend(() =>
        failure === undefined
          ? Effect.flatMap(upstream, (chunk) => {
              const mapped: Array<B> = []
              try {
                for (const item of chunk) mapped.push(map(item, index++))
              } catch (error) {
                failure = end(error)
              }
              return Arr.isArrayNonEmpty(mapped)
                ? Effect.succeed(mapped)
                : (failure as Effect.Effect<never, F>)
            })
          : failure
      )
    })
  )
