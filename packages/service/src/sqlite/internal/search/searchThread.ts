/** The program of a search thread: runs jobs one after the other on its own connection. `searchPool` starts it. */
import { parentPort, workerData } from "node:worker_threads"
import type { Reply, Request } from "../../../ThreadPool.ts"
import { connectReader, searchCache } from "../database/connection.ts"
import { type Job, type JobSettings, prepare } from "./jobs.ts"
import { bytesOf } from "./responseBytes.ts"

/** The settings of a thread. */
export interface Start extends JobSettings {
  readonly file: string
}

const port = parentPort
if (port !== null) {
  const { file, ...settings } = workerData as Start
  const database = connectReader(file, searchCache)
  const jobs = prepare(database, settings)

  port.on("message", async ({ args, job }: Request) => {
    try {
      const result: unknown = await (jobs[job as Job] as (...args: ReadonlyArray<unknown>) => unknown)(
        ...args
      )
      const reply: Reply = { result }
      port.postMessage(
        reply,
        bytesOf(result).map((bytes) => bytes.buffer)
      )
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      const errcode = (cause as { readonly errcode?: number } | null)?.errcode
      port.postMessage({ error, errcode } satisfies Reply)
    }
  })
}
