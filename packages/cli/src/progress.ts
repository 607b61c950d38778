/**
 * Progress on standard error while a run goes on: a bar on a terminal, plain lines where that was asked for.
 */
import { Ledger } from "@chemstream/stream"
import { Clock, Effect, type Scope } from "effect"
import * as Bar from "./bar.ts"
import { count } from "./summary.ts"

/**
 * `"bar"`: one line redrawn in place; `"plain"`: a line each quarter of the way, or each ten seconds where the end is not
 * known; `"none"`: nothing.
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
    const started = yield* Clock.currentTimeMillis
    const earlier = Ledger.accounted(ledger)
    const state = Effect.map(
      Clock.currentTimeMillis,
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
    const step = Effect.map(state, draw)
    yield* Effect.addFinalizer(() => (style === "bar" ? Effect.map(step, Bar.end) : step))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(step, Effect.sleep(Bar.redrawEvery))))
  })

const drawBar = (state: State): void => Bar.draw(render(state, Bar.columns()))

/** The milliseconds between two plain lines where the end is not known. */
const plainEvery = 10_000

const plainLines = (): ((state: State) => void) => {
  let said = 0
  return (state) => {
    const reached =
      state.total === undefined
        ? Math.floor(state.elapsed / plainEvery)
        : state.total === 0
          ? 0
          : Math.floor((4 * state.done) / state.total)
    if (reached <= said) return
    said = reached
    process.stderr.write(`${render(state, 80)}\n`)
  }
}
