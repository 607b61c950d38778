/**
 * Progress on standard error while a run goes on: a bar on a terminal, plain lines where that was asked for.
 */
import { Ledger } from "@chemstream/stream"
import { Clock, Effect, type Scope } from "effect"
import { count } from "./summary.ts"

/** The milliseconds between two drawings of the bar: at most ten a second. */
const redrawEvery = 100

const widestBar = 30

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
  const text = parts.join(", ")
  const width = Math.min(widestBar, columns - text.length - 4)
  if (total === undefined || width < 5) return text.slice(0, columns - 1)
  const filled = total === 0 ? width : Math.floor((Math.min(done, total) / total) * width)
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`
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
    yield* Effect.addFinalizer(() => (style === "bar" ? Effect.map(step, () => endBar()) : step))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(step, Effect.sleep(redrawEvery))))
  })

const drawBar = (state: State): void => {
  process.stderr.write(`\r\u001b[2K${render(state, process.stderr.columns || 80)}`)
}

const endBar = (): void => {
  process.stderr.write("\n")
}

const plainLines = (): ((state: State) => void) => {
  let quarter = 0
  return (state) => {
    const reached = state.total ? Math.floor((4 * state.done) / state.total) : 0
    if (reached <= quarter) return
    quarter = reached
    process.stderr.write(`${render(state, 80)}\n`)
  }
}
