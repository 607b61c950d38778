/** Makes a command that only groups subcommands. Without a subcommand it fails, and the error lists them. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { usageFailure } from "../CommandFailure.ts"
import { type Examples, withExamples } from "../help/examples.ts"

export const make = <const Name extends string, const Subcommands extends ReadonlyArray<Command.Command.Any>>(
  name: Name,
  description: string,
  examples: Examples,
  subcommands: Subcommands
) =>
  Command.make(name, {}, () => {
    const names = subcommands.map((subcommand) => subcommand.name)
    return Effect.fail(
      usageFailure(`${name} needs one of ${names.join(", ")}; see chemstream ${name} --help`)
    )
  }).pipe(Command.withDescription(description), withExamples(examples), Command.withSubcommands(subcommands))
