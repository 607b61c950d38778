/** Adds examples to a command: each command line with its description. */
import { Command } from "effect/cli"

/** Command lines with their descriptions. */
export type Examples = Readonly<Record<string, string>>

/** Returns examples as commands have them. */
export const listOf = (examples: Examples): ReadonlyArray<Command.Command.Example> =>
  Object.entries(examples).map(([command, description]) => ({ command, description }))

export const withExamples = (examples: Examples) => Command.withExamples(listOf(examples))
