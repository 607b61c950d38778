/**
 * A service that goes away in the course of a run is waited for, and one that is not where it is looked for ends the run.
 *
 * Away is a service that no connection comes about to, that breaks connections off, or whose gateway says so (502, 503,
 * 504), as long as it answers nothing else. Who else was answered while a call failed does not tell: that may have been
 * just before. So whoever fails looks whether the service is there; all calls that find it away wait together, one
 * of them looks at a time, with single attempts, and asks for what was answered before, so that the service is not taken for
 * away because of what is in a batch. After that they ask again from the beginning, with all attempts (`RetryPolicy`).
 */
import { CallObserver, ChemError, MonotonicClock } from "@chemstream/client"
import { Clock, Deferred, Duration, Effect, Result, Semaphore } from "effect"
import type { Verdict } from "./batchCall.ts"

/** The milliseconds between two looks whether it is back: the first, doubling up to the longest. */
const firstPause = 1000
const longestPause = 5000

/** How often a call may fail as if the service were away, while it answers others, before the trouble is its own. */
const mostRefusals = 2

/**
 * What a run does when the service goes away: when no connection comes about any more, or its gateway answers 502, 503 or
 * 504, to all calls.
 */
export interface Outage {
  /** How long the run waits for the service. */
  readonly wait: Duration.Input
  /**
   * What comes after that: the run ends with `CircuitOpen` (`end`), or everything fails with it until the service is back
   * (`fail`); `end` when not given.
   */
  readonly after?: "end" | "fail" | undefined
}

type Ids = ReadonlyArray<string>

/** What calls go through. */
export interface Watch {
  /** Asks, and waits where the service has gone away. `look` asks as well, without any trace in the run. */
  readonly call: <A, B, R>(
    ids: Ids,
    ask: (ids: Ids) => Effect.Effect<A, ChemError.ChemError, R>,
    look: (ids: Ids) => Effect.Effect<B, ChemError.ChemError, R>
  ) => Effect.Effect<A, ChemError.ChemError, R>
  /** What an error means that was made here; nothing of others. */
  readonly verdict: (error: ChemError.ChemError) => Verdict | undefined
}

/** What of the run is looked at, and told. */
export interface Run {
  /** Answers received; those of an earlier run that this one continues are among them. */
  readonly answers: number
  /** Calls that wait. */
  waiting: number
}

