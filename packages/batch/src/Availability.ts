/**
 * Decides whether a service is available, and makes calls wait while it is not. Clients and runs share this mechanism.
 *
 * | state         | from                                                    | until               | calls                      |
 * | ------------- | ------------------------------------------------------- | ------------------- | -------------------------- |
 * | `available`   | the start                                               |                     | run                        |
 * | `throttled`   | a request to wait (429), no longer than `wait`          | that time is over   | wait                       |
 * | `unavailable` | a call that cannot reach the service, or `refusals` in  | a probe succeeds    | wait; one at a time probes |
 * |               | a row, and a probe that fails as well                   |                     |                            |
 *
 * A probe is a single attempt of a request that worked before. When it gets a response, waiting calls start over with all
 * their attempts. A call that fails while probes succeed has a problem of its own. A service that was never reached is a wrong
 * address, so calls fail at once. `Batch.Verdict` is the meaning of a failed call for its keys.
 */
import { Context, Data, Duration, Effect, Result, Semaphore } from "effect"
import * as InvalidOption from "./InvalidOption.ts"
import * as MonotonicClock from "./MonotonicClock.ts"

/** The number of failures of one call while probes succeed after which the call fails. */
const maxOwnFailures = 2

/** When a service counts as unavailable, and how long calls wait for it. */
export interface Options {
  /**
   * How long calls wait for an unavailable service. 0: not at all. Default: 1 minute for a run, 0 for calls of a
   * client.
   */
  readonly wait?: Duration.Input | undefined
  /** The time between the first two probes. It doubles up to `longestProbe`. Default: 1 second. */
  readonly firstProbe?: Duration.Input | undefined
  /** The longest time between two probes. Default: 5 seconds. */
  readonly longestProbe?: Duration.Input | undefined
  /**
   * The number of refusals by a gateway, without any other response, that make the service unavailable. Default:
   * 20.
   */
  readonly refusals?: number | undefined
  /** What to do when the wait is over: stop the run, or fail calls until the service is back. Default: `"stop"`. */
  readonly after?: "stop" | "fail" | undefined
}

/**
 * What a failed attempt says about the service.
 *
 * - `answered`: the service responded, well or badly.
 * - `{ throttled }`: the service responded with a request to wait so many milliseconds.
 * - `unreachable`: no connection, or it broke off. The service is unavailable if it was reached before.
 * - `unavailable`: a gateway said so (502, 503, 504).
 * - `refused`: a gateway refused this one request, e.g. a 403 with an HTML page.
 * - `unclear`: nothing, e.g. a response that came too late.
 * - `unasked`: nothing, as no request was sent. A waiting call fails with this error.
 */
export type Signal =
  | "answered"
  | { readonly throttled: number }
  | "unreachable"
  | "unavailable"
  | "refused"
  | "unclear"
  | "unasked"

/** The state of a service. */
export type State = "available" | "throttled" | "unavailable"

/** The service was unavailable for longer than `wait`. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<{
  /** Whether the run stops, or only the call fails (`after`). */
  readonly stops: boolean
  readonly message: string
}> {}

/** Classifies the errors of a call, and makes its probe, given the number of probes before. */
export interface Call<E, R> {
  readonly signal: (error: E) => Signal
  readonly probe: (turn: number) => Effect.Effect<unknown, E, R>
}

/** The availability of one service for one client or one run. */
export interface Availability {
  readonly state: Effect.Effect<State>
  /** Whether calls wait while the service is unavailable. */
  readonly waits: boolean
  /** Whether the service itself has ever responded. */
  readonly hasAnswered: () => boolean
  /** Makes a call when the service is available, and again if it became unavailable meanwhile. */
  readonly call: <A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ) => Effect.Effect<A, E | ServiceUnavailable, R>
  /** Reports the result of an attempt at this time, in milliseconds. */
  readonly report: (signal: Signal, error: unknown, now: number) => void
  /** Whether the service has been silent for so long that a call should wait with the others instead of retrying. */
  readonly isSilent: (signal: Signal, at: number) => boolean
}

