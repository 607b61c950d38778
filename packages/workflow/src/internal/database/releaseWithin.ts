/** Closes resources with a time limit, because a statement that hangs may never end, e.g. one that cannot be interrupted. */
import { type Duration, Effect, Fiber } from "effect"

/** Runs a release, and waits for its end, at most for `longest`. Afterwards it continues alone. */
export const releaseWithin = (longest: Duration.Input, release: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.gen(function* () {
    const releasing = yield* Effect.forkDetach(release, { startImmediately: true })
    // A fiber of its own can stop to wait, also if this one is interrupted.
    const waiting = Effect.timeoutOption(Fiber.await(releasing), longest)
    yield* Fiber.await(yield* Effect.forkDetach(Effect.interruptible(waiting)))
  })
