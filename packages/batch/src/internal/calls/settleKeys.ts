/**
 * Requests a batch until each of its keys is settled (has records, is missing, or has failed for good), in as few requests as the
 * failures allow.
 *
 * docs/decisions/0031-one-model-of-not-now.md has the table: what a failure means for a key, its batch and the run.
 * A key fails only with the error of a request that carried no other key. A batch that fails because of its content is
 * bisected, depth first: k bad keys of n cost at most 2·k·log2(n) further requests. A batch that is too large or too
 * slow is halved, breadth first, and so are later ones (`batchSize.ts`). `splitBatch.ts` has the parts, and `hopelessRun.ts`
 * tells an outage of the whole service from bad content.
 */
import { Effect } from "effect"
import type { Attempted, Signal } from "../../Availability.ts"
import * as MonotonicClock from "../../MonotonicClock.ts"
import type { Call } from "../runSettings.ts"
import type { OnFailure, Verdict } from "./callResult.ts"
import { bytesOf, emptyResults, enterResponse, type KeyResults } from "./keyResults.ts"
import { failedAgain, type Piece, pieceOf } from "./piece.ts"
import type { Run } from "./runCalls.ts"
import { bisect, halves, outagesToSuspect, spread } from "./splitBatch.ts"

/** A key that failed alone. The failure counts once the service has proved to be available. */
interface PendingFailure<E> {
  readonly piece: Piece
  readonly error: E
  readonly signal: Signal
  /** Whether it failed before the first success of the run. */
  readonly isEarly: boolean
  /** Whether it failed alone before, and another request succeeded in between. */
  readonly isProven: boolean
  readonly failedAt: number
  readonly retryDelay: number | undefined
}

type Failure<E> = Extract<Attempted<unknown, E>, { readonly _tag: "Failure" }>

/** Requests distinct keys until each is settled. A piece is a part of them that is requested together (`piece.ts`). */
export const settle = <R, E, Services, Foreign>(
  run: Run<E, Foreign>,
  call: Call<R, E, Services>,
  keys: ReadonlyArray<string>
): Effect.Effect<KeyResults<R, E | Foreign>, E | Foreign, Services> =>
  run.whileOpen(
    call,
    keys,
    Effect.suspend(() => new KeySettler<R, E, Services, Foreign>(run, call, keys).settle())
  )

/** Settles the keys of one batch. `take` requests a piece, and `judge` decides about keys that failed alone. */
class KeySettler<R, E, Services, Foreign> {
  private readonly run: Run<E, Foreign>
  private readonly call: Call<R, E, Services>
  private readonly settled: KeyResults<R, E | Foreign> = emptyResults()
  /** The pieces to request, the next one last. */
  private readonly open: Array<Piece>
  /** The keys that failed alone, and may yet succeed. */
  private undecided: Array<PendingFailure<E | Foreign>> = []
  private readonly requestedTwice = new Set<string>()

  constructor(run: Run<E, Foreign>, call: Call<R, E, Services>, keys: ReadonlyArray<string>) {
    this.run = run
    this.call = call
    this.open = [pieceOf(keys)]
  }

  /** Whether failed batches are bisected. If not, each has the attempts of its call's policy, as a single key has. */
  private get isSplit(): boolean {
    return this.run.onFailure === "isolate"
  }

