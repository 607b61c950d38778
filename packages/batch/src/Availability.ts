/**
 * Decides whether a service is available, and makes calls wait while it is not: the one mechanism of clients and runs.
 *
 * | state         | from                                                    | until               | calls                      |
 * | ------------- | ------------------------------------------------------- | ------------------- | -------------------------- |
 * | `available`   | the start                                               |                     | run                        |
 * | `throttled`   | a request to wait (429), no longer than `wait`          | that time is over   | wait                       |
 * | `unavailable` | a call that cannot reach the service, or `refusals` in  | a probe is answered | wait; one at a time probes |
 * |               | a row, and a probe that fails as well                   |                     |                            |
 *
 * A probe is a single attempt, and asks for what was answered before. When one is answered, waiting calls start over with all
 * their attempts. A call that fails while probes are answered has a problem of its own. A service that was never reached is a
 * wrong address: calls fail at once. What a failed call means for its keys is a `Batch.Verdict`.
 */
import { Context, Data, Duration, Effect, Result, Semaphore } from "effect"
import * as InvalidOption from "./InvalidOption.ts"
import * as MonotonicClock from "./MonotonicClock.ts"

/** How often a call fails while probes are answered before the problem is its own. */
const mostOwnFailures = 2

/** When a service counts as unavailable, and how long calls wait for it. */
export interface Options {
  /** How long calls wait for an unavailable service; 0 does not wait. Default: 1 minute for a run, 0 for calls of a client. */
  readonly wait?: Duration.Input | undefined
  /** The time between the first two probes; it doubles up to `longestProbe`. Default: 1 second. */
  readonly firstProbe?: Duration.Input | undefined
  /** The longest time between two probes. Default: 5 seconds. */
  readonly longestProbe?: Duration.Input | undefined
  /** How many refusals by a gateway make the service unavailable, where it answers nothing in between. Default: 20. */
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

/** The service stayed unavailable for longer than `wait`. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<{
  /** Whether the run stops, or only the call fails (`after`). */
  readonly stops: boolean
  readonly message: string
}> {}

/** How a call is judged, and how it probes the service, given the number of probes before. */
export interface Call<E, R> {
  readonly signal: (error: E) => Signal
  readonly probe: (turn: number) => Effect.Effect<unknown, E, R>
}

/** The availability of one service, as one client or one run sees it. */
export interface Availability {
  readonly state: Effect.Effect<State>
  /** Whether calls wait while the service is unavailable. */
  readonly waits: boolean
  /** Whether the service itself has answered anything. */
  readonly hasAnswered: () => boolean
  /** Makes a call when the service is available, and again when it was unavailable meanwhile. */
  readonly call: <A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ) => Effect.Effect<A, E | ServiceUnavailable, R>
  /** Enters what came of an attempt at this time, in milliseconds. */
  readonly report: (signal: Signal, error: unknown, now: number) => void
  /** Whether nothing has been answered for so long that a call should wait with the others instead of retrying. */
  readonly isSilent: (signal: Signal, at: number) => boolean
}

