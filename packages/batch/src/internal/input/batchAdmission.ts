/**
 * Decides when another batch may enter the memory of a run, and tells the calls that wait for more keys when no batch can begin
 * (`supply.ts`).
 *
 * Batches that are requested, or that wait for the reader of the outcomes, are limited in number. Batches that wait only
 * for an earlier one are limited in bytes, so one slow batch leaves the other slots at work.
 */
import { Effect } from "effect"
import { ChangeSignal } from "../ChangeSignal.ts"
import type { Supply } from "./supply.ts"

/** The largest size of the batches that wait for an earlier one, in bytes. */
const maxBytes = 64 * 1024 * 1024

/** A batch in memory. */
export interface Place {
  readonly supply: Supply
  /** Records that its call begins. */
  readonly begin: () => void
  /** Records that its keys are settled, and the bytes of its responses. */
  readonly settle: (bytes: number) => void
  /** Its outcomes have been emitted. */
  readonly leave: () => void
}

/** The batches in memory. */
export interface BatchAdmission {
  /** Waits for a place. One batch at a time enters. */
  readonly enter: Effect.Effect<Place>
  /** Frees the place of a batch that waits for other batches, while an effect runs. */
  readonly whileWaiting: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** No further batch comes. */
  readonly end: Effect.Effect<void>
}

/**
 * Makes the limit of a run with this many calls at once. A quarter more batches are prepared or read. `isOrdered`: whether batches leave in the
 * order in which they entered.
 */
export const make = (concurrency: number, isOrdered: boolean): BatchAdmission => {
  const size = concurrency + Math.ceil(concurrency / 4)
  const places = new Set<{ bytes: number | undefined; hasBegun: boolean }>()
  /** The batches that wait for other batches, and do not count. */
  let waitingBatches = 0
  /** Whether no batch can enter now: one waits to enter, or the input has ended. */
  let isShut = false
  const changes = new ChangeSignal()
  /** Whether another batch may enter. In ordered mode, the first open batch makes all later ones wait. */
  const isFree = (): boolean => {
    // The loop counts the waiting ones, too.
    let active = -waitingBatches
    let waitingBytes = 0
    let isNextToLeave = true
    for (const { bytes } of places) {
      if (bytes === undefined) isNextToLeave = isNextToLeave && !isOrdered
      if (bytes === undefined || isNextToLeave) active++
      else waitingBytes += bytes
    }
    return active < size && waitingBytes < maxBytes
  }
  /** Records that no batch can enter now, which calls may wait for. */
  const shut = (): void => {
    isShut = true
    changes.notify()
  }
  /** Whether no batch can begin before an open one is settled: none enters now, and each open one that has a slot has begun. */
  const isExhausted = (): boolean => {
    const open = [...places].filter(({ bytes }) => bytes === undefined)
    const begun = open.filter(({ hasBegun }) => hasBegun).length
    return isShut && begun >= Math.min(open.length, concurrency)
  }
  const exhausted: Effect.Effect<void> = Effect.suspend(() =>
    isExhausted() ? Effect.void : Effect.andThen(changes.next, exhausted)
  )
  const enter: Effect.Effect<Place> = Effect.suspend(() => {
    if (!isFree()) {
      if (!isShut) shut()
      return Effect.andThen(changes.next, enter)
    }
    isShut = false
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
  const countWaiting = (change: 1 | -1) =>
    Effect.sync(() => {
      waitingBatches += change
      changes.notify()
    })
  return {
    enter,
    end: Effect.sync(shut),
    whileWaiting: (effect) =>
      Effect.acquireUseRelease(
        countWaiting(1),
        () => effect,
        () => countWaiting(-1)
      )
  }
}
