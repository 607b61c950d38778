/** Reads and runs the input of the list or of the feature table. */
import type { ChemClient } from "@chemstream/client"
import { Effect } from "effect"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Failure } from "../Failure.ts"
import { failureOf, useSession } from "../session.ts"
import * as ListInput from "./listInput.ts"

/** A running or finished run. */
export interface Run<A> {
  readonly name: string
  readonly columns: ReadonlyArray<string> | undefined
  readonly total: number
  readonly results: ReadonlyArray<A>
  readonly isFinished: boolean
  readonly failure?: Failure
}

/** The interval at which results are shown, in milliseconds. */
const interval = 250

/** Reads inputs and runs them. A new input removes the results of the former one, also if it is refused. */
export const useListRun = <A>(
  columnNames: ListInput.ColumnNames,
  onList?: (input: ListInput.Input) => void
) => {
  const [input, setInput] = useState<ListInput.Input>()
  const [problem, setProblem] = useState<Failure>()
  const { clear, run, start, stop } = useRun<A>()
  const latest = useRef<Uint8Array>(undefined)
  const read = async (name: string, bytes: Uint8Array) => {
    clear()
    setInput(undefined)
    setProblem(undefined)
    latest.current = bytes
    const exit = await Effect.runPromiseExit(ListInput.read(name, bytes, columnNames))
    // Another input was given while this one was read.
    if (latest.current !== bytes) return
    if (exit._tag === "Failure") return setProblem(failureOf(exit))
    setInput(exit.value)
    if (exit.value.tables.length === 0) onList?.(exit.value)
  }
  /** Runs the rows of an input, which may fail before the first request. */
  const begin = <Row>(
    given: ListInput.Input,
    table: ListInput.Table | undefined,
    rows: Effect.Effect<ReadonlyArray<Row>, Failure>,
    running: (rows: ReadonlyArray<Row>, onResult: (result: A) => void) => Running
  ) => {
    const exit = Effect.runSyncExit(rows)
    if (exit._tag === "Failure") return setProblem(failureOf(exit))
    setProblem(undefined)
    const about = { name: given.name, columns: table?.columns, total: exit.value.length }
    start(about, (onResult) => running(exit.value, onResult))
  }
  return { begin, input, problem, read, run, stop }
}

type Running = Effect.Effect<void, Failure, ChemClient.ChemClient>

/** Shows the results of a run four times a second. */
const useRun = <A>() => {
  const { connection, onKeyRejected } = useSession()
  const [run, setRun] = useState<Run<A>>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = (
    about: Pick<Run<A>, "columns" | "name" | "total">,
    running: (onResult: (result: A) => void) => Running
  ) => {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    const results: Array<A> = []
    const show = (state: Pick<Run<A>, "failure" | "isFinished">) => {
      if (stopping.current === stop) setRun({ ...about, ...state, results: [...results] })
    }
    show({ isFinished: false })
    const timer = setInterval(() => show({ isFinished: false }), interval)
    connection
      .run(
        running((result) => results.push(result)),
        stop.signal
      )
      .then((exit) => {
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