/** The call that an attempt belongs to. */
export interface Current {
  readonly availability: Availability
  /**
   * `first`: fails early while the service is silent. `again`: makes all its attempts. `probe`: makes a single
   * attempt.
   */
  readonly mode: "first" | "again" | "probe"
  /** Set by code that reports each attempt. Otherwise the call reports its result. */
  isReported: boolean
}

/** The call in whose scope an attempt is made. Default: none. */
export const Current: Context.Reference<Current | undefined> = Context.Reference<Current | undefined>(
  "@chemstream/batch/Availability",
  { defaultValue: () => undefined }
)

/** Makes the runs in an effect share an availability, unless they have options of their own. */
export const share =
  (availability: Availability) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      Effect.provideService(self, Current, { availability, mode: "first", isReported: false })
    )

/** Checks options. `name` is the option that contains them. */
export const checks = (name: string, options: Options | undefined): ReadonlyArray<InvalidOption.Check> => [
  InvalidOption.time(`${name}.wait`, options?.wait, "infinite"),
  InvalidOption.time(`${name}.firstProbe`, options?.firstProbe, "finite"),
  InvalidOption.time(`${name}.longestProbe`, options?.longestProbe, "finite"),
  InvalidOption.count(`${name}.refusals`, options?.refusals)
]

/** The run of an availability. `onWait` is called with 1 when a call starts to wait, and with -1 when it stops. */
export interface Run {
  /** Whether the service was reached before. Default: false. */
  readonly isReached?: boolean | undefined
  readonly onWait?: ((change: 1 | -1) => void) | undefined
}

/**
 * Makes the availability of one client or one run. It is mutable state.
 *
 * @example
 *
 * ```ts
 * import { Availability } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const request = Effect.suspend(() => (++requests === 1 ? Effect.fail(503) : Effect.succeed("a record")))
 * const availability = Availability.make({ wait: "5 minutes" })
 * const call = availability.call(request, { signal: () => "unavailable", probe: () => request })
 * await Effect.runPromise(call) // => "a record"
 * requests // => 3
 * ```
 */
export const make = (options: Options = {}, run: Run = {}): Availability =>
  new ServiceAvailability(options, run)

class ServiceAvailability implements Availability {
  /** The longest wait of calls, in milliseconds. */
  private readonly longestWait: number
  private readonly firstPause: number
  private readonly longestPause: number
  private readonly refusals: number
  private readonly stops: boolean
  private readonly wasReached: boolean
  private readonly onWait: (change: 1 | -1) => void
  private readonly probing = Semaphore.makeUnsafe(1)
  private responses = 0
  private refused = 0
  /** The failures since the last response. A failure long ago does not count. */
  private failing: { readonly since: number; readonly at: number; readonly last: unknown } | undefined
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
    this.stops = after !== "fail"
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

  hasAnswered(): boolean {
    return this.responses > 0
  }

  report(signal: Signal, error: unknown, now: number): void {
    if (typeof signal === "object" && signal.throttled <= this.longestWait) {
      this.pausedUntil = Math.max(this.pausedUntil, now + signal.throttled)
    }
    if (signal === "answered" || typeof signal === "object") {
      this.responses++
      this.refused = 0
      this.failing = undefined
      this.isDown = false
    } else {
      if (signal === "refused") this.refused++
      const isSilence = signal === "unreachable" || signal === "unavailable" || this.isBlocked(signal)
      const before =
        this.failing === undefined || now - this.failing.at > this.longestWait ? undefined : this.failing
      if (isSilence) this.failing = { since: before?.since ?? now, at: now, last: error }
    }
  }

