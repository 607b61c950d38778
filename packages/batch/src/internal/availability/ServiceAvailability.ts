/**
 * Sends requests when the service may get one, changes the state of the service by their results, and probes an unavailable service.
 *
 * `attempt.ts` explains the public methods, the fates of an attempt and the fields of `Current`; `serviceState.ts` the kinds of a wait,
 * and `availabilityOptions.ts` the times between probes.
 */
import { Clock, Duration, Effect, Result } from "effect"
import * as MonotonicClock from "../../MonotonicClock.ts"
import { ChangeSignal } from "../ChangeSignal.ts"
import { messageOf } from "../messageOf.ts"
import { type Attempted, type Availability, type Call, Current, type Limits } from "./attempt.ts"
import type { Options } from "./availabilityOptions.ts"
import * as serviceState from "./serviceState.ts"
import { unlessStopped } from "./stopSignal.ts"

/** The availability of one service, with its waits. The states and their changes are in `serviceState.ts`. */
export class ServiceAvailability implements Availability {
  private service = serviceState.unknownService
  private probes = 0
  private responses = 0
  /** Whether a request or a probe that decides about the wait is in flight. */
  private isDeciding = false
  /** When the last probe failed. */
  private probedAt = Number.NEGATIVE_INFINITY
  private readonly changes = new ChangeSignal()
  readonly forRuns: Options | undefined

  constructor(forRuns?: Options) {
    this.forRuns = forRuns
  }

  readonly state = Effect.sync((): serviceState.State => {
    const kind = this.service.wait?.kind
    return kind === undefined || kind === "doubted" ? "available" : kind
  })

  readonly pause = Effect.map(MonotonicClock.currentMillis, (now) => {
    const { wait } = this.service
    return wait?.kind === "throttled" ? Math.max(0, wait.until - now) : 0
  })

  hasResponded(): boolean {
    return this.service.isReached
  }

  recordResponse(): void {
    this.service = { ...this.service, isReached: true }
  }

  forget(): void {
    this.set({ ...this.service, wait: undefined })
  }

  pauseFor(milliseconds: number): Effect.Effect<void> {
    return Effect.map(MonotonicClock.currentMillis, (now) =>
      this.set(serviceState.paused(this.service, now, milliseconds))
    )
  }

  attempt<A, E, R>(
    request: Effect.Effect<A, E, R>,
    call: Call<E, R>,
    limits: Limits,
    failures?: number
  ): Effect.Effect<Attempted<A, E>, serviceState.ServiceUnavailable, R> {
    return Effect.gen({ self: this }, function* () {
      const current = { ...(yield* this.current(call, limits, "call")), failures }
      const { result, signal } = yield* this.send(request, current)
      const { outages, responses } = current.sent
      if (Result.isSuccess(result)) return { _tag: "Success", value: result.success }
      const error = result.failure
      const failed = (fate: Exclude<Attempted<A, E>, { _tag: "Success" }>["fate"]): Attempted<A, E> => ({
        _tag: "Failure",
        error,
        signal,
        fate,
        retryDelay: current.retryDelay
      })
      const own = signal === "overdue" ? "smaller" : "own"
      // A call that does not wait fails with its own error. Only refusals by a gateway are still judged, since many of them are an outage.
      if (limits.isPatient === false && signal !== "refused") {
        this.clearDoubt(error)
        return failed(own)
      }
      if (typeof signal === "object") return failed("again")
      if (!serviceState.raisesDoubt(this.service, signal, limits.patience)) return failed(own)
      // A slow request is too large if others got a response meanwhile.
      if (signal === "overdue" && this.responses > responses) {
        this.clearDoubt(error)
        return failed(own)
      }
      if (this.service.outages === outages) yield* this.awaitVerdict(current)
      return failed(this.service.outages === outages ? own : "outage")
    })
  }

  verify<E, R>(
    call: Call<E, R>,
    error: unknown,
    limits: Limits
  ): Effect.Effect<boolean, serviceState.ServiceUnavailable, R> {
    return Effect.gen({ self: this }, function* () {
      const { outages, wait } = this.service
      const now = yield* MonotonicClock.currentMillis
      this.set(serviceState.doubted(this.service, now, error))
      yield* this.awaitVerdict(yield* this.current(call, limits, "call"))
      return wait?.kind !== "unavailable" && this.service.outages === outages
    })
  }

