/**
 * Limits suggestions: one word at a time, a few pending words, and a cache of recent ones.
 *
 * Many misses then do not delay other searches.
 */
import type { DatabaseSync } from "node:sqlite"
import { Effect, Semaphore } from "effect"
import type { StoreError } from "../../../Store.ts"
import { arraysOf } from "../database/sqlReads.ts"

/** The largest number of pending words, with the one on a thread. Further misses get no suggestions. */
export const maxPending = 4

/** The number of cached words. A change of the database clears the cache. */
export const cacheSize = 1000

type Suggest<E> = (word: string) => Effect.Effect<ReadonlyArray<string>, E>

/** Puts the queue in front of a function that makes suggestions. */
export const withQueue = <E extends StoreError>(database: DatabaseSync, suggest: Suggest<E>): Suggest<E> => {
  const versionOf = arraysOf(database)("PRAGMA data_version")
  const cache = new Map<string, ReadonlyArray<string>>()
  const lock = Semaphore.makeUnsafe(1)
  let version: number | undefined
  let pending = 0
  const remember = (word: string, suggestions: ReadonlyArray<string>): void => {
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value as string)
    cache.set(word, suggestions)
  }
  return (word) =>
    Effect.suspend(() => {
      const [now] = versionOf.get() as unknown as readonly [number]
      if (now !== version) cache.clear()
      version = now
      const found = cache.get(word)
      if (found !== undefined) return Effect.succeed(found)
      if (pending >= maxPending) return Effect.succeed([])
      pending++
      return suggest(word).pipe(
        lock.withPermit,
        Effect.tap((suggestions) =>
          Effect.sync(() => {
            if (now === version) remember(word, suggestions)
          })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            pending--
          })
        )
      )
    })
}
