/**
 * Logs why harvests wait or are paused, for the log of a worker. Chunks run in the engine, which does not log, so this
 * module reads the reasons that they record.
 */
import { Quote } from "@chemstream/api"
import { Effect } from "effect"
import * as waitReasons from "../harvest/waitReasons.ts"
import type { RunnableHarvest } from "./unfinishedHarvests.ts"

/** The interval of looks at the harvests as last read. */
const interval = "500 millis"

/** Logs each reason once, until the harvest continues. Runs forever. */
export const logWaits = (unfinished: () => ReadonlyArray<RunnableHarvest>): Effect.Effect<never> =>
  Effect.suspend(() => {
    const logged = new Map<string, string | undefined>()
    return Effect.suspend(() => {
      const news = unfinished().flatMap((row) => {
        const text = textOf(row)
        // Numbers, e.g. process ids, differ from one failure to the next.
        const key = text?.replaceAll(/\d+/g, "")
        if (logged.get(row.id) === key) return []
        logged.set(row.id, key)
        return text === undefined ? [] : `the harvest ${Quote.value(row.name)} ${text}`
      })
      return Effect.forEach(news, (text) => Effect.logWarning(text), { discard: true })
    }).pipe(Effect.andThen(Effect.sleep(interval)), Effect.forever)
  })

/** Describes the wait of a harvest. The loop of the worker reports an unavailable service, for all harvests. */
const textOf = ({ reason, state }: RunnableHarvest): string | undefined => {
  if (state === "paused") return `is paused: ${reason ?? "by harvest pause"}`
  return reason === undefined || reason === waitReasons.unavailable || waitReasons.isVerifying(reason)
    ? undefined
    : `waits: ${reason}`
}
