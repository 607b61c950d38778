/**
 * A thread that writes to a database over a connection of its own, one step after the other. Started by `writeQueue`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { connectWriter, createSchema } from "../database/connection.ts"
import type { Reply } from "../search/searchThread.ts"
import { prepare, type Steps } from "./writeSteps.ts"

/** What the thread is started with: an empty database, or one of this version. */
export interface Start {
  readonly file: string
}

/** A step to take. */
export interface Request {
  readonly step: keyof Steps
  readonly args: ReadonlyArray<unknown>
}

const open = (file: string): Steps => {
  const database = connectWriter(file)
  try {
    createSchema(database)
    return prepare(database)
  } catch (cause) {
    database.close()
    throw cause
  }
}

const port = parentPort
if (port !== null) {
  const { file } = workerData as Start
  let steps: Steps | undefined
  const take = async ({ step, args }: Request): Promise<void> => {
    try {
      // Here, so that a database that cannot be opened is an answer.
      steps ??= open(file)
      const answer: unknown = await (steps[step] as (...args: ReadonlyArray<unknown>) => unknown)(...args)
      port.postMessage({ answer } satisfies Reply)
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      const errcode = (cause as { readonly errcode?: number } | null)?.errcode
      port.postMessage({ error, errcode } satisfies Reply)
    }
    if (step === "close") port.close()
  }
  let last = Promise.resolve()
  port.on("message", (request: Request) => {
    last = last.then(() => take(request))
  })
}
