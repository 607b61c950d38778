/** Counts responses and failures, probes an unavailable service, and holds calls back until it responds. */
import { Duration, Effect, Result, Semaphore } from "effect"
import * as MonotonicClock from "../../MonotonicClock.ts"
import {
  type Availability,
  type Call,
  Current,
  type Options,
  type Run,
  ServiceUnavailable,
  type Signal,
  type State
} from "./model.ts"

/** A call fails after this many failures while probes succeed. */
const maxOwnFailures = 2

export class ServiceAvailability implements Availability {
  /** The longest wait of calls, in milliseconds. */
  private readonly longestWait: number
  private readonly firstPause: number
  private readonly longestPause: number
  private readonly refusals: number
  private readonly stopsRun: boolean
  private readonly wasReached: boolean
  private readonly onWait: (change: 1 | -1) => void
  private readonly probeSlot = Semaphore.makeUnsafe(1)
  private responseCount = 0
  private refusalCount = 0
  /** The failures since the last response. A failure long ago does not count. */
  private failures: { readonly since: number; readonly at: number; readonly last: unknown } | undefined
  /** Whether a probe has confirmed the failures. */
  private isDown = false
  /** The number of confirmed outages. */
  private outages = 0
  private probes = 0
  private probedAt = Number.NEGATIVE_INFINITY
  private pausedUntil = Number.NEGATIVE_INFINITY
  private knownProbe: Effect.Effect<unknown> | undefined

  constructor(
    { after, firstProbe = "1 second", longestProbe = "5 seconds", refusals = 20, wait = "1 minute" }: Options,
    { isReached = false, onWait = () => {} }: Run
  ) {
    this.longestWait = Duration.toMillis(wait)
    this.firstPause = Duration.toMillis(firstProbe)
    this.longestPause = Math.max(this.firstPause, Duration.toMillis(longestProbe))
    this.refusals = refusals
    this.stopsRun = after !== "fail"
    this.wasReached = isReached
    this.onWait = onWait
  }

  get waits(): boolean {
    return this.longestWait > 0
  }

  get state(): Effect.Effect<State> {
    return Effect.map(MonotonicClock.currentMillis, (now) =>
      this.isDown ? "unavailable" : this.pausedUntil > now ? "throttled" : "available"
    )
  }

  hasResponded(): boolean {
    return this.responseCount > 0
  }

  report(signal: Signal, error: unknown, now: number): void {
    if (typeof signal === "object" && signal.throttled <= this.longestWait) {
      this.pausedUntil = Math.max(this.pausedUntil, now + signal.throttled)
    }
    if (signal === "responded" || typeof signal === "object") {
      this.responseCount++
      this.refusalCount = 0
      this.failures = undefined
      this.isDown = false
    } else {
      if (signal === "refused") this.refusalCount++
      const isSilence = signal === "unreachable" || signal === "unavailable" || this.isBlocked(signal)
      const before =
        this.failures === undefined || now - this.failures.at > this.longestWait ? undefined : this.failures
      if (isSilence) this.failures = { since: before?.since ?? now, at: now, last: error }
    }
  }

  isSilent(signal: Signal, at: number): boolean {
    return (
      this.canRecover(signal) &&
      this.failures !== undefined &&
      at - this.failures.since > Math.min(this.longestPause, this.longestWait / 2)
    )
  }

