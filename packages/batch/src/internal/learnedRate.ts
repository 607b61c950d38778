/**
 * Decides which rate of requests is tried next, after a rate has held (no request was refused for long enough) or was refused (429).
 * `Pace` keeps the state, and spaces the requests.
 *
 * The rate is unlimited until the first refusal. It is then measured: what the service accepted before. It is searched between the last
 * rate that held and the last one that was refused, and found when these are close. A found rate is raised when nothing has been refused
 * for long. docs/decisions/0032-a-learned-rate.md has the rules and figures.
 */

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
  /** The requests accepted up to the last refusal and the end of its wait: the rate that the service accepts is computed from them. */
  readonly measured: Span & { readonly to: number }
}

/** Accepted requests since a time. */
export interface Span {
  readonly accepted: number
  readonly from: number
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

/** Two refusals with at most this many accepted requests between them count as one. */
const fewAccepted = 2

/** After a measurement of at least this many requests, a rate must hold for as long as the measurement took. */
const reliable = 5

/** A refusal whose wait is a larger share of the time since the last one says what the service accepts on average. */
const shareOfWait = 0.2

/** The lowest and highest learned rates, in requests per second. Above the highest, the rate is unlimited. */
const bounds = { lowest: 0.1, unlimited: 1000 }

/** Raises the rate if it has held for long enough. `limit` is the largest rate. */
export const raised = (state: State, now: number, limit: number): State => {
  const { accepted, measured, rate, refused } = state
  const millis = now - state.since
  // Without a rate, the requests of about the last minute are kept for the mean of a first refusal.
  if (rate === null) {
    const { recent } = state
    const half = { accepted: recent.accepted / 2, from: now - (now - recent.from) / 2 }
    return now - recent.from > 60_000 ? { ...state, recent: half } : state
  }
  const isReliable = measured.accepted >= reliable
  const holding = Math.max(holdWhileSearching.millis, isReliable ? measured.to - measured.from : 0)
  if (accepted < holdWhileSearching.requests || millis < holding) return state
  // A found rate is raised rarely and little. The search takes the mean (geometric) of the bounds, or grows until it is refused.
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

/** What the service has accepted up to the end of the wait of a refusal. */
interface Measurement {
  readonly span: State["measured"]
  /** Whether the refusal came soon after another one, so that both are of the same excess. */
  readonly isContinued: boolean
}

/** Returns the measurement of a refusal, whose wait ends at `to`. */
export const measurementOf = ({ measured: { accepted, from }, recent }: State, to: number): Measurement => {
  const isContinued = recent.accepted <= fewAccepted && accepted > 0
  const span = isContinued ? { accepted: accepted + recent.accepted, from, to } : { ...recent, to }
  return { isContinued, span }
}

/**
 * Returns the rate after a refusal, and the bounds between which it is searched. `isLate`: the refused request was sent before the rate was
 * raised last. `wait`: that of the refusal, in milliseconds.
 */
export const ratesAfter = (
  { held, rate, refused }: State,
  { isContinued, span }: Measurement,
  isLate: boolean,
  wait: number
): Pick<State, "held" | "rate" | "refused"> => {
  const mean = (1000 * span.accepted) / Math.max(1, span.to - span.from)
  if (rate === null) return { rate: Math.max(mean, bounds.lowest), refused: null, held: null }
  if (isContinued) return { rate: Math.max(Math.min(rate, mean), bounds.lowest), held: null, refused }
  // The service accepts a number of requests, and then none for long, so only their mean holds.
  const isBlocked = wait > shareOfWait * (span.to - span.from)
  // The rate that held, or a share of the refused one if that had held.
  const last = isLate ? (held as number) * reduction : held !== null && held < rate ? held : rate * reduction
  const lower = isBlocked ? Math.min(last, mean) : last
  return {
    rate: Math.max(lower, bounds.lowest),
    held: lower === held ? held : null,
    refused: isLate ? held : rate
  }
}
