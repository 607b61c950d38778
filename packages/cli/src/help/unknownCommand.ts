/**
 * Finds unknown commands in arguments that ask for help. The parser alone would print the help of the group above them, and end with
 * success.
 */
import type { Command } from "effect/cli"

const helpFlags: ReadonlyArray<string> = ["--help", "-h"]

/**
 * Removes the help flags if the words before the first flag name no command, so that the parser reports the unknown name.
 */
export const rejectUnknown = (
  command: Command.Command.Any,
  args: ReadonlyArray<string>
): ReadonlyArray<string> => {
  let group: Command.Command.Any | undefined = command
  for (const word of args) {
    if (word.startsWith("-") || group.subcommands.length === 0) return args
    group = group.subcommands.flatMap(({ commands }) => commands).find(({ name }) => name === word)
    if (group === undefined) return args.filter((arg) => !helpFlags.includes(arg))
  }
  return args
}