  call<A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ): Effect.Effect<A, E | ServiceUnavailable, R> {
    return Effect.flatMap(Current, (current) => {
      if (current?.availability !== this) return this.callWhenAvailable(attempts, call)
      current.isReported = true
      return current.mode === "probe"
        ? Effect.flatMap(this.runAttempts(attempts, call, "probe"), ({ result }) => Effect.fromResult(result))
        : this.callWhenAvailable(attempts, call)
    })
  }

  private callWhenAvailable<A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ): Effect.Effect<A, E | ServiceUnavailable, R> {
    return Effect.gen({ self: this }, function* () {
      const startedAt = yield* MonotonicClock.currentMillis
      for (let ownFailures = 0; ; ) {
        if (this.isDown && this.failures !== undefined) yield* this.waitForResponse(call, this.failures.last)
        const pause = this.pausedUntil - (yield* MonotonicClock.currentMillis)
        if (pause > 0) yield* Effect.sleep(pause)
        const mode = ownFailures === 0 ? "first" : "repeat"
        const { isReported, result } = yield* this.runAttempts(attempts, call, mode)
        if (Result.isSuccess(result)) {
          this.knownProbe ??= call.probe(0) as Effect.Effect<unknown>
          return result.success
        }
        const error = result.failure
        const signal = call.signal(error)
        // Attempts that report their results have already waited.
        const isPaused = typeof signal === "object" && signal.throttled <= this.longestWait && !isReported
        if (isPaused && this.pausedUntil - startedAt <= this.longestWait) continue
        const blocked = this.isBlocked(signal)
        if (!blocked && !this.canRecover(signal)) return yield* Effect.fail(error)
        const wasDown = yield* this.waitForResponse(call, error)
        if (!wasDown && (blocked || ++ownFailures === maxOwnFailures)) return yield* Effect.fail(error)
      }
    })
  }

  /** Runs attempts. Reports the result, unless the attempts report their own results. */
  private runAttempts<A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    { signal }: Call<E, R>,
    mode: Current["mode"]
  ): Effect.Effect<{ readonly result: Result.Result<A, E>; readonly isReported: boolean }, never, R> {
    return Effect.gen({ self: this }, function* () {
      const current: Current = { availability: this, mode, isReported: false }
      const result = yield* Effect.result(Effect.provideService(attempts, Current, current))
      if (!current.isReported) {
        const failure = Result.isFailure(result) ? result.failure : undefined
        const reported = Result.isFailure(result) ? signal(result.failure) : "responded"
        this.report(reported, failure, yield* MonotonicClock.currentMillis)
      }
      return { result, isReported: current.isReported }
    })
  }

  /** Waits until the service responds. One call at a time probes it. Returns whether the service was unavailable. */
  private waitForResponse<E, R>(
    call: Call<E, R>,
    error: unknown
  ): Effect.Effect<boolean, E | ServiceUnavailable, R> {
    return Effect.suspend(() => {
      const responsesBefore = this.responseCount
      const outagesBefore = this.isDown ? -1 : this.outages
      const probe = Effect.suspend(() =>
        this.responseCount === responsesBefore ? this.probeUntilResponse(call, error) : Effect.void
      )
      this.onWait(1)
      return Effect.ensuring(
        Effect.map(this.probeSlot.withPermit(probe), () => this.outages !== outagesBefore),
        Effect.sync(() => this.onWait(-1))
      )
    })
  }

  private probeUntilResponse<E, R>(
    call: Call<E, R>,
    error: unknown
  ): Effect.Effect<void, E | ServiceUnavailable, R> {
    return Effect.gen({ self: this }, function* () {
      const [responsesBefore, outagesBefore, wasDown] = [this.responseCount, this.outages, this.isDown]
      const startedAt = yield* MonotonicClock.currentMillis
      for (let pause = this.firstPause; ; pause = Math.min(this.longestPause, 2 * pause)) {
        const now = yield* MonotonicClock.currentMillis
        const { last, since } = this.failures ?? { last: error, since: startedAt }
        const isOver = now - since >= this.longestWait
        if (isOver && now - this.probedAt < this.longestPause) {
          const message = `the service has been unavailable for ${formatDuration(now - since)}: ${messageOf(last)}`
          return yield* new ServiceUnavailable({ stops: this.stopsRun, message })
        }
        // Another call made this probe. All calls have the same service, errors and context.
        const known = this.knownProbe as Effect.Effect<unknown, E, R> | undefined
        const { result } = yield* this.runAttempts(known ?? call.probe(this.probes++), call, "probe")
        this.probedAt = yield* MonotonicClock.currentMillis
        if (this.responseCount !== responsesBefore) break
        if (Result.isFailure(result) && call.signal(result.failure) === "unsent") {
          return yield* Effect.fail(result.failure)
        }
        if (!this.isDown) yield* this.confirmDown(last)
        if (!isOver)
          yield* Effect.sleep(Math.min(pause, Math.max(0, since + this.longestWait - this.probedAt)))
      }
      if (wasDown || this.outages !== outagesBefore) yield* Effect.logInfo("the service is available again")
    })
  }

  private confirmDown(error: unknown): Effect.Effect<void> {
    this.isDown = true
    this.outages++
    const message = `the service is unavailable: waiting up to ${formatDuration(this.longestWait)} for it`
    return this.longestWait > 0 ? Effect.logWarning(message, error) : Effect.void
  }

  private isBlocked(signal: Signal): boolean {
    return signal === "refused" && this.refusalCount >= this.refusals
  }

  private canRecover(signal: Signal): boolean {
    return (
      this.longestWait > 0 &&
      (signal === "unavailable" || (signal === "unreachable" && (this.wasReached || this.responseCount > 0)))
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const formatDuration = (milliseconds: number): string =>
  Duration.format(Duration.seconds(Math.max(1, Math.round(milliseconds / 1000))))
