/** Detects leaks: unhandled rejections, and handles that stay open. */
import { setTimeout } from "node:timers/promises"

/** The leaks of some work. */
export interface Leaks {
  /** The number of open sockets, servers, timers and files that were not open before. */
  readonly leaked: number
  readonly rejections: ReadonlyArray<string>
}

/** How long to wait for handles to close. */
const closing = { rounds: 200, everyMillis: 25 }

/** Runs work, and returns its result with its leaks. */
export const detect = async <A>(work: () => Promise<A>): Promise<A & Leaks> => {
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

/** Returns the number of open sockets, servers, timers and files. */
export const openHandles = (): number => process.getActiveResourcesInfo().length
