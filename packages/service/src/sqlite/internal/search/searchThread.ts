/**
 * A thread that runs searches over a connection of its own, one after the other. Started by `searchPool`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { connectReader, searchCache } from "../database/connection.ts"
import { type Job, type JobSettings, prepare } from "./jobs.ts"
import { bytesOf } from "./responseBytes.ts"

/** What a thread is started with. */
export interface Start extends JobSettings {
  readonly file: string
}

/** A job to do. */
export interface Request {
  readonly job: Job
  readonly args: ReadonlyArray<unknown>
}

/** What came of it: the answer, or the message and SQLite's code of an error. */
export type Reply =
  | { readonly answer: unknown }
  | { readonly error: string; readonly errcode: number | undefined }

const port = parentPort
if (port !== null) {
  const { file, ...settings } = workerData as Start
  const database = connectReader(file, searchCache)
  const jobs = prepare(database, settings)

  port.on("message", async ({ args, job }: Request) => {
    try {
      const answer: unknown = await (jobs[job] as (...args: ReadonlyArray<unknown>) => unknown)(...args)
      const reply: Reply = { answer }
      port.postMessage(
        reply,
        bytesOf(answer).map((bytes) => bytes.buffer)
      )
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      const errcode = (cause as { readonly errcode?: number } | null)?.errcode
      port.postMessage({ error, errcode } satisfies Reply)
    }
  })
}
