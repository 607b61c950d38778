/**
 * Polls and shows the status of a harvest until it has ended, or a failure has paused it.
 */
import { Harvest } from "@chemstream/workflow"
import { type Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Messages from "../terminal/messages.ts"
import * as ProgressBar from "../terminal/progressBar.ts"
import * as harvestText from "./harvestText.ts"
import type { Commands } from "./suggestedCommands.ts"

/** The polling interval. */
const pollEvery: Duration.Input = "500 millis"

/** Whether a harvest is finished or cancelled. */
export const hasEnded = ({ state }: Pick<Harvest.Status, "state">): boolean =>
  state === "finished" || state === "cancelled"

/** Polls a harvest until `isOver`. Default: until it is finished or cancelled. Returns the last status. */
export const poll = (
  harvest: string,
  onStatus: (status: Harvest.Status) => void,
  isOver: (status: Harvest.Status) => boolean = hasEnded
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Harvest.status(harvest).pipe(
    Effect.tap((status) => {
      onStatus(status)
      return isOver(status) ? Effect.void : Effect.sleep(pollEvery)
    }),
    Effect.repeat({ until: isOver })
  )

/**
 * Shows a harvest on standard error: a bar on a terminal, else the reason of each wait. Stops when it has ended, or when a failure has
 * paused it. Returns the last status. The caller reports the failure.
 */
export const watch = (
  harvest: string,
  next: Commands
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.suspend(() => {
    let lastWait: string | undefined
    return poll(
      harvest,
      (status) => {
        if (process.stderr.isTTY) return ProgressBar.draw(harvestText.line(status, ProgressBar.columns()))
        if (hasHalted(status)) return
        // The words after the state: how to continue, or why it waits. Undefined: nothing to say.
        const waits =
          status.state === "paused"
            ? `to continue: ${next("resume")}`
            : // The worker of this command has not started yet.
              status.working === 0
              ? undefined
              : status.reason
        // A wait that differs from the last one only in its numbers is not reported again.
        if (withoutNumbers(waits) !== withoutNumbers(lastWait) && waits !== undefined) {
          Messages.say(`chemstream: ${harvest} ${status.state}: ${waits}\n`)
        }
        lastWait = waits
      },
      hasHalted
    )
  }).pipe(
    Effect.tap((status) =>
      Effect.sync(() => {
        if (process.stderr.isTTY) ProgressBar.end()
        if (hasEnded(status)) Messages.say(harvestText.text(status, ProgressBar.columns(), next))
      })
    )
  )

const withoutNumbers = (text: string | undefined): string | undefined => text?.replaceAll(/\d+/g, "")

const hasHalted = (status: Harvest.Status): boolean => hasEnded(status) || status.failure !== undefined
