/**
 * Shows the progress of a run on standard error, as a bar or as plain lines.
 */
import { Metrics, MonotonicClock } from "@chemstream/client"
import { Ledger, type Plan } from "@chemstream/stream"
import { Effect, type Scope } from "effect"
import * as MetricsFlags from "../flags/metricsFlags.ts"
import * as Messages from "./messages.ts"
import * as ProgressBar from "./progressBar.ts"
import { count, durationText } from "./quantities.ts"

/**
 * `"bar"`: one line, redrawn in place. `"plain"`: a line every five seconds and at the end, and after each quarter if the total is
 * known. `"none"`: nothing.
 */
export type Style = "bar" | "plain" | "none"

/** The progress of a run at one moment. */
export interface State {
  readonly done: number
  /** The number that an earlier run had settled. Default: 0. */
  readonly earlier?: number
  readonly total: number | undefined
  readonly retries: number
  /** The number of throttled calls. Default: 0. */
  readonly waiting?: number
  /** The requests sent, and those expected in all. Default: not shown. */
  readonly requests?: { readonly sent: number; readonly expected: number } | undefined
  /** Seconds until the end. Default: by the rate of the items. */
  readonly left?: number | undefined
  /** The name of the counted items. Default: `ids`. */
  readonly noun?: string
  /** Milliseconds since the start. */
  readonly elapsed: number
}

/** Items per second. */
const rateOf = ({ done, earlier = 0, elapsed }: State): number =>
  elapsed === 0 ? 0 : ((done - earlier) / elapsed) * 1000

/** Seconds until the end. Undefined: unknown. */
const timeLeft = (state: State): number | undefined => {
  const { done, left, total } = state
  const rate = rateOf(state)
  return left ?? (rate > 0 && total !== undefined ? (total - done) / rate : undefined)
}

/** Returns a state as a line of at most `columns`. */
export const render = (state: State, columns: number): string => {
  const { done, noun = "ids", requests, retries, total, waiting = 0 } = state
  const rate = rateOf(state)
  const left = timeLeft(state)
  const parts = [
    total === undefined ? `${count(done)} ${noun}` : `${count(done)}/${count(total)} ${noun}`,
    `${count(Math.round(rate))}/s`,
    ...(requests === undefined ? [] : [`${count(requests.sent)}/${count(requests.expected)} requests`]),
    ...(total !== undefined && left !== undefined && done < total ? [`${durationText(left)} left`] : []),
    ...(retries > 0 ? [`${count(retries)} retries`] : []),
    ...(waiting > 0 ? ["waiting for the service"] : [])
  ]
  const share = total === undefined ? undefined : total === 0 ? 1 : done / total
  return ProgressBar.render(share, parts.join(", "), columns)
}

/** The requests that a run is planned to send. */
export interface Planned extends Pick<Plan.Plan, "least" | "most" | "read"> {
  /** Requests per second. Undefined: no limit. */
  readonly pace: number | undefined
}

/** Returns the requests for the rest of the input. */
export const rest = ({ least, most, read }: Planned, done: number): Pick<Plan.Plan, "least" | "most"> => {
  const share = read === 0 ? 0 : Math.max(0, read - done) / read
  return { least: Math.ceil(least * share), most: most && Math.ceil(most * share) }
}

/** The progress since the start of this run. */
interface Work {
  /** Settled items. */
  readonly done: number
  /** Requests sent. */
  readonly sent: number
  /** Milliseconds. */
  readonly elapsed: number
}

/**
 * Returns the requests still to send, and their time in seconds. The requests so far correct the plan within its bounds; smaller batches
 * also beyond them.
 */
export const expect = (
  planned: Planned,
  ledger: Pick<Ledger.Ledger, "batchSize" | "inFlight" | "waiting"> & Ledger.Counts,
  { done, elapsed, sent }: Work
): { readonly requests: number; readonly left: number | undefined } => {
  const settled = Ledger.sum(ledger)
  const unsettled = Math.max(0, planned.read - settled)
  const { least, most = Number.POSITIVE_INFINITY } = rest(planned, settled)
  const observed = done === 0 ? least : (sent / done) * unsettled
  const batches = ledger.batchSize === 0 ? 0 : Math.ceil(unsettled / ledger.batchSize)
  const needed = Math.max(batches, Math.min(most, Math.max(least, Math.ceil(observed))))
  // The requests in flight are for items that are not settled yet.
  const requests = Math.max(0, needed - ledger.inFlight)
  const perRequest = Math.max(
    sent === 0 ? 0 : elapsed / 1000 / sent,
    planned.pace === undefined ? 0 : 1 / planned.pace
  )
  return { requests, left: perRequest === 0 ? undefined : Math.max(1, requests) * perRequest }
}

/** Shows the progress of a ledger until the scope closes. Without a plan, it shows no total. */
export const show = (
  ledger: Ledger.Ledger,
  planned: Planned | undefined,
  style: Style,
  noun?: string
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (style === "none" && !MetricsFlags.isRead()) return
    const started = yield* MonotonicClock.currentMillis
    const earlier = Ledger.sum(ledger)
    const { requests: earlierRequests } = ledger
    const state = Effect.map(MonotonicClock.currentMillis, (now): State => {
      const done = Ledger.sum(ledger)
      const elapsed = now - started
      const sent = ledger.requests - earlierRequests
      const expected = planned && expect(planned, ledger, { done: done - earlier, sent, elapsed })
      return {
        done,
        earlier,
        ...(noun === undefined ? {} : { noun }),
        total: planned?.read,
        ...(expected === undefined
          ? {}
          : {
              requests: { sent: ledger.requests, expected: ledger.requests + expected.requests },
              left: expected.left
            }),
        retries: ledger.retries,
        waiting: ledger.waiting,
        elapsed
      }
    })
    const draw = { bar: drawBar, plain: plainLines(), none: () => {} }[style]
    const update = (isLast: boolean) =>
      Effect.flatMap(state, (now) => {
        draw(now, isLast)
        const { done, total } = now
        const left = isLast ? undefined : timeLeft(now)
        return Metrics.recordProgress({
          done,
          total,
          remaining: left === undefined ? undefined : left * 1000
        })
      })
    yield* Effect.addFinalizer(() =>
      Effect.map(update(true), () => {
        if (style === "bar") ProgressBar.end()
      })
    )
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(update(false), Effect.sleep(ProgressBar.redrawEvery)))
    )
  })

const drawBar = (state: State): void => ProgressBar.draw(render(state, ProgressBar.columns()))

/** The longest time between two plain lines, in milliseconds. */
const plainEvery = 5000

/** Writes states as plain lines, and omits those that show little progress. `isLast` marks the last state. */
export const plainLines = (
  write: (line: string) => void = Messages.say
): ((state: State, isLast: boolean) => void) => {
  let quarters = 0
  let lastElapsed = 0
  let lastDone = -1
  return (state, isLast) => {
    const reached = state.total ? Math.floor((4 * state.done) / state.total) : 0
    const isDue = reached > quarters || state.elapsed - lastElapsed >= plainEvery
    if (!isDue && !(isLast && state.done !== lastDone)) return
    quarters = reached
    lastElapsed = state.elapsed
    lastDone = state.done
    write(`${render(state, 80)}\n`)
  }
}
