/**
 * A service that goes away in the course of a run is waited for, and one that is not where it is looked for ends the run.
 *
 * The client has tried a call again by the time it fails here (`RetryPolicy`). Away is a service that no connection comes
 * about to, that breaks connections off, or whose gateway says so (502, 503, 504), as long as it answers no other call:
 * otherwise the trouble is the call's own. While it is away one call at a time looks whether it is back, and asks for
 * what was answered before, so that it is not taken for away because of what is in a batch.
 */
import { ChemError } from "@chemstream/client"
import { Clock, Duration, Effect, Result, Semaphore } from "effect"
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
  const gate = Semaphore.makeUnsafe(1)
  const verdicts = new WeakMap<ChemError.ChemError, Verdict>()
  // How many calls the service has answered, well or badly.
  let answered = 0
  // Whether one of them was not about the address.
  let isThere = false
  // What it was asked for then.
  let known: Ids | undefined
  // The outage, while there is one.
  let away: { readonly since: number; readonly last: ChemError.ChemError } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const heard = <A, R>(
    ids: Ids,
    asking: Effect.Effect<A, ChemError.ChemError, R>
  ): Effect.Effect<Result.Result<A, ChemError.ChemError>, never, R> =>
    Effect.tap(Effect.result(asking), (result) =>
      Effect.sync(() => {
        if (Result.isFailure(result) && !isAnswer(result.failure)) return
        answered++
        away = undefined
        if (Result.isSuccess(result)) known ??= ids.slice(0, 1)
        isThere ||= Result.isSuccess(result) || !isOfTheAddress(result.failure, ids)
      })
    )

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

  /** Waits until the service answers. Gives whether it was found away. */
  const wait = <A, R>(
    ids: Ids,
    look: (ids: Ids) => Effect.Effect<A, ChemError.ChemError, R>,
    error: ChemError.ChemError
  ): Effect.Effect<boolean, ChemError.ChemError, R> =>
    Effect.gen(function* () {
      const before = answered
      let wasAway = away !== undefined
      let { since, last } = away ?? { since: yield* Clock.currentTimeMillis, last: error }
      for (let pause = firstPause; ; pause = Math.min(longestPause, 2 * pause)) {
        const now = yield* Clock.currentTimeMillis
        const isOver = now - since >= longest
        if (isOver && now - lookedAt < longestPause) return yield* Effect.fail(gone(since, now, last))
        const asked = known ?? ids.slice(0, 1)
        const result = yield* heard(asked, look(asked))
        lookedAt = yield* Clock.currentTimeMillis
        if (answered !== before) break
        if (Result.isFailure(result)) {
          // The run was stopped meanwhile.
          if (result.failure._tag === "CircuitOpen") return yield* Effect.fail(result.failure)
          last = result.failure
        }
        if (!wasAway) {
          yield* Effect.logWarning(`the service is away: waiting up to ${inWords(longest)} for it`, last)
        }
        wasAway = true
        away = { since, last }
        if (isOver) continue
        yield* Effect.sleep(Math.min(pause, Math.max(0, since + longest - lookedAt)))
      }
      if (wasAway) yield* Effect.logInfo("the service answers again")
      return wasAway
    })

  const waited: typeof wait = (ids, look, error) =>
    Effect.suspend(() => {
      const before = answered
      run.waiting++
      return gate
        .withPermit(
          // Whoever waited for the permit until another one got an answer has found it away.
          Effect.suspend(() => (answered === before ? wait(ids, look, error) : Effect.succeed(true)))
        )
        .pipe(
          Effect.ensuring(
            Effect.sync(() => {
              run.waiting--
            })
          )
        )
    })

  return {
    verdict: (error) => verdicts.get(error),
    call: (ids, ask, look) =>
      Effect.gen(function* () {
        for (let refusals = 0; ; ) {
          if (away !== undefined) yield* waited(ids, look, away.last)
          const before = answered
          const wasReached = run.answers > 0
          const result = yield* heard(ids, ask(ids))
          if (Result.isSuccess(result)) return result.success
          const error = result.failure
          if (!isThere && isOfTheAddress(error, ids)) verdicts.set(error, "end")
          // What was never reached is rather not there than away.
          const canReturn = error._tag === "ServiceFailure" || wasReached
          const isOwn = outage === undefined || !canReturn || !isAway(error) || answered !== before
          if (isOwn) return yield* Effect.fail(error)
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
