/** A clock that goes to the next timer as soon as every fiber waits for it, so that hours of a run take no time. */
import { Clock, Duration, Effect } from "effect"

interface Timer {
  readonly at: number
  readonly resume: () => void
}

/** Makes a clock that starts at 0. */
export const make = (): Clock.Clock => {
  let now = 0
  const timers: Array<Timer> = []
  let isPumping = false
  const afterTurns = (turns: number, next: () => void): void => {
    if (turns === 0) next()
    else setImmediate(() => afterTurns(turns - 1, next))
  }
  const pump = (): void => {
    afterTurns(3, () => {
      const next = timers.reduce<Timer | undefined>(
        (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
        undefined
      )
      isPumping = next !== undefined
      if (next === undefined) return
      timers.splice(timers.indexOf(next), 1)
      now = Math.max(now, next.at)
      next.resume()
      pump()
    })
  }
  const millis = Effect.sync(() => Math.floor(now))
  const nanos = Effect.sync(() => BigInt(Math.round(now * 1e6)))
  return {
    currentTimeMillisUnsafe: () => Math.floor(now),
    currentTimeMillis: millis,
    currentTimeNanosUnsafe: () => BigInt(Math.round(now * 1e6)),
    currentTimeNanos: nanos,
    monotonicTimeNanosUnsafe: () => BigInt(Math.round(now * 1e6)),
    monotonicTimeNanos: nanos,
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const timer: Timer = {
          at: now + Math.max(0.001, Duration.toMillis(duration)),
          resume: () => resume(Effect.void)
        }
        timers.push(timer)
        if (!isPumping) {
          isPumping = true
          pump()
        }
        return Effect.sync(() => {
          const index = timers.indexOf(timer)
          if (index >= 0) timers.splice(index, 1)
        })
      })
  }
}

/** Runs an effect on a new virtual clock. */
export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provideService(effect, Clock.Clock, make()))

/** Yields until all fibers that do not wait for a clock have run. */
export const allThatIsReady: Effect.Effect<void> = Effect.forEach(
  Array.from({ length: 200 }),
  () => Effect.yieldNow,
  { discard: true }
)
