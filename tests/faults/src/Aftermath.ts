/**
 * What work leaves behind that no single result shows: rejections that nobody handled, and handles that stay open.
 */
import { setTimeout } from "node:timers/promises"

/** What was left behind. */
export interface Aftermath {
  /** Sockets, servers, timers and files that are open at the end and were not at the beginning. */
  readonly leaked: number
  readonly rejections: ReadonlyArray<string>
}

/** How long what is closing is waited for. */
const closing = { rounds: 200, everyMillis: 25 }

/** Does work, and gives with its result what it has left behind. */
export const of = async <A>(work: () => Promise<A>): Promise<A & Aftermath> => {
  const rejections: Array<string> = []
  const onRejection = (reason: unknown): void => {
    rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason))
  }
  process.on("unhandledRejection", onRejection)
  const before = openHandles()
  try {
    const result = await work()
    for (let round = 0; openHandles() > before && round < closing.rounds; round++)
      await setTimeout(closing.everyMillis)
    return { ...result, leaked: Math.max(0, openHandles() - before), rejections }
  } finally {
    process.off("unhandledRejection", onRejection)
  }
}

/** Sockets, servers, timers and files that are open now. */
export const openHandles = (): number => process.getActiveResourcesInfo().length
