/**
 * Counts the successes and failures of a run, and tells whether the run is hopeless: no request has succeeded, and too many failed.
 *
 * A run without any success may have a bad service or only bad keys. It ends after a bounded number of requests, unless
 * so few keys are pending (read and not settled) that each was requested alone. After a success, a key that was found tells the
 * two apart. `settleKeys.ts` asks for these facts.
 */
import { Effect, Semaphore } from "effect"
import * as MonotonicClock from "../../MonotonicClock.ts"
import { ChangeSignal } from "../ChangeSignal.ts"

/** So few pending keys are each requested alone, even if nothing succeeds. */
export const fewKeys = 16

/** A run without a success ends after this many requests, and the logarithm of the largest batch. */
const extraRequests = 8

/** The successes and failures of one run. It is mutable state: its batches share it. */
export class RunHealth {
  /** The number of successful requests. */
  successes = 0
  /** When the latest successful request was sent, in milliseconds of the monotonic clock. */
  lastSuccessSentAt = Number.NEGATIVE_INFINITY
  /** When the latest outage was over, in milliseconds of the monotonic clock. */
  lastOutageAt = Number.NEGATIVE_INFINITY
  /** The requests that failed before any success. */
  failures = 0
  lastError: unknown
  /** The error that ends the run. */
  failure: { readonly error: unknown } | undefined
  private largestBatch = 1
  private pending = 0
  private inFlight = 0
  private hasEnded: boolean
  private readonly changes = new ChangeSignal()
  private readonly explorer = Semaphore.makeUnsafe(1)

  /** `isComplete`: whether the pending keys are all keys. */
  constructor(isComplete: boolean) {
    this.hasEnded = isComplete
  }

  /** `sentAt`: when its request was sent, or earlier. */
  recordSuccess(sentAt: number): void {
    this.lastSuccessSentAt = Math.max(this.lastSuccessSentAt, sentAt)
    if (++this.successes === 1) this.changes.notify()
  }

  readonly recordOutage = Effect.map(MonotonicClock.currentMillis, (now) => (this.lastOutageAt = now))

  recordFailure(keys: number, error: unknown): void {
    this.failures++
    this.lastError = error
    this.largestBatch = Math.max(this.largestBatch, keys)
    if (this.seemsHopeless()) this.changes.notify()
  }

  /** Makes a request, whose end another one may await. */
  whileInFlight<A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const move = (by: 1 | -1) =>
      Effect.sync(() => {
        this.inFlight += by
        if (this.inFlight === 0) this.changes.notify()
      })
    return Effect.acquireUseRelease(
      move(1),
      () => request,
      () => move(-1)
    )
  }

  /** Counts keys as pending. A negative number: as settled. */
  addPending(keys: number): Effect.Effect<void> {
    return Effect.sync(() => {
      this.pending += keys
      this.changes.notify()
    })
  }

  /** Counts keys as pending while an effect runs. */
  whilePending<A, E, R>(keys: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      this.addPending(keys),
      () => effect,
      () => this.addPending(-keys)
    )
  }

  /** Ends the waits of a run that ends with an error. */
  fail(error: unknown): Effect.Effect<void> {
    return Effect.sync(() => {
      this.failure ??= { error }
      this.changes.notify()
    })
  }

  /** No further keys will come. */
  readonly end: Effect.Effect<void> = Effect.sync(() => {
    this.hasEnded = true
    this.changes.notify()
  })

  /** Lets one batch at a time look for the first success. */
  explore<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.explorer.withPermit(effect)
  }

  /**
   * Tells whether the run must end, because nothing has succeeded and too many requests have failed. Waits for those in
   * flight first, because they may succeed.
   */
  readonly isHopeless: Effect.Effect<boolean> = Effect.suspend(() =>
    this.inFlight === 0 || !this.seemsHopeless()
      ? Effect.succeed(this.seemsHopeless())
      : Effect.andThen(this.changes.next, this.isHopeless)
  )

  /** Waits until failures count: a request has succeeded, few keys are pending, or the run is hopeless. */
  readonly awaitVerdict: Effect.Effect<void> = Effect.suspend(() =>
    this.successes > 0 || this.areFew() || this.seemsHopeless() || this.failure !== undefined
      ? Effect.void
      : Effect.andThen(this.changes.next, this.awaitVerdict)
  )

  private areFew(): boolean {
    return this.hasEnded && this.pending <= fewKeys
  }

  private seemsHopeless(): boolean {
    // The bisections from the largest batch to a single key.
    const depth = Math.ceil(Math.log2(Math.max(2, this.largestBatch)))
    // Few keys are each requested alone, so one more than these shows that there are not few.
    const limit = this.largestBatch <= fewKeys ? fewKeys + 1 : depth + extraRequests
    return this.successes === 0 && this.pending > fewKeys && this.failures >= limit
  }
}