  isSilent(signal: Signal, at: number): boolean {
    return (
      this.canReturn(signal) &&
      this.failing !== undefined &&
      at - this.failing.since > Math.min(this.longestPause, this.longestWait / 2)
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
      const began = yield* MonotonicClock.currentMillis
      for (let ownFailures = 0; ; ) {
        if (this.isDown && this.failing !== undefined) yield* this.waitForResponse(call, this.failing.last)
        const pause = this.pausedUntil - (yield* MonotonicClock.currentMillis)
        if (pause > 0) yield* Effect.sleep(pause)
        const mode = ownFailures === 0 ? "first" : "again"
        const { isReported, result } = yield* this.runAttempts(attempts, call, mode)
        if (Result.isSuccess(result)) {
          this.knownProbe ??= call.probe(0) as Effect.Effect<unknown>
          return result.success
        }
        const error = result.failure
        const signal = call.signal(error)
        // Attempts that report themselves have waited themselves.
        const isPaused = typeof signal === "object" && signal.throttled <= this.longestWait && !isReported
        if (isPaused && this.pausedUntil - began <= this.longestWait) continue
        const blocked = this.isBlocked(signal)
        if (!blocked && !this.canReturn(signal)) return yield* Effect.fail(error)
        const wasDown = yield* this.waitForResponse(call, error)
        if (!wasDown && (blocked || ++ownFailures === maxOwnFailures)) return yield* Effect.fail(error)
      }
    })
  }

  /** Runs attempts, and reports their result unless each attempt reports itself. */
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
        const reported = Result.isFailure(result) ? signal(result.failure) : "answered"
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
      const responsesBefore = this.responses
      const outagesBefore = this.isDown ? -1 : this.outages
      const probe = Effect.suspend(() =>
        this.responses === responsesBefore ? this.probeUntilResponse(call, error) : Effect.void
      )
      this.onWait(1)
      return Effect.ensuring(
        Effect.map(this.probing.withPermit(probe), () => this.outages !== outagesBefore),
        Effect.sync(() => this.onWait(-1))
      )
    })
  }

  private probeUntilResponse<E, R>(
    call: Call<E, R>,
    error: unknown
  ): Effect.Effect<void, E | ServiceUnavailable, R> {
    return Effect.gen({ self: this }, function* () {
      const [responsesBefore, outagesBefore, wasDown] = [this.responses, this.outages, this.isDown]
      const began = yield* MonotonicClock.currentMillis
      for (let pause = this.firstPause; ; pause = Math.min(this.longestPause, 2 * pause)) {
        const now = yield* MonotonicClock.currentMillis
        const { last, since } = this.failing ?? { last: error, since: began }
        const isOver = now - since >= this.longestWait
        if (isOver && now - this.probedAt < this.longestPause) {
          const message = `the service has been unavailable for ${inWords(now - since)}: ${messageOf(last)}`
          return yield* new ServiceUnavailable({ stops: this.stops, message })
        }
        // All calls are to one service, with the same errors and in the same context.
        const known = this.knownProbe as Effect.Effect<unknown, E, R> | undefined
        const { result } = yield* this.runAttempts(known ?? call.probe(this.probes++), call, "probe")
        this.probedAt = yield* MonotonicClock.currentMillis
        if (this.responses !== responsesBefore) break
        if (Result.isFailure(result) && call.signal(result.failure) === "unasked") {
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
    const message = `the service is unavailable: waiting up to ${inWords(this.longestWait)} for it`
    return this.longestWait > 0 ? Effect.logWarning(message, error) : Effect.void
  }

  private isBlocked(signal: Signal): boolean {
    return signal === "refused" && this.refused >= this.refusals
  }

  private canReturn(signal: Signal): boolean {
    return (
      this.longestWait > 0 &&
      (signal === "unavailable" || (signal === "unreachable" && (this.wasReached || this.responses > 0)))
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const inWords = (milliseconds: number): string =>
  Duration.format(Duration.seconds(Math.max(1, Math.round(milliseconds / 1000))))
