/**
 * Limits how many batches of a run are in memory.
 *
 * Batches that are requested, or that wait for the reader of the outcomes, are limited in number. Batches that wait only
 * for an earlier one are limited in bytes, so one slow batch leaves the other slots at work.
 */
import { Context, Effect } from "effect"
import { ChangeSignal } from "../ChangeSignal.ts"

/** The largest size of the batches that wait for an earlier one, in bytes. */
const maxBytes = 64 * 1024 * 1024

/** A batch in memory. */
export interface Place {
  readonly supply: Supply
  /** Its call begins. */
  readonly begin: () => void
  readonly settle: (bytes: number) => void
  readonly leave: () => void
}

/**
 * Whether further batches of a run can begin before one of those that have begun ends. A call that gathers the values of several
 * batches can wait for the others, as long as its run is not exhausted.
 */
export interface Supply {
  /** Whether the run is exhausted: no batch is read or admitted now, and each admitted batch with a slot has begun. */
  readonly isExhausted: () => boolean
  /** Waits until the run is exhausted. */
  readonly exhausted: Effect.Effect<void>
}

/** The supply of the run in whose scope a call is made. Default: nothing comes. */
export const Supply: Context.Reference<Supply> = Context.Reference<Supply>("@chemstream/batch/Supply", {
  defaultValue: () => ({ isExhausted: () => true, exhausted: Effect.void })
})

export interface Window {
  /** Waits for a place. One batch at a time enters. */
  readonly enter: Effect.Effect<Place>
  /** Frees the place of a batch that waits for other batches, while an effect runs. */
  readonly whileHeld: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** No further batch comes. */
  readonly end: Effect.Effect<void>
}

/**
 * Makes a window for a run with this many calls at once. A quarter more batches are prepared or read. `isOrdered`: whether batches leave in the
 * order in which they entered.
 */
export const make = (concurrency: number, isOrdered: boolean): Window => {
  const size = concurrency + Math.ceil(concurrency / 4)
  const places = new Set<{ bytes: number | undefined; hasBegun: boolean }>()
  let held = 0
  /** Whether no batch can enter now: one waits to enter, or the input has ended. */
  let isClosed = false
  const changes = new ChangeSignal()
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
  const close = (): void => {
    isClosed = true
    changes.notify()
  }
  const isExhausted = (): boolean => {
    const open = [...places].filter(({ bytes }) => bytes === undefined)
    const begun = open.filter(({ hasBegun }) => hasBegun).length
    return isClosed && begun >= Math.min(open.length, concurrency)
  }
  const exhausted: Effect.Effect<void> = Effect.suspend(() =>
    isExhausted() ? Effect.void : Effect.andThen(changes.next, exhausted)
  )
  const enter: Effect.Effect<Place> = Effect.suspend(() => {
    if (!isFree()) {
      if (!isClosed) close()
      return Effect.andThen(changes.next, enter)
    }
    isClosed = false
    const place: { bytes: number | undefined; hasBegun: boolean } = { bytes: undefined, hasBegun: false }
    places.add(place)
    return Effect.succeed({
      supply: { isExhausted, exhausted },
      begin: () => {
        if (place.hasBegun) return
        place.hasBegun = true
        changes.notify()
      },
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
    end: Effect.sync(close),
    whileHeld: (effect) =>
      Effect.acquireUseRelease(
        hold(1),
        () => effect,
        () => hold(-1)
      )
  }
}