/** The call that an attempt belongs to. */
export interface Current {
  readonly availability: Availability
  /** `first`: gives up early when the service is silent. `again`: makes all its attempts. `probe`: makes a single one. */
  readonly mode: "first" | "again" | "probe"
  /** Set by what reports each attempt; otherwise the call reports its result. */
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

/** Checks options; `name` is the option that holds them. */
export const checks = (name: string, options: Options | undefined): ReadonlyArray<InvalidOption.Check> => [
  InvalidOption.time(`${name}.wait`, options?.wait, "infinite"),
  InvalidOption.time(`${name}.firstProbe`, options?.firstProbe, "finite"),
  InvalidOption.time(`${name}.longestProbe`, options?.longestProbe, "finite"),
  InvalidOption.count(`${name}.refusals`, options?.refusals)
]

/** What a run knows of the service, and how it is told that calls begin (1) and cease (-1) to wait. */
export interface Run {
  /** Whether the service was reached before. Default: false. */
  readonly isReached?: boolean | undefined
  readonly onWait?: ((change: 1 | -1) => void) | undefined
}

/**
 * Makes an availability: state, for one client or one run.
 *
 * @example
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
export const make = (
  {
    after,
    firstProbe = "1 second",
    longestProbe = "5 seconds",
    refusals = 20,
    wait = "1 minute"
  }: Options = {},
  { isReached = false, onWait = () => {} }: Run = {}
): Availability => {
  const longest = Duration.toMillis(wait)
  const firstPause = Duration.toMillis(firstProbe)
  const longestPause = Math.max(firstPause, Duration.toMillis(longestProbe))
  const turns = Semaphore.makeUnsafe(1)
  let answers = 0
  let refused = 0
  // Since when attempts have failed and none was answered. A failure long ago is none.
  let failing: { readonly since: number; readonly at: number; readonly last: unknown } | undefined
  // Whether a probe has confirmed that, and how often that was so.
  let isDown = false
  let outages = 0
  let probes = 0
  let probedAt = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let knownProbe: Effect.Effect<unknown> | undefined

  const isBlocked = (signal: Signal): boolean => signal === "refused" && refused >= refusals

  const canReturn = (signal: Signal): boolean =>
    longest > 0 && (signal === "unavailable" || (signal === "unreachable" && (isReached || answers > 0)))

  const report: Availability["report"] = (signal, error, now) => {
    if (typeof signal === "object" && signal.throttled <= longest) {
      pausedUntil = Math.max(pausedUntil, now + signal.throttled)
    }
    if (signal === "answered" || typeof signal === "object") {
      answers++
      refused = 0
      failing = undefined
      isDown = false
    } else {
      if (signal === "refused") refused++
      const isSilence = signal === "unreachable" || signal === "unavailable" || isBlocked(signal)
      const before = failing === undefined || now - failing.at > longest ? undefined : failing
      if (isSilence) failing = { since: before?.since ?? now, at: now, last: error }
    }
  }

  /** Runs attempts, and reports their result unless they report each. */
  const runAttempts = Effect.fnUntraced(function* <A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    { signal }: Call<E, R>,
    mode: Current["mode"]
  ): Effect.fn.Return<{ readonly result: Result.Result<A, E>; readonly isReported: boolean }, never, R> {
    const current: Current = { availability, mode, isReported: false }
    const result = yield* Effect.result(Effect.provideService(attempts, Current, current))
    if (!current.isReported) {
      const failure = Result.isFailure(result) ? result.failure : undefined
      const said = Result.isFailure(result) ? signal(result.failure) : "answered"
      report(said, failure, yield* MonotonicClock.currentMillis)
    }
    return { result, isReported: current.isReported }
  })

  /** Probes until the service answers. */
  const probeUntilAnswered = Effect.fnUntraced(function* <E, R>(
    call: Call<E, R>,
    error: unknown
  ): Effect.fn.Return<void, E | ServiceUnavailable, R> {
    const [answersBefore, outagesBefore, wasDown] = [answers, outages, isDown]
    const began = yield* MonotonicClock.currentMillis
    for (let pause = firstPause; ; pause = Math.min(longestPause, 2 * pause)) {
      const now = yield* MonotonicClock.currentMillis
      const { last, since } = failing ?? { last: error, since: began }
      const isOver = now - since >= longest
      if (isOver && now - probedAt < longestPause) {
        const message = `the service has been unavailable for ${inWords(now - since)}: ${wordsOf(last)}`
        return yield* new ServiceUnavailable({ stops: after !== "fail", message })
      }
      // All calls ask one service, with the same errors and in the same context.
      const asked = (knownProbe as Effect.Effect<unknown, E, R> | undefined) ?? call.probe(probes++)
      const { result } = yield* runAttempts(asked, call, "probe")
      probedAt = yield* MonotonicClock.currentMillis
      if (answers !== answersBefore) break
      if (Result.isFailure(result) && call.signal(result.failure) === "unasked") {
        return yield* Effect.fail(result.failure)
      }
      if (!isDown) {
        isDown = true
        outages++
        const message = `the service is unavailable: waiting up to ${inWords(longest)} for it`
        if (longest > 0) yield* Effect.logWarning(message, last)
      }
      if (!isOver) yield* Effect.sleep(Math.min(pause, Math.max(0, since + longest - probedAt)))
    }
    if (wasDown || outages !== outagesBefore) yield* Effect.logInfo("the service is available again")
  })

  /** Waits for its turn to probe, and until the service answers. Gives whether the service was unavailable. */
  const waitForAnswer = <E, R>(
    call: Call<E, R>,
    error: unknown
  ): Effect.Effect<boolean, E | ServiceUnavailable, R> =>
    Effect.suspend(() => {
      const answersBefore = answers
      const outagesBefore = isDown ? -1 : outages
      const turn = Effect.suspend(() =>
        answers === answersBefore ? probeUntilAnswered(call, error) : Effect.void
      )
      onWait(1)
      return Effect.ensuring(
        Effect.map(turns.withPermit(turn), () => outages !== outagesBefore),
        Effect.sync(() => onWait(-1))
      )
    })

  const makeCall = Effect.fnUntraced(function* <A, E, R>(
    attempts: Effect.Effect<A, E, R>,
    call: Call<E, R>
  ): Effect.fn.Return<A, E | ServiceUnavailable, R> {
    const around = yield* Current
    if (around?.availability === availability) {
      around.isReported = true
      if (around.mode === "probe")
        return yield* Effect.fromResult((yield* runAttempts(attempts, call, "probe")).result)
    }
    const began = yield* MonotonicClock.currentMillis
    for (let own = 0; ; ) {
      if (isDown && failing !== undefined) yield* waitForAnswer(call, failing.last)
      const pause = pausedUntil - (yield* MonotonicClock.currentMillis)
      if (pause > 0) yield* Effect.sleep(pause)
      const { isReported, result } = yield* runAttempts(attempts, call, own === 0 ? "first" : "again")
      if (Result.isSuccess(result)) {
        knownProbe ??= call.probe(0) as Effect.Effect<unknown>
        return result.success
      }
      const error = result.failure
      const signal = call.signal(error)
      // What reports its attempts has waited by itself.
      const isPaused = typeof signal === "object" && signal.throttled <= longest && !isReported
      if (isPaused && pausedUntil - began <= longest) continue
      const blocked = isBlocked(signal)
      if (!blocked && !canReturn(signal)) return yield* Effect.fail(error)
      const wasDown = yield* waitForAnswer(call, error)
      if (!wasDown && (blocked || ++own === mostOwnFailures)) return yield* Effect.fail(error)
    }
  })

  const availability: Availability = {
    waits: longest > 0,
    state: Effect.map(MonotonicClock.currentMillis, (now) =>
      isDown ? "unavailable" : pausedUntil > now ? "throttled" : "available"
    ),
    hasAnswered: () => answers > 0,
    call: makeCall,
    report,
    isSilent: (signal, at) =>
      canReturn(signal) && failing !== undefined && at - failing.since > Math.min(longestPause, longest / 2)
  }
  return availability
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const inWords = (milliseconds: number): string =>
  Duration.format(Duration.seconds(Math.max(1, Math.round(milliseconds / 1000))))
