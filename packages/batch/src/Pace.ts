/**
 * Spaces requests evenly, and learns the rate that a service accepts from its refusals (429).
 *
 * The rate is unlimited until the first refusal. It is then measured: what the service accepted before. It is searched between the last
 * rate that held and the last one that was refused, and found when these are close. A found rate is raised when nothing has been refused
 * for long. docs/decisions/0032-a-learned-rate.md has the rules and figures.
 *
 * The state is a plain value, and the changes are pure, so that processes can share a pace through a `Store`.
 */
import { Context, Effect } from "effect"
import * as MonotonicClock from "./MonotonicClock.ts"
import * as Options from "./Options.ts"

/** The state of a pace. It is JSON. Times are those of the store, in milliseconds. */
export interface State {
  /** When the next request may be sent. */
  readonly next: number
  /** No request is sent before: the service asked to wait. */
  readonly pausedUntil: number
  /** The learned rate in requests per second. Null: none, so only the limit applies. */
  readonly rate: number | null
  /** The highest rate that held. */
  readonly held: number | null
  /** The lowest rate that was refused. */
  readonly refused: number | null
  /** How often the rate was raised since the last refusal. */
  readonly raises: number
  /**
   * The number of changes of the rate. A refusal of a request of an earlier epoch does not change the rate again. Exception: if the last
   * change was a raise, a refusal of the epoch before shows that the rate before it has not held.
   */
  readonly epoch: number
  /** The accepted requests of this epoch, and when it began. */
  readonly accepted: number
  readonly since: number
  /** The accepted requests since the last refusal, and the end of its wait. */
  readonly recent: Span
  /** The same up to the end of the wait of the last refusal: what the service has accepted for so long. */
  readonly measured: Span & { readonly to: number }
}

/** Accepted requests since a time. */
export interface Span {
  readonly accepted: number
  readonly from: number
}

/** Where the state of a pace is. Processes that share a store share its paces. */
export interface Store {
  /** Changes the state of a pace in one step. `now` is the time of the store in milliseconds. */
  readonly modify: <A>(
    key: string,
    change: (state: State | undefined, now: number) => readonly [next: State, result: A]
  ) => Effect.Effect<A>
}

/** The store of the paces in a scope. Default: the memory of the process, so that nothing is shared. */
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
  readonly epoch: number
}

/** While the rate is searched, it holds after so many requests and so long, in milliseconds. */
const holdWhileSearching = { requests: 3, millis: 1000 }

/** A rate that was found is raised after so many requests and so long without a refusal. */
const holdWhenFound = { requests: 120, millis: 45_000 }

/** The rate is found when the refused rate is at most this many times the one that held. */
const precision = 1.03

/** The growth of the rate while no higher one was refused: the first time, and each later time. */
const growth = { first: 1.5, later: 2 }

/** The growth of a rate that was found. */
const growthOfFound = 1.03

/** The share that is left of a rate that had held, and is refused. */
const reduction = 0.85

/** So few accepted requests between two refusals do not tell them apart. */
const fewAccepted = 2

/** A measurement of so many requests tells the time for which a rate must hold. */
const reliable = 5

/** A refusal whose wait is a larger share of the time since the last one says what the service accepts on average. */
const shareOfWait = 0.2

/** The lowest and highest learned rates, in requests per second. Above the highest, the rate is unlimited. */
const bounds = { lowest: 0.1, unlimited: 1000 }

const stateKind = /* @__PURE__ */ Options.objectWith("a state of a pace", { epoch: Options.amount })

const acceptedKind = /* @__PURE__ */ Options.objectWith("an object with count and epoch", {
  count: Options.amount,
  epoch: Options.amount
})
const refusalKind = /* @__PURE__ */ Options.objectWith("an object with epoch and wait", {
  epoch: Options.amount,
  wait: Options.amount
})

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

/** Reserves the place of a request. `limit` is the largest rate in requests per second. */
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

/** Adds accepted requests to a state. */
export const counted = (state: State, seen: Accepted): State => {
  const { accepted, measured, raises, recent } = Options.argument("state", stateKind, state)
  const { count, epoch } = Options.argument("seen", acceptedKind, seen)
  const added = { ...recent, accepted: recent.accepted + count }
  if (epoch === state.epoch) return { ...state, accepted: accepted + count, recent: added }
  // A request that was sent before the last refusal belongs to its measurement.
  return epoch >= state.epoch - raises
    ? { ...state, recent: added }
    : { ...state, measured: { ...measured, accepted: measured.accepted + count } }
}

/** Raises the rate if it has held. */
const raised = (state: State, now: number, limit: number): State => {
  const { accepted, measured, rate, refused } = state
  const millis = now - state.since
  // The mean of an unlimited rate is that of the last minute.
  if (rate === null) {
    const { recent } = state
    const half = { accepted: recent.accepted / 2, from: now - (now - recent.from) / 2 }
    return now - recent.from > 60_000 ? { ...state, recent: half } : state
  }
  const isReliable = measured.accepted >= reliable
  const holding = Math.max(holdWhileSearching.millis, isReliable ? measured.to - measured.from : 0)
  if (accepted < holdWhileSearching.requests || millis < holding) return state
  const isFound = refused !== null && refused <= rate * precision
  if (isFound && (accepted < holdWhenFound.requests || millis < holdWhenFound.millis))
    return { ...state, held: rate }
  const next = isFound
    ? rate * growthOfFound
    : refused === null
      ? rate * (state.raises === 0 ? growth.first : growth.later)
      : Math.max(rate * precision, Math.sqrt(rate * refused))
  const isUnlimited = next >= Math.min(limit, bounds.unlimited)
  const common = { ...state, held: rate, epoch: state.epoch + 1, accepted: 0, since: now }
  return isUnlimited
    ? { ...common, rate: null, held: null, refused: null, recent: { accepted: 0, from: now } }
    : { ...common, rate: next, refused: isFound ? null : refused, raises: isFound ? 0 : state.raises + 1 }
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
  // A rate that was raised since has not held.
  const isLate = epoch === known.epoch - 1 && held !== null && rate !== null && held < rate
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

/** What the service has accepted up to the end of the wait of a refusal. */
interface Measurement {
  readonly span: State["measured"]
  /** Whether the refusal came soon after another one, so that both are of the same excess. */
  readonly isContinued: boolean
}

const measurementOf = ({ measured: { accepted, from }, recent }: State, to: number): Measurement => {
  const isContinued = recent.accepted <= fewAccepted && accepted > 0
  const span = isContinued ? { accepted: accepted + recent.accepted, from, to } : { ...recent, to }
  return { isContinued, span }
}

/** Returns the rate after a refusal, and the bounds between which it is searched. `wait` is the wait of the refusal. */
const ratesAfter = (
  { held, rate, refused }: State,
  { isContinued, span }: Measurement,
  isLate: boolean,
  wait: number
): Pick<State, "held" | "rate" | "refused"> => {
  const mean = (1000 * span.accepted) / Math.max(1, span.to - span.from)
  if (rate === null) return { rate: Math.max(mean, bounds.lowest), refused: null, held: null }
  if (isContinued) return { rate: Math.max(Math.min(rate, mean), bounds.lowest), held: null, refused }
  const isBlocked = wait > shareOfWait * (span.to - span.from)
  const last = isLate ? (held as number) * reduction : held !== null && held < rate ? held : rate * reduction
  const lower = isBlocked ? Math.min(last, mean) : last
  return {
    rate: Math.max(lower, bounds.lowest),
    held: lower === held ? held : null,
    refused: isLate ? held : rate
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
