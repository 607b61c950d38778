/**
 * A thread that writes to a database over a connection of its own, one step after the other. Started by `writeQueue`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { connectWriter } from "./connection.ts"
import type { Reply } from "./searchThread.ts"
import { prepare, type Steps } from "./writeSteps.ts"

/** What the thread is started with: a database of this version. */
export interface Start {
  readonly file: string
}

/** A step to take. */
export interface Request {
  readonly step: keyof Steps
  readonly args: ReadonlyArray<unknown>
}

const port = parentPort
if (port !== null) {
  const { file } = workerData as Start
  let steps: Steps | undefined
  const take = async ({ step, args }: Request): Promise<void> => {
    try {
      // Here, so that a database that cannot be opened is an answer.
      steps ??= prepare(connectWriter(file))
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
