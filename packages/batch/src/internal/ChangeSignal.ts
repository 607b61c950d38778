/** Wakes fibers that wait for a change of some state. */
import { type Effect, Latch } from "effect"

/** Each `notify` wakes the fibers that took `next` before it. */
export class ChangeSignal {
  private latch = Latch.makeUnsafe(false)

  /** Waits for the next change after this access. */
  get next(): Effect.Effect<void> {
    return this.latch.await
  }

  /** Wakes all that wait. */
  notify(): void {
    const waiting = this.latch
    this.latch = Latch.makeUnsafe(false)
    waiting.openUnsafe()
  }
}
