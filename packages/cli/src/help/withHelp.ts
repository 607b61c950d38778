/** Adds its description and its examples to a command: each command line with what it does. */
import { Command } from "effect/cli"

/** Command lines with their descriptions. */
export type Examples = Readonly<Record<string, string>>

export const withHelp =
  (description: string, examples: Examples) =>
  <const Name extends string, Input, ContextInput, E, R>(
    command: Command.Command<Name, Input, ContextInput, E, R>
  ): Command.Command<Name, Input, ContextInput, E, R> =>
    command.pipe(
      Command.withDescription(description),
      Command.withExamples(
        Object.entries(examples).map(([command, description]) => ({ command, description }))
      )
    )
