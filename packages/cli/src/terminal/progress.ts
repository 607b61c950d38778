/**
 * Progress on standard error while a run goes on: a bar on a terminal, plain lines where that was asked for.
 */
import { MonotonicClock } from "@chemstream/client"
import { Ledger } from "@chemstream/stream"
import { Effect, type Scope } from "effect"
import { count } from "../run/summary.ts"
import * as Bar from "./bar.ts"
import * as Messages from "./messages.ts"

/**
 * `"bar"`: one line redrawn in place; `"plain"`: a line each quarter of the way where the end is known, every five seconds
 * in any case, and a last one at the end; `"none"`: nothing.
 */
export type Style = "bar" | "plain" | "none"

export interface State {
  readonly done: number
  /** How many of these an earlier run had done; none when not given. */
  readonly earlier?: number
  readonly total: number | undefined
  readonly retries: number
  /** Calls that wait because the service limits the rate; none when not given. */
  readonly waiting?: number
  /** What is counted; `ids` when not given. */
  readonly noun?: string
  /** Milliseconds since the start. */
  readonly elapsed: number
}

/** The line that shows a state, no wider than `columns`. */
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

/** Shows the progress of a ledger until the scope closes. What there is in total is found out only then. */
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
    const earlier = Ledger.accounted(ledger)
    const state = Effect.map(
      MonotonicClock.currentMillis,
      (now): State => ({
        done: Ledger.accounted(ledger),
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

/** The milliseconds after which there is another plain line, whatever has come of the run. */
const plainEvery = 5000

/** Writes lines of states, as few as tell how far it is; `isLast` says of the state at the end. */
export const plainLines = (
  write: (line: string) => void = Messages.say
): ((state: State, isLast: boolean) => void) => {
  let quarters = 0
  let saidAt = 0
  let said = -1
  return (state, isLast) => {
    const reached = state.total ? Math.floor((4 * state.done) / state.total) : 0
    const isDue = reached > quarters || state.elapsed - saidAt >= plainEvery
    if (!isDue && !(isLast && state.done !== said)) return
    quarters = reached
    saidAt = state.elapsed
    said = state.done
    write(`${render(state, 80)}\n`)
  }
}