  private current<E, R>(call: Call<E, R>, limits: Limits, mode: Current["mode"]): Effect.Effect<Current> {
    // A call fails only with its own errors, and its services are in its scope.
    const own = call as unknown as Current["call"]
    return Effect.map(MonotonicClock.currentMillis, (now) => ({
      availability: this,
      limits,
      mode,
      call: own,
      sent: this.snapshot(now),
      isTrial: mode === "probe",
      isUnsent: false
    }))
  }

  admit(current: Current): Effect.Effect<void, serviceState.ServiceUnavailable> {
    return Effect.suspend(() => {
      if (current.mode === "probe") return Effect.void
      const wait = this.isBlocked(current)
        ? this.whileWaiting(current, () => this.isBlocked(current), true)
        : unlessStopped(Effect.void)
      return Effect.flatMap(wait, () =>
        Effect.map(MonotonicClock.currentMillis, (now) => {
          current.sent = this.snapshot(now)
        })
      )
    })
  }

  /** A doubted service still gets requests. */
  isBlocked({ isTrial }: Current): boolean {
    return !isTrial && this.service.wait !== undefined && this.service.wait.kind !== "doubted"
  }

  judges(signal: serviceState.Signal, { patience }: Limits): boolean {
    return typeof signal === "object" || serviceState.raisesDoubt(this.service, signal, patience)
  }

  /** The state of the service when a request is sent, which its result is compared with. */
  private snapshot(at: number): Current["sent"] {
    return { at, outages: this.service.outages, responses: this.responses }
  }

  /** Waits until a probe has told an outage from a fault of one request, and until the outage is over. */
  private awaitVerdict(current: Current): Effect.Effect<void, serviceState.ServiceUnavailable> {
    return this.whileWaiting(current, () => this.service.wait !== undefined, false)
  }

  /**
   * Waits while the service is blocked. Of all waiting calls, one at a time probes it. `mayTry`: the request of this call
   * decides whether a pause is over, instead of a probe.
   */
  private whileWaiting(
    current: Current,
    isWaiting: () => boolean,
    mayTry: boolean
  ): Effect.Effect<void, serviceState.ServiceUnavailable> {
    const { limits } = current
    const step: Effect.Effect<void, serviceState.ServiceUnavailable> = Effect.gen(
      { self: this },
      function* () {
        for (;;) {
          const now = yield* MonotonicClock.currentMillis
          if (!isWaiting()) return
          // An outage that was last seen long ago may be another one.
          const seenAt = Math.max(this.probedAt, this.service.wait?.since ?? now)
          if (now - seenAt > limits.patience.wait) this.service = serviceState.restarted(this.service, now)
          const wait = this.service.wait as serviceState.Wait
          // A call fails because of an outage only if a probe has failed lately.
          const isProbed = wait.kind === "throttled" || now - this.probedAt < limits.patience.longestProbe
          if (serviceState.isOver(wait, now, limits.patience) && wait.kind !== "doubted" && isProbed) {
            return yield* Effect.fail(yield* unavailable(wait, now))
          }
          // Sleeps until the next probe, the end of the patience, or a change of the state.
          if (this.isDeciding || now < wait.until) {
            const end = wait.kind === "throttled" ? wait.until : wait.since + limits.patience.wait
            const next = this.isDeciding ? Number.POSITIVE_INFINITY : wait.until
            yield* this.sleep(Math.ceil((end > now ? Math.min(next, end) : next) - now))
            continue
          }
          if (wait.kind === "throttled" && mayTry) {
            this.isDeciding = true
            current.isTrial = true
            return
          }
          yield* this.probe(current)
        }
      }
    )
    return Effect.suspend(() => {
      const reason = this.service.wait?.kind === "throttled" ? "throttled" : "unavailable"
      limits.onWait?.(1, reason)
      return Effect.ensuring(
        step,
        Effect.sync(() => limits.onWait?.(-1, reason))
      )
    })
  }

