/**
 * Shows the progress of a run on standard error, as a bar or as plain lines.
 */
import { MonotonicClock } from "@chemstream/client"
import { Ledger } from "@chemstream/stream"
import { Effect, type Scope } from "effect"
import { count } from "../run/summary.ts"
import * as Bar from "./bar.ts"
import * as Messages from "./messages.ts"

/**
 * `"bar"`: one line, redrawn in place. `"plain"`: a line every five seconds and at the end, and after each quarter if the total is
 * known. `"none"`: nothing.
 */
export type Style = "bar" | "plain" | "none"

export interface State {
  readonly done: number
  /** The number that an earlier run had settled. Default: 0. */
  readonly earlier?: number
  readonly total: number | undefined
  readonly retries: number
  /** The number of throttled calls. Default: 0. */
  readonly waiting?: number
  /** The name of the counted items. Default: `ids`. */
  readonly noun?: string
  /** Milliseconds since the start. */
  readonly elapsed: number
}

/** Returns a state as a line of at most `columns`. */
export const render = (state: State, columns: number): string => {
  const { done, earlier = 0, elapsed, noun = "ids", retries, total, waiting = 0 } = state
  const rate = elapsed === 0 ? 0 : ((done - earlier) / elapsed) * 1000
  const parts = [
    total === undefined ? `${count(done)} ${noun}` : `${count(done)}/${count(total)} ${noun}`,
    `${count(Math.round(rate))}/s`,
    ...(total !== undefined && rate > 0 && done < total
      ? [`${Math.ceil((total - done) / rate)} s left`]
      : []),
    ...(retries > 0 ? [`${count(retries)} retries`] : []),
    ...(waiting > 0 ? ["waiting for the service"] : [])
  ]
  const share = total === undefined ? undefined : total === 0 ? 1 : done / total
  return Bar.render(share, parts.join(", "), columns)
}

/** Shows the progress of a ledger until the scope closes. `total` is evaluated only if the progress is shown. */
export const show = <E = never>(
  ledger: Ledger.Ledger,
  count: Effect.Effect<number, E> | undefined,
  style: Style,
  noun?: string
): Effect.Effect<void, E, Scope.Scope> =>
  Effect.gen(function* () {
    if (style === "none") return
    const total = yield* count ?? Effect.undefined
    const started = yield* MonotonicClock.currentMillis
    const earlier = Ledger.sum(ledger)
    const state = Effect.map(
      MonotonicClock.currentMillis,
      (now): State => ({
        done: Ledger.sum(ledger),
        earlier,
        ...(noun === undefined ? {} : { noun }),
        total,
        retries: ledger.retries,
        waiting: ledger.waiting,
        elapsed: now - started
      })
    )
    const draw = style === "bar" ? drawBar : plainLines()
    const step = Effect.map(state, (now) => draw(now, false))
    yield* Effect.addFinalizer(() =>
      Effect.map(state, (now) => {
        draw(now, true)
        if (style === "bar") Bar.end()
      })
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(step, Effect.sleep(Bar.redrawEvery))))
  })

const drawBar = (state: State): void => Bar.draw(render(state, Bar.columns()))

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
