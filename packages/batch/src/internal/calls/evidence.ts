/**
 * What the requests of a run say together: whether any has succeeded, and whether failures may be the service's fault.
 *
 * A run without any success may have a bad service or only bad keys. It ends after a bounded number of requests, unless
 * so few keys are pending that each was requested alone. After a success, a key that was found tells the two apart.
 */
import { Effect, Latch, Semaphore } from "effect"

/** So few pending keys are each requested alone, even if nothing succeeds. */
export const fewKeys = 16

/** A run without a success ends after this many requests, and the logarithm of the largest batch. */
const extraRequests = 8

export interface Evidence {
  /** The number of successful requests. */
  readonly successes: () => number
  /** `sentAt`: when its request was sent, or earlier. */
  readonly recordSuccess: (sentAt: number) => void
  /** The latest time at which a request was sent that succeeded. */
  readonly lastSuccessSentAt: () => number
  readonly recordFailure: (keys: number) => void
  /** Makes a request, whose end another one may await. */
  readonly whileInFlight: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Tells whether the run must end, because nothing has succeeded and too many requests have failed. Waits for those in
   * flight first, because they may succeed.
   */
  readonly isHopeless: Effect.Effect<boolean>
  /** The requests that failed before any success. */
  readonly failures: () => number
  /** Counts keys as pending. */
  readonly add: (keys: number) => Effect.Effect<void>
  readonly remove: (keys: number) => Effect.Effect<void>
  /** Counts keys as pending while an effect runs. */
  readonly whilePending: <A, E, R>(keys: number, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Ends the waits of a run that ends with an error. */
  readonly fail: (error: unknown) => Effect.Effect<void>
  /** The error that ends the run. */
  readonly failure: () => { readonly error: unknown } | undefined
  /** No further keys will come. */
  readonly end: Effect.Effect<void>
  /** Lets one batch at a time look for the first success. */
  readonly explore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until failures count: a request has succeeded, few keys are pending, or the run is hopeless. */
  readonly awaitVerdict: Effect.Effect<void>
}

/** `isComplete`: whether the pending keys are all keys. */
export const make = (isComplete: boolean): Evidence => {
  const explorer = Semaphore.makeUnsafe(1)
  let successes = 0
  let lastSuccessSentAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let largestBatch = 1
  let pending = 0
  let inFlight = 0
  let hasEnded = isComplete
  let failure: { readonly error: unknown } | undefined
  let change = Latch.makeUnsafe(false)
  const notify = (): void => {
    const waiting = change
    change = Latch.makeUnsafe(false)
    waiting.openUnsafe()
  }
  const add = (keys: number): Effect.Effect<void> =>
    Effect.sync(() => {
      pending += keys
      notify()
    })
  const remove = (keys: number): Effect.Effect<void> => add(-keys)
  const areFew = (): boolean => hasEnded && pending <= fewKeys
  const seemsHopeless = (): boolean => {
    const limit = Math.ceil(Math.log2(Math.max(2, largestBatch))) + extraRequests
    return (
      successes === 0 && !areFew() && failures >= Math.max(limit, largestBatch <= fewKeys ? fewKeys + 2 : 0)
    )
  }
  const isHopeless: Effect.Effect<boolean> = Effect.suspend(() =>
    inFlight === 0 || !seemsHopeless()
      ? Effect.succeed(seemsHopeless())
      : Effect.andThen(change.await, isHopeless)
  )
  const awaitVerdict: Effect.Effect<void> = Effect.suspend(() =>
    successes > 0 || areFew() || seemsHopeless() || failure !== undefined
      ? Effect.void
      : Effect.andThen(change.await, awaitVerdict)
  )
  return {
    successes: () => successes,
    failures: () => failures,
    isHopeless,
    lastSuccessSentAt: () => lastSuccessSentAt,
    recordSuccess: (sentAt) => {
      lastSuccessSentAt = Math.max(lastSuccessSentAt, sentAt)
      if (++successes === 1) notify()
    },
    recordFailure: (keys) => {
      failures++
      largestBatch = Math.max(largestBatch, keys)
      if (seemsHopeless()) notify()
    },
    whileInFlight: (request) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          inFlight++
        }),
        () => request,
        () =>
          Effect.sync(() => {
            if (--inFlight === 0) notify()
          })
      ),
    add,
    remove,
    whilePending: (keys, effect) =>
      Effect.acquireUseRelease(
        add(keys),
        () => effect,
        () => remove(keys)
      ),
    fail: (error) =>
      Effect.sync(() => {
        failure ??= { error }
        notify()
      }),
    failure: () => failure,
    end: Effect.sync(() => {
      hasEnded = true
      notify()
    }),
    explore: (effect) => explorer.withPermit(effect),
    awaitVerdict
  }
}
