/**
 * A thread that answers searches over a connection of its own, one after the other, or a slice of a long one at a time.
 * Started by `searchPool`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { bytesOf } from "./answerBytes.ts"
import type { Found, Settings } from "./collector.ts"
import { connectReader, searchCache } from "./connection.ts"
import { isStepwise, type Job, prepare } from "./jobs.ts"
import type { Stepwise } from "./search.ts"

/** What a thread is started with. */
export interface Start extends Settings {
  readonly file: string
  /** For how many milliseconds it works on a job that has steps, at first and each time it goes on with it. */
  readonly slices: { readonly first: number; readonly next: number }
}

/** A job to do; or one that has been begun, to go on with, or to forget, to which there is no reply. */
export type Request =
  | { readonly id: number; readonly job: Job; readonly args: ReadonlyArray<unknown> }
  | { readonly id: number; readonly isWanted: boolean }

/** What came of it: the answer, or the message and SQLite's code of an error. */
export type Reply =
  | { readonly answer: unknown }
  | { readonly error: string; readonly errcode: number | undefined }

/** The same, or that there is more to do. */
export type SliceReply = Reply | { readonly isBegun: true }

const port = parentPort
if (port !== null) {
  const { file, kinds, cap, slices } = workerData as Start
  const database = connectReader(file, searchCache)
  const jobs = prepare(database, { kinds, cap })
  const begun = new Map<number, Stepwise>()

  // What was found, or undefined when the time is over.
  const slice = (search: Stepwise, milliseconds: number): Found | undefined => {
    const end = performance.now() + milliseconds
    for (;;) {
      const found = search.step()
      if (found !== undefined) return found
      if (performance.now() < end) continue
      search.pause()
      return undefined
    }
  }

  const reply = (of: SliceReply): void =>
    port.postMessage(of, "answer" in of ? bytesOf(of.answer).map((bytes) => bytes.buffer) : [])

  const goOn = (id: number, search: Stepwise, milliseconds: number): void => {
    const answer = slice(search, milliseconds)
    if (answer === undefined) begun.set(id, search)
    reply(answer === undefined ? { isBegun: true } : { answer })
  }

  port.on("message", async (request: Request) => {
    const { id } = request
    try {
      if ("job" in request) {
        const result: unknown = await (jobs[request.job] as (...args: ReadonlyArray<unknown>) => unknown)(
          ...request.args
        )
        if (isStepwise(result)) goOn(id, result, slices.first)
        else reply({ answer: result })
        return
      }
      const search = begun.get(id) as Stepwise
      begun.delete(id)
      if (request.isWanted) goOn(id, search, slices.next)
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      const errcode = (cause as { readonly errcode?: number } | null)?.errcode
      reply({ error, errcode })
    }
  })
}
