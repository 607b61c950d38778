/**
 * Requests a batch until each of its keys is settled, in as few calls as the failures allow.
 *
 * A batch that fails because of its content is bisected, depth first: k bad keys of n cost at most about
 * 2·k·log2(n) further calls. A batch that is too large is halved, and so are later ones (`batchSize.ts`). If no
 * part succeeds, down to a single key, neither keys nor size are the cause. The rest then fails without being
 * split. After several such batches, each later one is only probed: first one key, then the rest unsplit, until
 * a call succeeds.
 *
 * Keys without a record are missing, unless the response has surplus records. A surplus record may belong to a
 * missing key, if its own key is damaged. So the missing keys are requested once more, and the second response
 * counts. One found key is added to this request. Without it, a response with only surplus records would count as
 * malformed.
 */
import { Effect, Result } from "effect"
import { ServiceUnavailable } from "../../Availability.ts"
import type * as Ledger from "../../Ledger.ts"
import * as MonotonicClock from "../../MonotonicClock.ts"
import type { Surplus, Truncation } from "../../Outcome.ts"
import { byKey } from "../../Reconcile.ts"
import type { BatchSettings, CallResult, OnFailure, Verdict } from "./batchCall.ts"
import type { BatchSize } from "./batchSize.ts"
import type { Slots } from "./slots.ts"

/** The results of a set of requested keys. */
export interface KeyResults<R, E> {
  /** The records by key. Keys without records are absent. */
  readonly records: Map<string, ReadonlyArray<R>>
  /** The errors of failed keys, which may have records. */
  readonly errors: Map<string, E>
  /** The service's suggestions for keys that it does not know. */
  readonly suggestions: Map<string, ReadonlyArray<string>>
  /** The records that belong to no key. */
  readonly surplus: Array<Surplus>
  /** Why the records of a key are incomplete. */
  readonly truncated: Map<string, Truncation>
}

export const settle = Effect.fnUntraced(function* <R, E, Services, Foreign>(
  settings: BatchSettings<R, E, Services, Foreign>,
  ids: ReadonlyArray<string>,
  size: BatchSize,
  slots: Slots
): Effect.fn.Return<KeyResults<R, E | Foreign>, E | Foreign, Services> {
  const { ledger } = settings
  const settled: KeyResults<R, E | Foreign> = {
    records: new Map(),
    errors: new Map(),
    suggestions: new Map(),
    surplus: [],
    truncated: new Map()
  }
  const open = (size.isHopeless() ? [ids.slice(1), ids.slice(0, 1)] : [ids]).filter(isNonEmpty)
  const maxFailures = (): number =>
    size.isHopeless() ? 1 : 2 * Math.ceil(Math.log2(Math.max(2, ids.length))) + 2
  const requestedTwice = new Set<string>()
  let failuresInARow = 0
  let hasResponse = false
  let wasSplit = false
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    const requested = piece.slice(0, ledger.batchSize)
    const rest = piece.slice(requested.length)
    const result = yield* attempt(settings, requested, slots)
    if (Result.isSuccess(result)) {
      const openIds = enterResult(settled, requested, result.success)
      const doubtfulIds = openIds.filter((id) => !requestedTwice.has(id))
      for (const id of doubtfulIds) requestedTwice.add(id)
      if (doubtfulIds.length > 0) open.push(addFoundKey(doubtfulIds, requested, settled))
      failuresInARow = 0
      hasResponse = true
      size.recordSuccess(requested.length)
      if (rest.length > 0) open.push(rest)
      continue
    }
    const { error, suggestions, verdict } = result.failure
    failuresInARow++
    if (verdict === "stop") return yield* Effect.fail(error)
    const [only] = requested
    const isMissing = verdict === "missing" && requested.length === 1
    const isHopeless = failuresInARow > maxFailures() && !isMissing
    if (rest.length > 0 && !isHopeless) open.push(rest)
    if (isMissing && only !== undefined) {
      hasResponse = true
      if (suggestions.length > 0) settled.suggestions.set(only, suggestions)
    } else if (isHopeless || verdict === "fail" || requested.length === 1) {
      fail(settled, isHopeless ? piece : requested, error)
    } else {
      const half = Math.ceil(requested.length / 2)
      wasSplit = true
      if (verdict === "halve") size.recordHalving(requested.length, half)
      open.push(requested.slice(half), requested.slice(0, half))
    }
  }
  if (wasSplit && !hasResponse) size.recordLoss()
  return settled
})

/** Adds a found key to a repeated request. A service may add surplus records to every response. */
const addFoundKey = <R, E>(
  ids: ReadonlyArray<string>,
  requested: ReadonlyArray<string>,
  { records }: KeyResults<R, E>
): ReadonlyArray<string> => [...ids, ...requested.filter((id) => records.has(id)).slice(0, 1)]

