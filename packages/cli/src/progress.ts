/**
 * Progress on standard error while a run goes on: a bar on a terminal, plain lines where that was asked for.
 */
import { Ledger } from "@chemstream/stream"
import { Clock, Effect, type Scope } from "effect"
import * as Bar from "./bar.ts"
import { count } from "./summary.ts"

/** `"bar"`: one line redrawn in place; `"plain"`: a line each quarter of the way; `"none"`: nothing. */
export type Style = "bar" | "plain" | "none"

export interface State {
  readonly done: number
  readonly total: number | undefined
  readonly retries: number
  /** Milliseconds since the start. */
  readonly elapsed: number
}

/** The line that shows a state, no wider than `columns`. */
export const render = (state: State, columns: number): string => {
  const { done, elapsed, retries, total } = state
  const rate = elapsed === 0 ? 0 : (done / elapsed) * 1000
  const parts = [
    total === undefined ? `${count(done)} ids` : `${count(done)}/${count(total)} ids`,
    `${count(Math.round(rate))}/s`,
    ...(total !== undefined && rate > 0 && done < total
      ? [`${Math.ceil((total - done) / rate)} s left`]
      : []),
    ...(retries > 0 ? [`${count(retries)} retries`] : [])
  ]
  const share = total === undefined ? undefined : total === 0 ? 1 : done / total
  return Bar.render(share, parts.join(", "), columns)
}

/** Shows the progress of a ledger until the scope closes. */
export const show = (
  ledger: Ledger.Ledger,
  total: number | undefined,
  style: Style
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (style === "none") return
    const started = yield* Clock.currentTimeMillis
    const state = Effect.map(
      Clock.currentTimeMillis,
      (now): State => ({
        done: Ledger.accounted(ledger),
        total,
        retries: ledger.retries,
        elapsed: now - started
      })
    )
    const draw = style === "bar" ? drawBar : plainLines()
    const step = Effect.map(state, draw)
    yield* Effect.addFinalizer(() => (style === "bar" ? Effect.map(step, Bar.end) : step))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(step, Effect.sleep(Bar.redrawEvery))))
  })

const drawBar = (state: State): void => Bar.draw(render(state, Bar.columns()))

const plainLines = (): ((state: State) => void) => {
  let quarter = 0
  return (state) => {
    const reached = state.total ? Math.floor((4 * state.done) / state.total) : 0
    if (reached <= quarter) return
    quarter = reached
    process.stderr.write(`${render(state, 80)}\n`)
  }
}
