/**
 * The commands that a message about a harvest names: as they are typed, with the database of the one that was run.
 */
import { Harvest } from "@chemstream/workflow"
import { Effect, Option } from "effect"

/** What can be done next. */
type Verb = "worker" | "status" | "resume" | "cancel" | "retry" | "delete"

/** The command of a verb for one harvest. */
export type Commands = (verb: Verb) => string

/** The commands for a harvest in the database of a flag. */
export const commands =
  (harvest: string, database: Option.Option<string>): Commands =>
  (verb) =>
    [
      "chemstream harvest",
      verb,
      ...(verb === "worker" ? [] : [word(harvest)]),
      // Who set the variable has it set for the next command, too.
      ...Option.toArray(database).map((flag) => `--database ${word(withoutPassword(flag))}`)
    ].join(" ")

/** The commands that go on with a harvest: a worker where none runs, and what shows how far it is. */
export const goingOn = (harvest: string, next: Commands) =>
  Effect.map(Harvest.status(harvest), ({ state, working }) => {
    if (state !== "running") return ""
    return working === 0
      ? `no worker runs; to start one: ${next("worker")}\n`
      : `to see how far it is: ${next("status")}\n`
  })

const word = (text: string): string =>
  /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const withoutPassword = (address: string): string => address.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1:…@")
