/** Makes a command that only has subcommands, e.g. `chemstream harvest`. Without one, it fails and names them. */
import { Command } from "effect/cli"
import { usageFailure } from "../CommandFailure.ts"
import { type Examples, withHelp } from "../help/withHelp.ts"

export const make = <const Name extends string, const Subcommands extends ReadonlyArray<Command.Command.Any>>(
  name: Name,
  description: string,
  examples: Examples,
  subcommands: Subcommands
) =>
  Command.make(name, {}, () => {
    const names = subcommands.map((subcommand) => subcommand.name)
    return usageFailure(`${name} needs one of ${names.join(", ")}; see chemstream ${name} --help`)
  }).pipe(withHelp(description, examples), Command.withSubcommands(subcommands))
