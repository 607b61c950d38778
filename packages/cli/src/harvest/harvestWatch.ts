/**
 * Looks at a harvest again and again until it has ended, or could not go on.
 */
import { Harvest } from "@chemstream/workflow"
import { type Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Bar from "../terminal/bar.ts"
import * as Messages from "../terminal/messages.ts"
import * as harvestView from "./harvestView.ts"
import type { Commands } from "./suggestedCommands.ts"

/** The time between two looks. */
const lookEvery: Duration.Input = "500 millis"

/** Whether a harvest does nothing more. */
export const hasEnded = ({ state }: Pick<Harvest.Status, "state">): boolean =>
  state === "finished" || state === "cancelled"

/** Looks at a harvest until it has ended, or until `isOver`; gives the last look. */
export const looks = (
  harvest: string,
  look: (status: Harvest.Status) => void,
  isOver: (status: Harvest.Status) => boolean = hasEnded
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Harvest.status(harvest).pipe(
    Effect.tap((status) => {
      look(status)
      return isOver(status) ? Effect.void : Effect.sleep(lookEvery)
    }),
    Effect.repeat({ until: isOver })
  )

/**
 * Shows a harvest on standard error until it has ended, or has paused itself: a bar on a terminal, and what it waits for
 * where it does. Gives the last look; of one that has paused itself the caller says why.
 */
export const watch = (
  harvest: string,
  next: Commands
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.suspend(() => {
    let told: string | undefined
    return looks(
      harvest,
      (status) => {
        if (process.stderr.isTTY) return Bar.draw(harvestView.line(status, Bar.columns()))
        if (hasHalted(status)) return
        const waits =
          status.state === "paused"
            ? `to go on: ${next("resume")}`
            : // The worker of this command is about to start.
              status.working === 0
              ? undefined
              : status.reason
        // Seconds that pass are no news.
        if (withoutNumbers(waits) !== withoutNumbers(told) && waits !== undefined) {
          Messages.say(`chemstream: ${harvest} ${status.state}: ${waits}\n`)
        }
        told = waits
      },
      hasHalted
    )
  }).pipe(
    Effect.tap((status) =>
      Effect.sync(() => {
        if (process.stderr.isTTY) Bar.end()
        if (hasEnded(status)) Messages.say(harvestView.text(status, Bar.columns(), next))
      })
    )
  )

const withoutNumbers = (text: string | undefined): string | undefined => text?.replaceAll(/\d+/g, "")

const hasHalted = (status: Harvest.Status): boolean => hasEnded(status) || status.failure !== undefined
