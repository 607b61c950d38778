/**
 * Running the command with other arguments: what a subcommand does that stands for another (`retry`, `help`).
 *
 * A type alone: the command imports its subcommands, so these are handed how to run it.
 */
import type { Effect } from "effect"
import type { Command } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"

/** Runs the command. What is wrong with the arguments has been said when it fails. */
export type CommandRunner = (
  args: ReadonlyArray<string>
) => Effect.Effect<void, CommandFailure, Command.Environment>
