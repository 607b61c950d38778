/**
 * The calls of one run: their requests, which share slots, a ledger, the batch size, and the availability of the service.
 *
 * `settleKeys.ts` decides which keys are requested together, and what a failure means for them.
 */
import { Effect } from "effect"
import * as Availability from "../../Availability.ts"
import type * as Ledger from "../../Ledger.ts"
import * as Metrics from "../../Metrics.ts"
import * as MonotonicClock from "../../MonotonicClock.ts"
import { byKey } from "../../Reconcile.ts"
import type { BatchAdmission } from "../input/batchAdmission.ts"
import { failing, hopeless, UnmatchedResponse, unmatchedResponse } from "../runErrors.ts"
import { type Call, type Calls, defaultConcurrency, defaultSize } from "../runSettings.ts"
import * as BatchSize from "./batchSize.ts"
import { requester } from "./callRequests.ts"
import type { CallResult, OnFailure, Verdict } from "./callResult.ts"
import { askedWait, returned, signalKind, verdict } from "./errorMeaning.ts"
import { RunHealth } from "./hopelessRun.ts"
import type { Response } from "./keyResults.ts"
import { ProbeRequest } from "./probeRequest.ts"
import * as Slots from "./requestSlots.ts"

type Keys = ReadonlyArray<string>

/** The calls of one run. */
export interface Run<E, Foreign> {
  readonly ledger: Ledger.Ledger
  /** Adds the changes of the ledger to the metrics. */
  readonly record: Effect.Effect<void>
  readonly size: BatchSize.BatchSize
  readonly health: RunHealth
  /** Returns the meaning of a failure without the policy of the run. */
  readonly classify: (error: E | Foreign) => Verdict
  /** The most keys of a call, if an error says so. */
  readonly limit: (error: E | Foreign) => number | undefined
  readonly onFailure: OnFailure
  readonly suggestions: (error: E | Foreign) => ReadonlyArray<string>
  /** Requests keys in a slot. Fails only if the run must end. */
  readonly attempt: <R, Services>(
    call: Call<R, E, Services>,
    keys: Keys,
    isAlone: boolean,
    failures: number | undefined
  ) => Effect.Effect<Availability.Attempted<Response<R, E>, E | Foreign>, Foreign, Services>
  /** Counts keys as open while an effect settles them: until a key of the run is found, open ones probe the service. */
  readonly whileOpen: <R, Services, A, E2, R2>(
    call: Call<R, E, Services>,
    keys: Keys,
    effect: Effect.Effect<A, E2, R2>
  ) => Effect.Effect<A, E2, R2>
  /** Requests a key that was found before. Returns whether the service was available; if not, it is again. */
  readonly verify: (error: E | Foreign) => Effect.Effect<boolean, Foreign>
  /** Waits until failures before the first success count. */
  readonly awaitVerdict: Effect.Effect<void>
  /** Ends a run without any success. */
  readonly giveUp: Effect.Effect<never, Foreign>
  /** Waits. A run that is stopped ends at once. */
  readonly unlessStopped: (wait: Effect.Effect<void>) => Effect.Effect<void, Foreign>
}

/** Makes the state of a run. `admission` is its limit of memory. Without one, all keys are known from the start. */
export const make = <E, Foreign>(
  settings: Calls<E, Foreign>,
  ledger: Ledger.Ledger,
  admission: BatchAdmission | undefined
): Run<E, Foreign> => {
  BatchSize.set(ledger, settings.size ?? defaultSize)
  // A run without a limit of memory is a part of another, whose ledger counts its retries, or has no items.
  const record = admission === undefined ? Effect.void : Metrics.recorder(ledger)
  const health = new RunHealth(admission === undefined)
  // The default of `Foreign` includes this error.
  const unavailable = (settings.unavailable ?? ((error) => error)) as (
    error: Availability.ServiceUnavailable
  ) => Foreign
  return {
    ledger,
    record,
    size: BatchSize.make(ledger),
    health,
    ...requestsOf(settings, ledger, record, unavailable),
    classify: (error) =>
      error instanceof UnmatchedResponse
        ? "isolate"
        : returned("classify", verdict, settings.classify?.(error as E) ?? "isolate"),
    onFailure: settings.onFailure ?? "isolate",
    limit: (error) => settings.limit?.(error as E),
    suggestions: (error) => settings.suggestions?.(error as E) ?? [],
    awaitVerdict: admission === undefined ? health.awaitVerdict : admission.whileWaiting(health.awaitVerdict),
    giveUp: Effect.suspend(() => Effect.fail(unavailable(hopeless(health.failures, health.lastError)))),
    unlessStopped: (wait) => Effect.mapError(Availability.unlessStopped(wait), unavailable)
  }
}

