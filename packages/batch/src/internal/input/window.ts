/**
 * Limits how many batches of a run are in memory.
 *
 * Batches that are requested, or that wait for the reader of the outcomes, are limited in number. Batches that wait only
 * for an earlier one are limited in bytes, so one slow batch leaves the other slots at work.
 */
import { Effect } from "effect"
import { Changes } from "../changes.ts"

/** The largest size of the batches that wait for an earlier one, in bytes. */
const maxBytes = 64 * 1024 * 1024

/** A batch in memory. */
export interface Place {
  readonly settle: (bytes: number) => void
  readonly leave: () => void
}

export interface Window {
  /** Waits for a place. One batch at a time enters. */
  readonly enter: Effect.Effect<Place>
  /** Frees the place of a batch that waits for other batches, while an effect runs. */
  readonly whileHeld: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Makes a window of this many batches. `isOrdered`: whether batches leave in the order in which they entered. */
export const make = (size: number, isOrdered: boolean): Window => {
  const places = new Set<{ bytes: number | undefined }>()
  let held = 0
  const changes = new Changes()
  const isFree = (): boolean => {
    let active = -held
    let waiting = 0
    let isFirst = true
    for (const { bytes } of places) {
      if (bytes === undefined) isFirst = isFirst && !isOrdered
      if (bytes === undefined || isFirst) active++
      else waiting += bytes
    }
    return active < size && waiting < maxBytes
  }
  const enter: Effect.Effect<Place> = Effect.suspend(() => {
    if (!isFree()) return Effect.andThen(changes.next, enter)
    const place: { bytes: number | undefined } = { bytes: undefined }
    places.add(place)
    return Effect.succeed({
      settle: (bytes) => {
        place.bytes = bytes
        changes.notify()
      },
      leave: () => {
        places.delete(place)
        changes.notify()
      }
    })
  })
  const hold = (change: 1 | -1) =>
    Effect.sync(() => {
      held += change
      changes.notify()
    })
  return {
    enter,
    whileHeld: (effect) =>
      Effect.acquireUseRelease(
        hold(1),
        () => effect,
        () => hold(-1)
      )
  }
}