const fail = <R, E>({ errors, records }: KeyResults<R, E>, ids: ReadonlyArray<string>, error: E): void => {
  for (const id of ids) if (!records.has(id)) errors.set(id, error)
}

const isNonEmpty = (ids: ReadonlyArray<string>): boolean => ids.length > 0

/** A call without a usable response, and its meaning for the batch. */
interface FailedCall<E> {
  readonly error: E
  readonly verdict: Verdict
  readonly suggestions: ReadonlyArray<string>
}

/** A response by key. */
interface Reconciled<R, E> extends Omit<CallResult<R, E>, "records"> {
  readonly records: ReadonlyMap<string, ReadonlyArray<R>>
  /** Whether a record has a key that was not requested. That key may be damaged. */
  readonly hasStray: boolean
}

/** Requests a batch, and sorts its response. */
const attempt = <R, E, Services, Foreign>(
  settings: BatchSettings<R, E, Services, Foreign>,
  ids: ReadonlyArray<string>,
  slots: Slots
): Effect.Effect<Result.Result<Reconciled<R, E>, FailedCall<E | Foreign>>, never, Services> => {
  const refusal = <E>(error: E, verdict: Verdict, suggestions: ReadonlyArray<string> = []) =>
    Result.fail({ error, verdict: applyPolicy(verdict, settings.onFailure), suggestions })
  return Effect.map(
    timedCall(settings, ids, slots),
    Result.match({
      onFailure: (error) =>
        error instanceof ServiceUnavailable
          ? refusal(settings.unavailable(error), error.stops ? "stop" : "fail")
          : refusal(error, settings.classify(error), settings.suggestions?.(error)),
      onSuccess: (response): Result.Result<Reconciled<R, E>, FailedCall<E | Foreign>> => {
        const [first] = response.records
        const sorted = byKey(ids, response.records, settings.multiplicity ?? "one")
        return first === undefined || sorted.records.size > 0
          ? Result.succeed({
              ...response,
              records: sorted.records,
              surplus:
                response.surplus === undefined ? sorted.surplus : [...sorted.surplus, ...response.surplus],
              hasStray: sorted.surplus.length > 0
            })
          : refusal(settings.unmatched(first.key, ids[0] ?? ""), "isolate")
      }
    })
  )
}

const applyPolicy = (verdict: Verdict, onFailure: OnFailure | undefined): Verdict => {
  if (onFailure === "failBatch" && verdict === "isolate") return "fail"
  return onFailure === "abort" && verdict !== "halve" && verdict !== "missing" ? "stop" : verdict
}

/** Stores a response. Returns the missing keys if the response has surplus records. */
const enterResult = <R, E>(
  settled: KeyResults<R, E>,
  ids: ReadonlyArray<string>,
  { doubt, errors, hasStray, records, suggestions, surplus, truncated }: Reconciled<R, E>
): ReadonlyArray<string> => {
  for (const record of surplus ?? []) settled.surplus.push(record)
  for (const [id, own] of records) settled.records.set(id, own)
  for (const [id, why] of truncated ?? []) settled.truncated.set(id, why)
  for (const [id, names] of suggestions ?? []) settled.suggestions.set(id, names)
  if (doubt !== undefined || (errors !== undefined && errors.size > 0)) {
    for (const id of ids) {
      const error = errors?.get(id) ?? (settled.records.has(id) ? undefined : doubt)
      if (error !== undefined) settled.errors.set(id, error)
    }
  }
  return !hasStray ? [] : ids.filter((id) => !settled.records.has(id) && !settled.errors.has(id))
}

/** Runs a call, and counts it in the ledger. */
const timedCall = Effect.fnUntraced(function* <R, E, Services, Foreign>(
  { call, ledger, signal }: BatchSettings<R, E, Services, Foreign>,
  ids: ReadonlyArray<string>,
  slots: Slots
): Effect.fn.Return<Result.Result<CallResult<R, E>, E | ServiceUnavailable>, never, Services> {
  let started = 0
  const begin = Effect.map(MonotonicClock.currentMillis, (now) => {
    started = now
  })
  const result = yield* Effect.result(slots(Effect.andThen(begin, call(ids))))
  const error = Result.isFailure(result) ? result.failure : undefined
  // A batch without a request is not counted.
  if (error instanceof ServiceUnavailable || (error !== undefined && signal?.(error) === "unsent"))
    return result
  ledger.batches++
  enterDuration(ledger, ids, Math.round((yield* MonotonicClock.currentMillis) - started))
  return result
})

/** The number of slowest batches in a ledger. */
const slowestCount = 5

const enterDuration = (ledger: Ledger.Ledger, ids: ReadonlyArray<string>, milliseconds: number): void => {
  const { slowest } = ledger
  const last = slowest[slowestCount - 1]
  if (last !== undefined && last.milliseconds >= milliseconds) return
  ledger.slowest = [...slowest, { first: ids[0] ?? "", size: ids.length, milliseconds }]
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, slowestCount)
}