export const watch = (outage: Outage | undefined, run: Run): Watch => {
  const longest = Duration.toMillis(outage?.wait ?? 0)
  // How long nothing may be answered before a call waits with the others instead of trying again by itself.
  const patience = Math.min(longestPause, longest / 2)
  const gate = Semaphore.makeUnsafe(1)
  const verdicts = new WeakMap<ChemError.ChemError, Verdict>()
  // How often the service has answered, well or badly.
  let answered = 0
  // Whether one of the answers was not about the address.
  let isThere = false
  // What it was asked for then.
  let known: Ids | undefined
  // The time since which attempts fail and none is answered, while that is so.
  let silence: { readonly since: number; readonly last: ChemError.ChemError } | undefined
  // Whether a look has found the service away since then, and how often that was so.
  let isGone = false
  let outages = 0
  let lookedAt = Number.NEGATIVE_INFINITY

  // What was never reached is rather not there than away.
  const canReturn = (error: ChemError.ChemError): boolean =>
    outage !== undefined && (error._tag === "ServiceFailure" || run.answers > 0)

  const answers = (): void => {
    answered++
    silence = undefined
    isGone = false
  }

  const fails = (error: ChemError.ChemError, now: number): void => {
    if (isAway(error)) silence = { since: silence?.since ?? now, last: error }
    else if (isAnswer(error)) answers()
  }

  /** Asks, and breaks off before an attempt that comes after a delay which is too long. */
  const heard = Effect.fnUntraced(function* <A, R>(
    ids: Ids,
    asking: Effect.Effect<A, ChemError.ChemError, R>,
    isTooLong: (error: ChemError.ChemError, next: number) => boolean
  ): Effect.fn.Return<Result.Result<A, ChemError.ChemError>, never, R> {
    const around = yield* CallObserver.CallObserver
    const clock = yield* Clock.Clock
    const tooLong = Deferred.makeUnsafe<never, ChemError.ChemError>()
    const onRetry = (error: ChemError.ChemError, delay: number): void => {
      const now = MonotonicClock.now(clock)
      fails(error, now)
      // The time that a service asks for is its own.
      if (isAway(error) && ChemError.retryAfter(error) === undefined && isTooLong(error, now + delay)) {
        Deferred.doneUnsafe(tooLong, Effect.fail(error))
      } else around.onRetry(error, delay)
    }
    const result = yield* asking.pipe(
      Effect.provideService(CallObserver.CallObserver, { ...around, onRetry }),
      Effect.raceFirst(Deferred.await(tooLong)),
      Effect.result
    )
    if (Result.isFailure(result)) fails(result.failure, MonotonicClock.now(clock))
    else {
      answers()
      known ??= ids.slice(0, 1)
    }
    isThere ||= Result.isSuccess(result) || (isAnswer(result.failure) && !isOfTheAddress(result.failure, ids))
    return result
  })

  const gone = (since: number, now: number, last: ChemError.ChemError): ChemError.ChemError => {
    const error = new ChemError.CircuitOpen({
      endpoint: last.endpoint,
      attempts: 0,
      retryAfter: 0,
      message: `the service has been away for ${inWords(now - since)}, so no more is asked: ${last.message}`
    })
    verdicts.set(error, outage?.after === "fail" ? "fail" : "end")
    return error
  }

  /** Waits until the service answers. */
  const wait = Effect.fnUntraced(function* <A, R>(
    ids: Ids,
    look: (ids: Ids) => Effect.Effect<A, ChemError.ChemError, R>,
    error: ChemError.ChemError
  ): Effect.fn.Return<void, ChemError.ChemError, R> {
    const before = answered
    const outagesBefore = outages
    let { since, last } = silence ?? { since: yield* MonotonicClock.currentMillis, last: error }
    const wasGone = isGone
    for (let pause = firstPause; ; pause = Math.min(longestPause, 2 * pause)) {
      const now = yield* MonotonicClock.currentMillis
      const isOver = now - since >= longest
      if (isOver && now - lookedAt < longestPause) return yield* Effect.fail(gone(since, now, last))
      const asked = known ?? ids.slice(0, 1)
      const result = yield* heard(asked, look(asked), () => true)
      lookedAt = yield* MonotonicClock.currentMillis
      if (answered !== before) break
      if (Result.isFailure(result)) {
        // The run was stopped meanwhile.
        if (result.failure._tag === "CircuitOpen") return yield* Effect.fail(result.failure)
        last = result.failure
      }
      if (!isGone) {
        isGone = true
        outages++
        yield* Effect.logWarning(`the service is away: waiting up to ${inWords(longest)} for it`, last)
      }
      if (isOver) continue
      yield* Effect.sleep(Math.min(pause, Math.max(0, since + longest - lookedAt)))
    }
    if (wasGone || outages !== outagesBefore) yield* Effect.logInfo("the service answers again")
  })

  /** Waits its turn, and until the service answers. Gives whether it was found away. */
  const waited = <A, R>(
    ids: Ids,
    look: (ids: Ids) => Effect.Effect<A, ChemError.ChemError, R>,
    error: ChemError.ChemError
  ): Effect.Effect<boolean, ChemError.ChemError, R> =>
    Effect.suspend(() => {
      const before = answered
      const outagesBefore = isGone ? -1 : outages
      run.waiting++
      return gate
        .withPermit(Effect.suspend(() => (answered === before ? wait(ids, look, error) : Effect.void)))
        .pipe(
          Effect.map(() => outages !== outagesBefore),
          Effect.ensuring(
            Effect.sync(() => {
              run.waiting--
            })
          )
        )
    })

  return {
    verdict: (error) => verdicts.get(error),
    call: Effect.fnUntraced(function* <A, B, R>(
      ids: Ids,
      ask: (ids: Ids) => Effect.Effect<A, ChemError.ChemError, R>,
      look: (ids: Ids) => Effect.Effect<B, ChemError.ChemError, R>
    ): Effect.fn.Return<A, ChemError.ChemError, R> {
      for (let refusals = 0; ; ) {
        if (isGone && silence !== undefined) yield* waited(ids, look, silence.last)
        const result = yield* heard(
          ids,
          ask(ids),
          // Not again where the service was there all the same: then the trouble may be the call's own.
          (error, next) =>
            refusals === 0 && canReturn(error) && silence !== undefined && next - silence.since > patience
        )
        if (Result.isSuccess(result)) return result.success
        const error = result.failure
        if (!isThere && isOfTheAddress(error, ids)) verdicts.set(error, "end")
        if (!canReturn(error) || !isAway(error)) return yield* Effect.fail(error)
        if (!(yield* waited(ids, look, error)) && ++refusals === mostRefusals) {
          return yield* Effect.fail(error)
        }
      }
    })
  }
}

const isAway = (error: ChemError.ChemError): boolean => {
  switch (error._tag) {
    case "ServiceFailure":
      return error.status >= 502 && error.status <= 504
    case "RequestTimeout":
      return error.phase === "connect"
    default:
      return error._tag === "ConnectionFailed"
  }
}

const isAnswer = (error: ChemError.ChemError): boolean => "status" in error && !isAway(error)

/** Characters that gateways refuse in a path: what they answer then is not about the address. */
const refused = /[/\\%?#;]/

/** Whether it was said that there is no such path, by whoever answers there. */
const isOfTheAddress = (error: ChemError.ChemError, ids: Ids): boolean =>
  // About one value the same words may be about the value.
  (error._tag === "NotFound" && error.gateway === true && ids.length > 1) ||
  (error._tag === "InvalidRequest" && error.status === 404 && !ids.some((id) => refused.test(id)))

const inWords = (milliseconds: number): string =>
  Duration.format(Duration.seconds(Math.max(1, Math.round(milliseconds / 1000))))
