/**
 * Looks at a harvest again and again until it has ended.
 */
import { Harvest } from "@chemstream/workflow"
import { type Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Bar from "./bar.ts"
import * as harvestView from "./harvestView.ts"

/** The time between two looks. */
const lookEvery: Duration.Input = "500 millis"

/** Looks at a harvest until it has ended; gives the last look. */
export const looks = (
  harvest: string,
  look: (status: Harvest.Status) => void
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Harvest.status(harvest).pipe(
    Effect.tap((status) => {
      look(status)
      return hasEnded(status) ? Effect.void : Effect.sleep(lookEvery)
    }),
    Effect.repeat({ until: hasEnded })
  )

const hasEnded = ({ state }: Harvest.Status): boolean => state === "finished" || state === "cancelled"

/**
 * Shows a harvest on standard error until it has ended: a bar on a terminal, and why it is paused where it is. Gives the
 * last look.
 */
export const watch = (
  harvest: string
): Effect.Effect<Harvest.Status, Harvest.UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.suspend(() => {
    let told: string | undefined
    return looks(harvest, (status) => {
      if (process.stderr.isTTY) return Bar.draw(harvestView.line(status, Bar.columns()))
      if (status.reason !== told && status.reason !== undefined) {
        process.stderr.write(`chemstream: ${harvest} ${status.state}: ${status.reason}\n`)
      }
      told = status.reason
    })
  }).pipe(
    Effect.tap((status) =>
      Effect.sync(() => {
        if (process.stderr.isTTY) Bar.end()
        process.stderr.write(harvestView.text(status, Bar.columns()))
      })
    )
  )
