/** Makes the commands that messages about a harvest suggest, with the database of the current command. */
import { Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { shellWord } from "../terminal/shellWord.ts"
import { withoutPassword } from "../terminal/withoutPassword.ts"

/** The subcommands of `chemstream harvest` that are suggested. */
type Verb = "worker" | "status" | "resume" | "cancel" | "retry" | "delete" | "list"

/** Returns the command of a verb for one harvest. */
export type Commands = (verb: Verb) => string

/** Returns the commands for a harvest in the database of the flag. */
export const commands =
  (harvest: string, database: string | undefined): Commands =>
  (verb) =>
    [
      "chemstream harvest",
      verb,
      ...(verb === "worker" || verb === "list" ? [] : [shellWord(harvest)]),
      ...ofDatabase(database)
    ].join(" ")

/** The command that refreshes a mirror every night. */
export const refresh = (database: string | undefined): string =>
  ["chemstream harvest start night-$(date +%F) --mirror ours", ...ofDatabase(database)].join(" ")

/** A database from the environment needs no flag: it is set for the next command, too. */
const ofDatabase = (database: string | undefined): ReadonlyArray<string> =>
  database === undefined ? [] : [`--database ${shellWord(withoutPassword(database))}`]

/** Suggests starting a worker if none runs, else watching the status. */
export const nextCommand = (harvest: string, next: Commands) =>
  Effect.map(Harvest.status(harvest), ({ state, working }) => {
    if (state !== "running") return ""
    return working === 0
      ? `no worker runs; to start one: ${next("worker")}\n`
      : `to see its progress: ${next("status")}\n`
  })
