/**
 * The queue of suggestions, apart from that of searches: one word at a time, few words waiting, and the words of lately
 * remembered. So misses, however many, leave the threads to the searches that find something.
 */
import type { DatabaseSync } from "node:sqlite"
import { Effect, Semaphore } from "effect"
import type { StoreError } from "../../../Store.ts"
import { arraysOf } from "../database/statements.ts"

/** How many words wait for their suggestions, one of them on a thread. A miss beyond them has no suggestions. */
export const mostPending = 4

/** How many words are remembered, until the database changes: who mistypes a name often sends it again. */
export const mostRemembered = 1000

type Suggest<E> = (word: string) => Effect.Effect<ReadonlyArray<string>, E>

/** Puts the queue in front of what finds suggestions. */
export const queued = <E extends StoreError>(database: DatabaseSync, suggest: Suggest<E>): Suggest<E> => {
  const versionOf = arraysOf(database)("PRAGMA data_version")
  const known = new Map<string, ReadonlyArray<string>>()
  const turn = Semaphore.makeUnsafe(1)
  let version: number | undefined
  let pending = 0
  const remember = (word: string, suggestions: ReadonlyArray<string>): void => {
    if (known.size >= mostRemembered) known.delete(known.keys().next().value as string)
    known.set(word, suggestions)
  }
  return (word) =>
    Effect.suspend(() => {
      const [now] = versionOf.get() as unknown as readonly [number]
      if (now !== version) known.clear()
      version = now
      const found = known.get(word)
      if (found !== undefined) return Effect.succeed(found)
      if (pending >= mostPending) return Effect.succeed([])
      pending++
      return suggest(word).pipe(
        turn.withPermit,
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