/** Makes the requests of a run, with the key that was found and probes the service. */
const requestsOf = <E, Foreign>(
  settings: Calls<E, Foreign>,
  ledger: Ledger.Ledger,
  record: Effect.Effect<void>,
  unavailable: (error: Availability.ServiceUnavailable) => Foreign
): Pick<Run<E, Foreign>, "attempt" | "verify" | "whileOpen"> => {
  const slots = Slots.make(settings.concurrency ?? defaultConcurrency, ledger)
  const service = settings.service ?? ownService()
  const defaultSignal = settings.service === undefined ? askedWait : () => "unclear" as const
  const signal = (error: E | Availability.ServiceUnavailable): Availability.Signal =>
    error instanceof Availability.ServiceUnavailable
      ? "unsent"
      : returned("signal", signalKind, (settings.signal ?? defaultSignal)(error))
  const request = requester(settings, ledger)
  const probeRequest = new ProbeRequest()
  /** Since when the probe has failed, without a success of the run. */
  let failingSince: number | undefined

  const attempt: Run<E, Foreign>["attempt"] = (call, keys, isAlone, failures) =>
    Effect.gen(function* () {
      type Services = typeof call extends Call<infer _, E, infer S> ? S : never
      let started = 0
      const begin = Effect.flatMap(awaitAdmission(settings), () =>
        Effect.flatMap(MonotonicClock.currentMillis, (now) => {
          started = now
          return record
        })
      )
      // All keys of a run have the same errors and services.
      const probe = (index: number) => probeRequest.at(index) as Effect.Effect<unknown, E, Services>
      const limits = yield* limitsOf(settings, service, ledger)
      const whole = (yield* service).attempt(
        Effect.andThen(begin, request(call, keys)),
        { signal, probe },
        limits,
        failures
      )
      const attempted = yield* Effect.mapError(inSpan(keys, slots(whole, isAlone)), unavailable)
      const duration = (yield* MonotonicClock.currentMillis) - started
      if (attempted._tag === "Failure") {
        const { error } = attempted
        if (error instanceof Availability.ServiceUnavailable) return yield* Effect.fail(unavailable(error))
        const isJudged = attempted.fate === "own" || attempted.fate === "smaller"
        if (!isJudged) ledger.retries++
        else if (attempted.signal !== "unsent") countBatch(ledger, keys, duration)
        return { ...attempted, error }
      }
      countBatch(ledger, keys, duration)
      const read = readResponse(settings, keys, attempted.value)
      if (read._tag === "Failure") return read
      const [found] = read.value.records.keys()
      probeRequest.record(request(call, [found ?? (keys[0] as string)]), found !== undefined)
      failingSince = undefined
      return read
    })

  const verify = (error: E | Foreign): Effect.Effect<boolean, Foreign> =>
    Effect.gen(function* () {
      const { probe } = probeRequest
      if (probe === undefined) return true
      const limits = yield* limitsOf(settings, service, ledger)
      const now = yield* MonotonicClock.currentMillis
      failingSince ??= now
      const isAvailable = yield* Effect.mapError(
        (yield* service).verify({ signal, probe: () => probe as Effect.Effect<unknown, E> }, error, limits),
        unavailable
      )
      if (isAvailable) failingSince = undefined
      else if (now - failingSince > limits.patience.wait)
        return yield* Effect.fail(unavailable(failing(error)))
      return isAvailable
    })

  const whileOpen: Run<E, Foreign>["whileOpen"] = (call, keys, effect) =>
    probeRequest.whileOpen(() => keys.map((key) => request(call, [key])), effect)

  return { attempt, verify, whileOpen }
}

const inSpan = <A, E, R>({ length }: Keys, attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Metrics.withSpan("chemstream.batch", { "chemstream.batch_size": length })(attempt)

/** Waits until the request of an attempt may be sent. The client of a shared service admits each of its requests. */
const awaitAdmission = <E, Foreign>({
  service
}: Calls<E, Foreign>): Effect.Effect<void, Availability.ServiceUnavailable> =>
  service !== undefined
    ? Effect.void
    : Effect.flatMap(Availability.Current, (current) =>
        current === undefined ? Effect.void : current.availability.admit(current)
      )

/** Sorts a response by key. A response with records, but none of a requested key, is a failure. */
const readResponse = <R, E, Foreign>(
  { multiplicity = "one", unmatched }: Calls<E, Foreign>,
  keys: Keys,
  response: CallResult<R, E>
): Availability.Attempted<Response<R, E>, Foreign> => {
  const { records, surplus } = byKey(keys, response.records, multiplicity)
  const [first] = response.records
  if (first !== undefined && records.size === 0) {
    const error = unmatched?.(first.key, keys[0] ?? "") ?? unmatchedResponse(first.key, keys[0] ?? "")
    // The default of `Foreign` includes this error.
    return { _tag: "Failure", error: error as Foreign, signal: "failed", fate: "own", retryDelay: undefined }
  }
  const all = response.surplus === undefined ? surplus : [...surplus, ...response.surplus]
  return { _tag: "Success", value: { ...response, records, surplus: all, hasStray: surplus.length > 0 } }
}

/** Makes the state of the service of one run, or uses that of the surrounding run. */
const ownService = (): Effect.Effect<Availability.Availability> => {
  const own = Availability.make()
  return Effect.map(Availability.Current, (outer) => outer?.availability ?? own)
}

/** Returns how long the calls of a run wait: as its options say, or the surrounding run, or the service (`forRuns`). */
const limitsOf = <E, Foreign>(
  { availability, service: shared, signal }: Calls<E, Foreign>,
  service: Effect.Effect<Availability.Availability>,
  ledger: Ledger.Ledger
): Effect.Effect<Availability.Limits> =>
  Effect.gen(function* () {
    const outer = yield* Availability.Current
    const patience =
      availability === undefined && outer !== undefined
        ? outer.limits.patience
        : Availability.patience(availability ?? (yield* service).forRuns ?? {})
    const context = yield* Effect.context<never>()
    const onWait: Availability.Limits["onWait"] = (change, reason) => {
      Metrics.recordWait(change, reason, context)
      ledger.waiting += change
      // A call that waits holds a slot.
      ledger.inFlight -= change
    }
    return { patience, isPatient: signal !== undefined || shared === undefined, onWait }
  })

/** The number of slowest batches that a ledger keeps. */
const slowestCount = 5

/** Counts a batch in the ledger, with its duration if it is among the slowest. */
const countBatch = (ledger: Ledger.Ledger, keys: Keys, duration: number): void => {
  ledger.batches++
  const milliseconds = Math.round(duration)
  const { slowest } = ledger
  ledger.slowest = [...slowest, { first: keys[0] ?? "", size: keys.length, milliseconds }]
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, slowestCount)
}
