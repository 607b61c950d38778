/**
 * Asks for a batch until each of its identifiers is settled, in as few calls as the failures allow.
 *
 * A batch that fails because of what is in it is bisected, depth first: k poisonous identifiers among n cost at most
 * about 2·k·log2(n) further calls. A batch that is too large is halved, and so are later ones (`batchSize.ts`). Where
 * nothing succeeds on the way down to a single identifier the cause is neither the identifiers nor their number, and the
 * rest is failed without cutting it up (`patience.ts`).
 *
 * What an answer lacks is missing, unless the answer has records that are nobody's: one of them may be an identifier's own,
 * under a damaged key. Then what is lacking is asked for once more, and that answer holds. One that was answered goes with
 * it: an answer in which nothing was asked for is malformed, and a service may add such records to all of its answers.
 */
import { MonotonicClock } from "@chemstream/client"
import { Effect, Result } from "effect"
import type * as Ledger from "../Ledger.ts"
import { byKey } from "../Reconcile.ts"
import type { Answer, Asking } from "./batchCall.ts"
import type { BatchSize } from "./batchSize.ts"
import type { Patience } from "./patience.ts"
import type { Slots } from "./slots.ts"

/** What is known of each identifier that was asked for. */
export interface Settled<R, E> {
  /** The records of the identifiers that have any. */
  readonly records: Map<string, ReadonlyArray<R>>
  /** Why identifiers are failed, whether they have records or not. */
  readonly errors: Map<string, E>
  /** What the service names instead of identifiers that it does not know. */
  readonly suggestions: Map<string, ReadonlyArray<string>>
}

export const settle = Effect.fnUntraced(function* <R, E, Services>(
  settings: Asking<R, E, Services>,
  ids: ReadonlyArray<string>,
  size: BatchSize,
  patience: Patience,
  slots: Slots
): Effect.fn.Return<Settled<R, E>, E, Services> {
  const { ledger } = settings
  const settled: Settled<R, E> = { records: new Map(), errors: new Map(), suggestions: new Map() }
  const open = patience.parts(ids)
  const doubted = new Set<string>()
  let failuresInARow = 0
  let isAnswered = false
  let isCutUp = false
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    const asked = piece.slice(0, ledger.batchSize)
    const rest = piece.slice(asked.length)
    const result = yield* timed(settings, asked, slots)
    if (Result.isSuccess(result)) {
      const lacking = enterAnswer(settings, settled, asked, result.success)
      const dubious = lacking.filter((id) => !doubted.has(id))
      if (dubious.length > 0) {
        for (const id of dubious) doubted.add(id)
        open.push([...dubious, ...asked.filter((id) => settled.records.has(id)).slice(0, 1)])
      }
      failuresInARow = 0
      isAnswered = true
      patience.succeeded()
      size.answered(asked.length)
      if (rest.length > 0) open.push(rest)
      continue
    }
    const error = result.failure
    failuresInARow++
    const verdict = judge(settings, error)
    if (verdict === "end") return yield* Effect.fail(error)
    const [only] = asked
    const isMissing = verdict === "missing" && asked.length === 1
    const isHopeless = failuresInARow > patience.failures(ids.length) && !isMissing
    if (rest.length > 0 && !isHopeless) open.push(rest)
    if (isMissing && only !== undefined) {
      isAnswered = true
      const suggestions = settings.suggestions?.(error) ?? []
      if (suggestions.length > 0) settled.suggestions.set(only, suggestions)
    } else if (isHopeless || verdict === "fail" || asked.length === 1) {
      for (const id of isHopeless ? piece : asked) if (!settled.records.has(id)) settled.errors.set(id, error)
    } else {
      const half = Math.ceil(asked.length / 2)
      isCutUp = true
      if (verdict === "halve") size.halved(asked.length, half)
      open.push(asked.slice(half), asked.slice(0, half))
    }
  }
  if (isCutUp && !isAnswered) {
    patience.lost()
    size.lost()
  }
  return settled
})

const judge = <R, E, Services>(settings: Asking<R, E, Services>, error: E) => {
  const verdict = settings.judge(error)
  if (settings.onFailure === "failBatch" && verdict === "isolate") return "fail"
  return settings.onFailure === "abort" && verdict !== "halve" && verdict !== "missing" ? "end" : verdict
}

/** Enters an answer. Gives what it lacks where that is in doubt, for the answer has records that are nobody's. */
const enterAnswer = <R, E, Services>(
  settings: Asking<R, E, Services>,
  settled: Settled<R, E>,
  ids: ReadonlyArray<string>,
  answer: Answer<R, E>
): ReadonlyArray<string> => {
  const { records, surplus } = byKey(ids, answer.records, settings.multiplicity ?? "one")
  const { doubt, errors } = answer
  settings.ledger.surplus += surplus + (answer.unidentified ?? 0)
  for (const [id, own] of records) settled.records.set(id, own)
  for (const [id, names] of answer.suggestions ?? []) settled.suggestions.set(id, names)
  if (doubt !== undefined || (errors !== undefined && errors.size > 0)) {
    for (const id of ids) {
      const error = errors?.get(id) ?? (settled.records.has(id) ? undefined : doubt)
      if (error !== undefined) settled.errors.set(id, error)
    }
  }
  return surplus === 0 ? [] : ids.filter((id) => !settled.records.has(id) && !settled.errors.has(id))
}

/** The result of a call, which the ledger follows. */
const timed = Effect.fnUntraced(function* <R, E, Services>(
  { call, isUnasked, ledger }: Asking<R, E, Services>,
  ids: ReadonlyArray<string>,
  slots: Slots
): Effect.fn.Return<Result.Result<Answer<R, E>, E>, never, Services> {
  let started = 0
  const begin = Effect.map(MonotonicClock.currentMillis, (now) => {
    started = now
  })
  const result = yield* Effect.result(slots(Effect.andThen(begin, call(ids))))
  if (Result.isFailure(result) && isUnasked?.(result.failure) === true) return result
  ledger.batches++
  enterDuration(ledger, ids, Math.round((yield* MonotonicClock.currentMillis) - started))
  return result
})

/** How many of the slowest batches a ledger keeps. */
const slowestKept = 5

const enterDuration = (ledger: Ledger.Ledger, ids: ReadonlyArray<string>, milliseconds: number): void => {
  const kept = ledger.slowest
  const last = kept[slowestKept - 1]
  if (last !== undefined && last.milliseconds >= milliseconds) return
  ledger.slowest = [...kept, { first: ids[0] ?? "", size: ids.length, milliseconds }]
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, slowestKept)
}
