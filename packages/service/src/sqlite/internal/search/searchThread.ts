/** The program of a search thread: runs jobs one after the other on its own connection. `searchPool` starts it. */
import { parentPort, workerData } from "node:worker_threads"
import type { Reply, Request } from "../../../ThreadPool.ts"
import { connectReader, searchCache } from "../database/connection.ts"
import { identityOf } from "../database/fileIdentity.ts"
import { type Job, type JobSettings, prepare } from "./searchJobs.ts"

/** The length of the empty result `[]`, which is shared and must not be transferred. */
const sharedLength = 2

/** Returns the bytes of a result that are not shared, so that they are transferred and not copied. */
const bytesOf = (result: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  (Array.isArray(result) ? result : [result])
    .map((part) => (part instanceof Uint8Array ? part : (part as { readonly json?: unknown } | null)?.json))
    .filter((bytes) => bytes instanceof Uint8Array)
    .filter((bytes): bytes is Uint8Array<ArrayBuffer> => bytes.length > sharedLength)

/** The message of the error of a thread whose file was replaced. */
export const replaced = "the file was replaced"

/** The settings of a thread. */
export interface Start extends JobSettings {
  readonly file: string
  /** The identity of the file (`fileIdentity`). A thread that finds another file ends. */
  readonly identity?: string | undefined
}

const port = parentPort
if (port !== null) {
  const { file, identity, ...settings } = workerData as Start
  const database = connectReader(file, searchCache)
  if (identity !== undefined && identity !== identityOf(file)) throw new Error(replaced)
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
