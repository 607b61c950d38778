/**
 * Spaces requests evenly, and learns the rate that a service accepts from its refusals (429).
 *
 * This module says when a request may be sent. `learnedRate` has the state, and the rules by which the rate changes. The state is a plain
 * value, and the changes are pure, so that processes can share a pace through a `Store`. An epoch is the time between two changes of the
 * rate, and has a number. A request belongs to the epoch in which its place was reserved.
 */
import { Context, Effect } from "effect"
import { measurementOf, raised, ratesAfter, type State } from "./internal/learnedRate.ts"
import * as MonotonicClock from "./MonotonicClock.ts"
import * as Options from "./Options.ts"

export type { Span, State } from "./internal/learnedRate.ts"

/** Where the state of a pace is. Processes that share a store share its paces. */
export interface Store {
  /** Changes the state of a pace in one step. `now` is the time of the store in milliseconds. */
  readonly modify: <A>(
    key: string,
    change: (state: State | undefined, now: number) => readonly [next: State, result: A]
  ) => Effect.Effect<A>
}

/** The store of the paces in a scope. `reserve`, `refuse` and `afterOutage` are changes for it. Default: the memory of the process, so that nothing is shared. */
export const Store: Context.Reference<Store | undefined> = Context.Reference<Store | undefined>(
  "@chemstream/batch/Pace/Store",
  { defaultValue: () => undefined }
)

/** When a request may be sent. */
export interface Reservation {
  /** The wait before the request, in milliseconds. */
  readonly delay: number
  /** Whether the request may be sent after the wait. If not, a place must then be reserved again. */
  readonly isReserved: boolean
  /** Whether the wait is one that the service asked for. */
  readonly isPaused: boolean
  /** The epoch of the reservation. `Refusal` and `Accepted` name it again. */
  readonly epoch: number
}

const stateKind = /* @__PURE__ */ Options.objectWith("a state of a pace", { epoch: Options.amount })

const acceptedKind = /* @__PURE__ */ Options.objectWith("an object with count and epoch", {
  count: Options.amount,
  epoch: Options.amount
})
const refusalKind = /* @__PURE__ */ Options.objectWith("an object with epoch and wait", {
  epoch: Options.amount,
  wait: Options.amount
})

/** The state before the first request: no limit has been learned. */
const initial = (now: number): State => ({
  next: Options.argument("now", Options.amount, now),
  pausedUntil: 0,
  rate: null,
  held: null,
  refused: null,
  raises: 0,
  epoch: 0,
  accepted: 0,
  since: now,
  recent: { accepted: 0, from: now },
  measured: { accepted: 0, from: now, to: now }
})

/** The requests that a process has seen accepted since its last reservation, in an epoch. */
export interface Accepted {
  readonly epoch: number
  readonly count: number
}

/** Reserves the place of a request: its time in the row of evenly spaced ones. `limit` is the largest rate in requests per second. */
export const reserve = (
  state: State | undefined,
  now: number,
  limit = Number.POSITIVE_INFINITY,
  accepted: Accepted = { epoch: 0, count: 0 }
): readonly [State, Reservation] => {
  const known = raised(counted(state ?? initial(now), accepted), now, limit)
  const { epoch, next, pausedUntil } = known
  if (pausedUntil > now)
    return [known, { delay: pausedUntil - now, isReserved: false, isPaused: true, epoch }]
  const rate = Math.min(limit, known.rate ?? Number.POSITIVE_INFINITY)
  const interval = 1000 / rate
  const isLearned = known.rate !== null
  // A tenth of a second's requests may be sent at once, but not at a learned rate.
  const burst = isLearned || !Number.isFinite(rate) ? 0 : Math.max(0, Math.floor(rate / 10) - 1) * interval
  const delay = Math.max(0, next - burst - now)
  // A place at a learned rate is not reserved ahead, because the rate may change meanwhile.
  if (delay > 0 && isLearned) return [known, { delay, isReserved: false, isPaused: false, epoch }]
  const after = { ...known, next: Math.max(now, next) + interval }
  return [after, { delay, isReserved: true, isPaused: false, epoch }]
}

/** Adds accepted requests to a state: to the epoch, to those since the last refusal, or to the measurement before it. */
export const counted = (state: State, seen: Accepted): State => {
  const { accepted, measured, raises, recent } = Options.argument("state", stateKind, state)
  const { count, epoch } = Options.argument("seen", acceptedKind, seen)
  const added = { ...recent, accepted: recent.accepted + count }
  if (epoch === state.epoch) return { ...state, accepted: accepted + count, recent: added }
  // `raises` epochs have begun since the last refusal. A request from before it belongs to its measurement.
  return epoch >= state.epoch - raises
    ? { ...state, recent: added }
    : { ...state, measured: { ...measured, accepted: measured.accepted + count } }
}

/** A refusal (429) of a request. */
export interface Refusal {
  /** The epoch of its reservation. */
  readonly epoch: number
  /** The time that the service asks to wait, in milliseconds. */
  readonly wait: number
  /** Whether it changes the rate, or only pauses requests. */
  readonly isLearning: boolean
}

/** Records a refusal. */
export const refuse = (
  state: State | undefined,
  now: number,
  refusal: Refusal,
  seen: Accepted = { epoch: 0, count: 0 }
): State => {
  const { epoch, isLearning, wait } = Options.argument("refusal", refusalKind, refusal)
  const known = counted(state ?? initial(now), seen)
  const { held, rate } = known
  const pausedUntil = Math.max(known.pausedUntil, now + wait)
  const paused = { ...known, pausedUntil }
  if (!isLearning) return paused
  // The request was sent before the last raise of the rate, so the rate before the raise has not held.
  const isLate = epoch === known.epoch - 1 && held !== null && rate !== null && held < rate
  // The rate has changed since the request was sent.
  if (epoch !== known.epoch && !isLate) return paused
  // If no request was accepted before, the refusal says nothing about a rate.
  if (rate === null && known.recent.accepted < 1) return paused
  const measurement = measurementOf(known, pausedUntil)
  return {
    ...paused,
    ...ratesAfter(known, measurement, isLate, pausedUntil - now),
    epoch: known.epoch + 1,
    accepted: 0,
    since: pausedUntil,
    raises: 0,
    recent: { accepted: 0, from: pausedUntil },
    measured: measurement.span
  }
}

/**
 * Records that an outage is over. The learned rate is forgotten, because the service may accept another one now. `epoch`
 * is that of a request that failed in the outage: if the rate has changed since, it is kept.
 */
export const afterOutage = (state: State | undefined, now: number, epoch: number): State => {
  if (state === undefined) return initial(now)
  if (Options.argument("state", stateKind, state).rate === null || state.epoch !== epoch) return state
  return { ...initial(now), next: state.next, pausedUntil: state.pausedUntil, epoch: epoch + 1 }
}

/** Makes a store in the memory of this process. */
export const memory = (): Store => {
  const states = new Map<string, State>()
  return {
    modify: (key, change) =>
      Effect.map(MonotonicClock.currentMillis, (now) => {
        const [next, result] = change(states.get(key), now)
        states.set(key, next)
        return result
      })
  }
}

/** Lets its callers continue at most `rate` times per second, evenly spaced. */
export const spacing = (rate: number): Effect.Effect<void> => {
  const interval = 1000 / Options.argument("rate", Options.rate, rate)
  let next = Number.NEGATIVE_INFINITY
  return Effect.flatMap(MonotonicClock.currentMillis, (now) => {
    const at = Math.max(now, next)
    next = at + interval
    return at > now ? Effect.sleep(at - now) : Effect.void
  })
}