  settle(): Effect.Effect<KeyResults<R, E | Foreign>, E | Foreign, Services> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const piece = this.open.pop()
        if (piece !== undefined) yield* this.take(piece)
        else if (this.undecided.length > 0) yield* this.judge()
        else return this.settled
      }
    })
  }

  private take(piece: Piece): Effect.Effect<void, E | Foreign, Services> {
    return Effect.gen({ self: this }, function* () {
      if (piece.isGuilty && piece.keys.length > 1) return this.split(piece)
      const { health, ledger } = this.run
      const requested = { ...piece, keys: piece.keys.slice(0, ledger.batchSize) }
      const rest = piece.keys.slice(requested.keys.length)
      if (rest.length > 0) this.open.push({ ...piece, keys: rest, sibling: undefined })
      const sentAt = yield* MonotonicClock.currentMillis
      const successes = health.successes
      const isProven = piece.failedAt !== undefined && health.lastSuccessSentAt >= piece.failedAt
      // A piece that may stop the service is requested while no other is in flight.
      const isAlone = piece.outages >= outagesToSuspect
      // If batches are split, only a key alone is retried, and not before the first success of the run.
      const hasRetries = this.isSplit ? requested.keys.length === 1 && successes > 0 : true
      const retries = hasRetries ? piece.failures : undefined
      const attempted = yield* this.request(requested, sentAt, isAlone, retries)
      if (attempted._tag === "Success") {
        if (rest.length === 0) this.clearSibling(piece)
        return
      }
      if (attempted.fate === "again") this.open.push(requested)
      else if (this.mayRepeat(requested, attempted, retries !== undefined))
        yield* this.repeatLater(requested, attempted)
      else if (attempted.fate === "outage") this.afterOutage(requested, isAlone, attempted.error)
      else yield* this.afterFailure(requested, attempted, isProven)
    })
  }

  /** Requests a piece, and enters a response. */
  private request(
    { keys }: Piece,
    sentAt: number,
    isAlone: boolean,
    failures: number | undefined
  ): Effect.Effect<Attempted<void, E | Foreign>, E | Foreign, Services> {
    const { health } = this.run
    const request = this.run.attempt(this.call, keys, isAlone, failures)
    const unlessHopeless = Effect.flatMap(health.isHopeless, (isHopeless) =>
      isHopeless ? this.run.giveUp : health.whileInFlight(request)
    )
    const noted = Effect.tap(unlessHopeless, (attempted) =>
      attempted._tag === "Failure" && attempted.fate === "outage" ? health.recordOutage : Effect.void
    )
    return Effect.map(noted, (attempted) => {
      if (attempted._tag === "Failure") return attempted
      this.run.size.recordSuccess(keys.length, bytesOf(attempted.value))
      health.recordSuccess(sentAt)
      const { doubted, repeated } = enterResponse(this.settled, keys, attempted.value, this.requestedTwice)
      if (repeated.length > 0) this.open.push(pieceOf(repeated))
      // Their request has failed for them, so they are requested in parts, without another request of all.
      if (doubted.length > 0) this.open.push({ ...pieceOf(doubted), failures: 1, isGuilty: true })
      return { _tag: "Success", value: undefined }
    })
  }

  /** After a part of a piece with a bad key has succeeded, the other part has it. */
  private clearSibling({ outages, sibling }: Piece): void {
    if (sibling === undefined) return
    sibling.isGuilty = true
    sibling.outages = outages
  }

  /**
   * Whether a request is repeated after its connection or a gateway failed, but not the service: once, and as often as the
   * policy of the call says if it has retries. Several keys that are too slow are halved instead.
   */
  private mayRepeat(
    { failures, keys }: Piece,
    { error, fate, retryDelay, signal }: Failure<E | Foreign>,
    hasRetries: boolean
  ): boolean {
    if (this.run.classify(error) === "stop") return false
    // Without retries, the policy has judged a first attempt.
    const mayRetry = (hasRetries || failures === 0) && retryDelay !== undefined
    if (signal === "overdue") return fate === "smaller" && keys.length === 1 && mayRetry
    return fate === "own" && isConnection(signal) && (failures === 0 || mayRetry)
  }

  private repeatLater(
    piece: Piece,
    { retryDelay = 0 }: Failure<E | Foreign>
  ): Effect.Effect<void, E | Foreign> {
    const wait = retryDelay > 0 ? this.run.unlessStopped(Effect.sleep(retryDelay)) : Effect.void
    return Effect.map(wait, () => {
      this.run.ledger.retries++
      this.open.push({ ...piece, failures: piece.failures + 1 })
    })
  }

  private afterOutage(piece: Piece, isAlone: boolean, error: E | Foreign): void {
    const [only] = piece.keys
    if (!isAlone) this.open.push({ ...piece, outages: piece.outages + 1 })
    else if (piece.keys.length === 1) this.settled.errors.set(only as string, error)
    else this.split({ ...pieceOf(piece.keys), outages: piece.outages })
  }

  private afterFailure(
    piece: Piece,
    failure: Failure<E | Foreign>,
    isProven: boolean
  ): Effect.Effect<void, E | Foreign, Services> {
    const { health } = this.run
    const meaning = this.meaningOf(piece, failure)
    if (meaning === "entered") return Effect.void
    if (meaning === "stop") return Effect.fail(failure.error)
    const limit = this.run.limit(failure.error)
    if (limit !== undefined && limit >= 1 && limit < piece.keys.length) {
      this.run.size.recordLimit(limit)
      this.open.push(piece)
      return Effect.void
    }
    if (piece.keys.length > 1) {
      if (health.successes === 0) return this.explore(piece, meaning, failure.error)
      return Effect.sync(() => this.divide(piece, meaning))
    }
    health.recordFailure(1, failure.error)
    return this.keepFailure(piece, failure, isProven)
  }

  /** Returns what a failure means for a piece, or enters it if that settles its keys. */
  private meaningOf(
    { keys }: Piece,
    { error, fate }: Failure<E | Foreign>
  ): "stop" | "isolate" | "smaller" | "entered" {
    const verdict = applyPolicy(this.run.classify(error), this.run.onFailure)
    const [only] = keys
    if (verdict === "stop") return "stop"
    if (verdict === "missing" && only !== undefined && keys.length === 1) {
      const suggestions = this.run.suggestions(error)
      if (suggestions.length > 0) this.settled.suggestions.set(only, suggestions)
      this.run.health.recordSuccess(Number.NEGATIVE_INFINITY)
      return "entered"
    }
    if (verdict === "fail" && keys.length > 1) {
      for (const key of keys) if (!this.settled.records.has(key)) this.settled.errors.set(key, error)
      return "entered"
    }
    return keys.length > 1 && (fate === "smaller" || verdict === "halve") ? "smaller" : "isolate"
  }

  /** Divides a piece whose request has failed. */
  private divide(piece: Piece, meaning: "isolate" | "smaller"): void {
    if (meaning === "smaller") this.halve(piece)
    // A piece that got a response did not stop the service.
    else this.split({ ...piece, failures: piece.failures + 1, outages: 0 })
  }

  /** Bisects a piece. */
  private split(piece: Piece): void {
    const { left, right } = bisect(piece)
    this.open.push(right, left)
  }

  /** Halves a piece that was too large. Its parts come after other open pieces, which may prove their size. */
  private halve(piece: Piece): void {
    const [left, right] = this.smaller(piece.keys)
    const failures = piece.failures + 1
    this.open.unshift({ ...right, failures }, { ...left, failures })
  }

  /** The halves of keys whose request was too large. Later batches stay as small. */
  private smaller(keys: ReadonlyArray<string>): readonly [Piece, Piece] {
    const [left, right] = halves(keys)
    this.run.size.recordHalving(keys.length, right.length)
    return [pieceOf(left), pieceOf(right)]
  }

  /**
   * Looks for the first success of the run in a batch that failed: if it is too large, in smaller and smaller parts, else
   * over the whole batch: its first, middle and last key alone, then halves on both sides. A few keys are each
   * requested alone.
   */
  private explore(
    piece: Piece,
    meaning: "isolate" | "smaller",
    error: E | Foreign
  ): Effect.Effect<void, E | Foreign, Services> {
    const { health } = this.run
    const answered = new Set<string>()
    const exploration = Effect.gen({ self: this }, function* () {
      if (health.successes > 0) return this.divide(piece, meaning)
      const failure = health.failure
      if (failure !== undefined) return yield* Effect.fail(failure.error as E | Foreign)
      // The failures of batches that wait for their turn do not count: a service may refuse only their size.
      health.recordFailure(piece.keys.length, error)
      const queue = meaning === "smaller" ? [...this.smaller(piece.keys)] : spread(piece.keys)
      for (let part = queue.shift(); part !== undefined && health.successes === 0; part = queue.shift()) {
        const sentAt = yield* MonotonicClock.currentMillis
        const attempted = yield* this.request(part, sentAt, false, undefined)
        if (attempted._tag === "Failure" && attempted.fate === "again") {
          queue.unshift(part)
          continue
        }
        if (attempted._tag === "Failure" && attempted.fate === "outage") {
          // The part may be what stops the service.
          this.open.push(...queue.reverse())
          return this.afterOutage(part, false, attempted.error)
        }
        const result = attempted._tag === "Success" ? "entered" : this.meaningOf(part, attempted)
        if (attempted._tag === "Success" || result === "entered") {
          for (const key of part.keys) answered.add(key)
          continue
        }
        if (result === "stop") return yield* Effect.fail(attempted.error)
        health.recordFailure(part.keys.length, attempted.error)
        if (result === "smaller") queue.unshift(...this.smaller(part.keys))
        else if (part.keys.length === 1)
          this.undecided.push(pendingFailureOf(part, attempted, yield* MonotonicClock.currentMillis, true))
        else queue.push(...halves(part.keys).map(pieceOf))
      }
      for (const { piece: alone } of this.undecided) for (const key of alone.keys) answered.add(key)
      const rest = piece.keys.filter((key) => !answered.has(key))
      // The batch has failed. If no key did alone, a bad one is among the rest.
      const isGuilty = meaning === "isolate" && this.undecided.length === 0
      if (rest.length > 0) this.open.push({ ...pieceOf(rest), failures: 1, isGuilty, infers: isGuilty })
    })
    return health.explore(exploration)
  }

  /** Enters the failure of a single key, or keeps it until the service has proved to be available. */
  private keepFailure(
    piece: Piece,
    failure: Failure<E | Foreign>,
    isProven: boolean
  ): Effect.Effect<void, E | Foreign, Services> {
    const isEarly = this.run.health.successes === 0
    if (!isEarly && !isDoubtful(failure.signal)) {
      this.settled.errors.set(piece.keys[0] as string, failure.error)
      return Effect.void
    }
    return Effect.flatMap(MonotonicClock.currentMillis, (now) => {
      this.undecided.push(pendingFailureOf(piece, failure, now, isEarly, isProven))
      return isEarly || this.undecided.length === 1 ? Effect.void : this.judge()
    })
  }

  /** Decides about keys that failed alone: they fail if they fail again after the service has proved to be available. */
  private judge(): Effect.Effect<void, E | Foreign, Services> {
    const { health } = this.run
    return Effect.gen({ self: this }, function* () {
      const { undecided: failures } = this
      this.undecided = []
      const [first] = failures
      if (first === undefined) return
      if (failures.some(({ isEarly }) => isEarly)) {
        if (health.successes === 0) yield* this.run.awaitVerdict
        const failure = health.failure
        if (failure !== undefined) return yield* Effect.fail(failure.error as E | Foreign)
        if (yield* health.isHopeless) return yield* this.run.giveUp
        yield* Effect.forEach(failures, (one) => this.repeat(one), {
          concurrency: "unbounded",
          discard: true
        })
        return
      }
      const hasSucceeded = failures.every(({ failedAt }) => health.lastSuccessSentAt >= failedAt)
      const now = yield* MonotonicClock.currentMillis
      const isAvailable = hasSucceeded || (yield* this.run.verify(first.error))
      if (isAvailable) health.recordSuccess(now)
      else yield* health.recordOutage
      for (const { error, failedAt, isProven, piece, signal } of failures) {
        // A failure from before the end of an outage may be due to the outage.
        const isClear = (piece.failedAt ?? failedAt) > health.lastOutageAt
        if (isAvailable && isProven && isClear && piece.failedAs.includes(signal))
          this.settled.errors.set(piece.keys[0] as string, error)
        else if (isAvailable) this.open.push(failedAgain(piece, failedAt, signal))
        else this.open.push({ ...piece, failures: 0, failedAt: undefined, failedAs: [] })
      }
    })
  }

  /** Makes the remaining attempts at a key that failed before the first success of the run. */
  private repeat(pending: PendingFailure<E | Foreign>): Effect.Effect<void, E | Foreign, Services> {
    const { error, failedAt, piece, retryDelay, signal } = pending
    const [key] = piece.keys
    if (retryDelay === undefined) {
      if (isDoubtful(signal) && this.run.health.successes > 0)
        this.open.push(failedAgain(piece, failedAt, signal))
      else this.settled.errors.set(key as string, error)
      return Effect.void
    }
    return Effect.gen({ self: this }, function* () {
      yield* this.run.unlessStopped(Effect.sleep(retryDelay))
      const sentAt = yield* MonotonicClock.currentMillis
      const isEarly = this.run.health.successes === 0
      const attempted = yield* this.request(piece, sentAt, false, piece.failures + 1)
      if (attempted._tag === "Success") return
      if (attempted.fate === "again" || attempted.fate === "outage") {
        return yield* this.repeat(pending)
      }
      const meaning = this.meaningOf(piece, attempted)
      if (meaning === "stop") return yield* Effect.fail(attempted.error)
      if (meaning !== "isolate") return
      if (!isEarly) yield* this.keepFailure(piece, attempted, false)
      else this.settled.errors.set(key as string, attempted.error)
    })
  }
}

const applyPolicy = (verdict: Verdict, onFailure: OnFailure): Verdict => {
  if (onFailure === "failBatch" && verdict === "isolate") return "fail"
  return onFailure === "abort" && verdict !== "halve" && verdict !== "missing" ? "stop" : verdict
}

/** Whether the connection or a gateway failed. */
const isConnection = (signal: Signal): boolean =>
  signal === "unreachable" || signal === "unavailable" || signal === "elsewhere"

/** Whether an outage may be the cause. */
const isDoubtful = (signal: Signal): boolean => signal === "failed" || isConnection(signal)

const pendingFailureOf = <E>(
  piece: Piece,
  { error, retryDelay, signal }: Failure<E>,
  failedAt: number,
  isEarly: boolean,
  isProven = false
): PendingFailure<E> => ({ piece, error, signal, failedAt, isEarly, isProven, retryDelay })
