/** A list: its input, its run, and its results. */
import type { Resolve } from "@chemstream/stream"
import { Effect } from "effect"
import { useEffect, useRef, useState } from "preact/hooks"
import { type Failure, failureOf, useSession } from "../connection.ts"
import { Problem } from "../parts/Problem.tsx"
import * as Input from "./input.ts"
import { Results } from "./Results.tsx"
import * as ResolveRun from "./resolveRun.ts"
import { Source } from "./Source.tsx"
import { TableChoice } from "./TableChoice.tsx"

/** A running or finished run. */
interface Run {
  readonly name: string
  readonly columns: ReadonlyArray<string> | undefined
  readonly total: number
  readonly results: ReadonlyArray<Resolve.RowResult>
  readonly isFinished: boolean
  readonly failure?: Failure
}

/** The interval at which results are shown, in milliseconds. */
const interval = 250

/** The view of a list. */
export const List = () => {
  const [input, setInput] = useState<Input.Input>()
  const [problem, setProblem] = useState<Failure>()
  const { clear, run, start, stop } = useRun()
  const latest = useRef<Uint8Array>(undefined)
  const begin = (given: Input.Input, table: Input.Table | undefined, keys: ReadonlyArray<string>) => {
    const exit = Effect.runSyncExit(Input.identifiersOf(given, table, keys))
    if (exit._tag === "Failure") return setProblem(failureOf(exit))
    setProblem(undefined)
    start({ name: given.name, columns: table?.columns }, exit.value, keys)
  }
  const readInput = async (name: string, bytes: Uint8Array) => {
    clear()
    setInput(undefined)
    setProblem(undefined)
    latest.current = bytes
    const exit = await Effect.runPromiseExit(Input.read(name, bytes))
    // Another input was given while this one was read.
    if (latest.current !== bytes) return
    if (exit._tag === "Failure") return setProblem(failureOf(exit))
    setInput(exit.value)
    if (exit.value.tables.length === 0) begin(exit.value, undefined, [])
  }
  return (
    <>
      <h1>List</h1>
      <Source onInput={readInput} />
      {problem === undefined ? null : <Problem failure={problem} />}
      {input === undefined ? null : (
        <TableChoice tables={input.tables} choose={(table, keys) => begin(input, table, keys)} />
      )}
      {run === undefined ? null : <Outcome run={run} stop={stop} />}
    </>
  )
}

const Outcome = ({ run, stop }: { readonly run: Run; readonly stop: () => void }) => (
  <>
    <p role="status" class="ledger">
      {ResolveRun.ledgerOf(run.results, run.total)}
    </p>
    {run.isFinished ? null : (
      <p>
        <progress aria-label="Rows with a result" max={run.total} value={run.results.length} />{" "}
        <button type="button" onClick={stop}>
          Stop
        </button>
      </p>
    )}
    {run.failure === undefined ? null : <Problem failure={run.failure} />}
    <Results {...run} />
  </>
)

/** Runs a list, and shows its results four times a second. */
const useRun = () => {
  const { connection, onKeyRejected } = useSession()
  const [run, setRun] = useState<Run>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = (
    about: Pick<Run, "columns" | "name">,
    identifiers: Parameters<typeof ResolveRun.resolve>[0],
    keys: ReadonlyArray<string>
  ) => {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    const results: Array<Resolve.RowResult> = []
    const show = (state: Pick<Run, "failure" | "isFinished">) => {
      if (stopping.current !== stop) return
      setRun({ ...about, ...state, total: identifiers.length, results: [...results] })
    }
    show({ isFinished: false })
    const timer = setInterval(() => show({ isFinished: false }), interval)
    const resolving = ResolveRun.resolve(identifiers, keys, (result) => results.push(result))
    connection.run(resolving, stop.signal).then((exit) => {
      clearInterval(timer)
      if (stopping.current !== stop) return
      if (exit._tag === "Success") return show({ isFinished: true })
      const failure = stop.signal.aborted ? { message: "The run was stopped" } : failureOf(exit)
      if (failure._tag === "Unauthorized") return onKeyRejected()
      show({ isFinished: true, failure })
    })
  }
  const stop = () => stopping.current?.abort()
  const clear = () => {
    stop()
    stopping.current = undefined
    setRun(undefined)
  }
  return { clear, run, start, stop }
}
