/**
 * The program of the writing thread: runs steps one after the other on its own connection. `writeQueue` starts it.
 */
import { parentPort, workerData } from "node:worker_threads"
import type { Reply } from "../../../ThreadPool.ts"
import { connectWriter, createSchema } from "../database/connection.ts"
import { prepare, type Steps } from "./writeSteps.ts"

/** The settings of the thread: the database file, empty or of this version. */
export interface Start {
  readonly file: string
}

/** A requested step. */
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
      // Opened by the first step, so that an error of the database becomes a reply.
      steps ??= open(file)
      const result: unknown = await (steps[step] as (...args: ReadonlyArray<unknown>) => unknown)(...args)
      port.postMessage({ result } satisfies Reply)
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
