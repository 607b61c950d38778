/**
 * Runs the command with other arguments, for the subcommands that run another one (`retry`, `help`).
 *
 * This module has only a type. The command imports its subcommands, so they cannot import it: it passes them the runner.
 */
import type { Effect } from "effect"
import type { Command } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"

/** Runs the command. It prints usage errors before it fails. */
export type CommandRunner = (
  args: ReadonlyArray<string>
) => Effect.Effect<void, CommandFailure, Command.Environment>
