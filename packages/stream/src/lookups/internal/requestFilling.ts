/**
 * Fills the requests of a run: the identifiers of its batches wait for those of further batches, until a request is full.
 *
 * If all batches of the run wait, and no further one can begin before one of them ends, the gathered identifiers are requested
 * in requests that are not full. This also happens after a batch has waited for the window of the run.
 */
import { Availability, Batch, MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, Latch } from "effect"

/** The longest wait for further batches if the run has no window, e.g. because its input is slow. */
const defaultWindow: Duration.Input = "1 second"

/** A batch that waits, and the latch that wakes it. `isDone`: it has the responses that it needs. */
interface Waiter {
  readonly isDone: () => boolean
  readonly latch: Latch.Latch
}

/** The batches of a run, which fill their requests together. It is mutable state. */
export class RequestFilling {
  /** The number of batches at work: those that do not wait. */
  private working = 0
  private readonly waiters = new Set<Waiter>()

  /** Counts a batch as being at work while its call runs. */
  whileWorking<A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      this.count(1),
      () => call,
      () => this.count(-1)
    )
  }

  /** Wakes the batches that wait. */
  notify(): void {
    for (const { latch } of this.waiters) latch.openUnsafe()
  }

  /**
   * Waits until a batch has what it needs. One of the batches that wait requests what has been gathered (`flush`). Fails at
   * once if the run is stopped.
   */
  await<E>(
    isDone: () => boolean,
    flush: Effect.Effect<void, E>,
    window: Duration.Input = defaultWindow
  ): Effect.Effect<void, Availability.ServiceUnavailable | E> {
    const waiter: Waiter = { isDone, latch: Latch.makeUnsafe(false) }
    const wait = Effect.gen({ self: this }, function* () {
      // Says whether the input of the run can begin another batch.
      const supply = yield* Batch.Supply
      const end = (yield* MonotonicClock.currentMillis) + Duration.toMillis(window)
      for (;;) {
        waiter.latch.closeUnsafe()
        if (isDone()) return
        const left = end - (yield* MonotonicClock.currentMillis)
        // Nothing more will fill the requests: the window has passed, or no further batch can begin.
        const isDue = left <= 0 || supply.isExhausted()
        if (isDue && this.working === 0 && !this.isAnyDone()) {
          yield* this.whileWorking(flush)
          continue
        }
        const due = Effect.raceFirst(supply.exhausted, Effect.sleep(left))
        const { latch } = waiter
        yield* Availability.unlessStopped(isDue ? latch.await : Effect.raceFirst(latch.await, due))
      }
    })
    const whileWaiting = Effect.acquireUseRelease(
      Effect.andThen(
        Effect.sync(() => this.waiters.add(waiter)),
        this.count(-1)
      ),
      () => wait,
      () =>
        Effect.suspend(() => {
          this.waiters.delete(waiter)
          return this.count(1)
        })
    )
    return Effect.suspend(() => (isDone() ? Effect.void : whileWaiting))
  }

  /** Whether a batch has what it needs, and is about to work again. */
  private isAnyDone(): boolean {
    return [...this.waiters].some(({ isDone }) => isDone())
  }

  private count(change: 1 | -1): Effect.Effect<void> {
    return Effect.sync(() => {
      this.working += change
      if (this.working === 0) this.notify()
    })
  }
}