  /** Probes the service once, and changes its state by the result. */
  private probe({ call, limits }: Current): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const kind = this.service.wait?.kind
      this.isDeciding = true
      const current = yield* this.current(call, limits, "probe")
      yield* this.send(call.probe(this.probes++), current)
      this.probedAt = yield* MonotonicClock.currentMillis
      if (this.service.wait === undefined) {
        if (kind === "unavailable") yield* Effect.logInfo("the service is available again")
        return
      }
      const { kind: kindNow, until } = this.service.wait
      if (kindNow === "throttled" && until > this.probedAt) return
      this.set(serviceState.afterFailedProbe(this.service, this.probedAt, limits.patience))
      if (kind === "doubted" && limits.patience.wait > 0) {
        const until = formatDuration(limits.patience.wait)
        yield* Effect.logWarning(
          `the service is unavailable: waiting up to ${until} for it`,
          this.service.wait.error
        )
      }
    }).pipe(Effect.ensuring(Effect.sync(() => this.decide())))
  }

  /** Sends a request, and reports its result. */
  private send<A, E, R>(request: Effect.Effect<A, E, R>, current: Current) {
    return Effect.gen({ self: this }, function* () {
      const result = yield* Effect.result(Effect.provideService(request, Current, current))
      const now = yield* MonotonicClock.currentMillis
      const error = Result.isFailure(result) ? result.failure : undefined
      const signal: serviceState.Signal = Result.isFailure(result)
        ? current.call.signal(result.failure)
        : current.isUnsent
          ? "unsent"
          : "responded"
      if (signal === "responded") this.responses++
      const wasPaused = this.service.wait?.kind === "throttled"
      const report = { signal, error, sentAt: current.sent.at, now, isTrial: current.isTrial }
      this.set(serviceState.afterAttempt(this.service, report, current.limits.patience))
      const { wait } = this.service
      if (!wasPaused && wait?.kind === "throttled") yield* this.announcePause(wait, now, current.limits)
      return { result, signal }
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          if (current.isTrial && current.mode === "call") this.decide()
        })
      )
    )
  }

  private announcePause(wait: serviceState.Wait, now: number, { patience }: Limits): Effect.Effect<void> {
    const time = wait.until - now
    return time < shortPause || serviceState.isOver(wait, now, patience)
      ? Effect.void
      : Effect.logWarning(`the service asks to wait: the next request in ${formatDuration(time)}`, wait.error)
  }

  /** Lets another request decide about the wait. */
  private decide(): void {
    this.isDeciding = false
    this.set(this.service)
  }

  /** Clears the doubt that a failure with this error has raised. */
  private clearDoubt(error: unknown): void {
    const { wait } = this.service
    if (wait?.kind === "doubted" && wait.error === error) this.set({ ...this.service, wait: undefined })
  }

  private set(service: serviceState.Service): void {
    this.service = service
    this.changes.notify()
  }

  /** Sleeps until the state changes, at most for some milliseconds. */
  private sleep(milliseconds: number): Effect.Effect<void, serviceState.ServiceUnavailable> {
    return unlessStopped(
      Number.isFinite(milliseconds)
        ? Effect.raceFirst(this.changes.next, Effect.sleep(milliseconds))
        : this.changes.next
    )
  }
}

/** A pause below this time is not announced, in milliseconds. */
const shortPause = 10_000

/** Makes the error of a call whose wait is over. */
const unavailable = (wait: serviceState.Wait, now: number): Effect.Effect<serviceState.ServiceUnavailable> =>
  Effect.map(Clock.currentTimeMillis, (wall) => {
    if (wait.kind !== "throttled") {
      const message = `the service has been unavailable for ${formatDuration(now - wait.since)}: ${messageOf(wait.error)}`
      return new serviceState.ServiceUnavailable({ message })
    }
    const until = wall + wait.until - now
    const at = new Date(until).toISOString().replace(/\.\d+Z$/, "Z")
    const message = `the service asks to wait until ${at} (${formatDuration(wait.until - now)}): ${messageOf(wait.error)}`
    return new serviceState.ServiceUnavailable({ message, until })
  })

const formatDuration = (milliseconds: number): string =>
  Duration.format(Duration.seconds(Math.max(1, Math.round(milliseconds / 1000))))
