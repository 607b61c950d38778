/**
 * `chemstream retry`: requests only the failed identifiers of an errors file.
 *
 * An errors file does not record the command, so the user gives the command and its options again.
 */

import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../../CommandFailure.ts"
import { values } from "../../flags/flagTypes.ts"
import { withHelp } from "../../help/withHelp.ts"
import { ErrorsFile } from "../../input/errorsFile.ts"
import type { CommandRunner } from "../../run/commandRunner.ts"

/** The commands over tables. Their errors files have whole rows. */
export const tableCommands: ReadonlyArray<string> = ["resolve", "suspects"]

/** Makes the command. It gets the runner of other commands, and the names of those over rows of the contract. */
export const retry = (run: CommandRunner, lookups: ReadonlyArray<string>) => {
  const lookupCommands = [...lookups, ...tableCommands]
  return Command.make(
    "retry",
    {
      file: Argument.String("ERRORS").pipe(
        Argument.withDescription("Errors file of a run (--errors); - for standard input")
      ),
      command: values("COMMAND", "After --, the original command with its options, without its values"),
      also: Flag.Literals("also", ["missing", "invalid", "ambiguous", "conflict"]).pipe(
        Flag.withDescription("Also request the identifiers of another outcome; repeatable"),
        Flag.atLeast(0)
      )
    },
    ({ also, command, file }) =>
      Effect.gen(function* () {
        const [name] = command
        if (name === undefined || !lookupCommands.includes(name)) {
          return yield* usageFailure(
            `give the command to run again after --, one of ${lookupCommands.join(", ")}: chemstream retry ${file} -- details`
          )
        }
        const inputOption = tableCommands.includes(name)
          ? /^(--input|-i|--sheet)(=|$)/
          : /^(--input|-i|--key)(=|$)/
        const inputFlag = command.find((word) => inputOption.test(word))
        if (inputFlag !== undefined)
          return yield* usageFailure(`${inputFlag} cannot be used with retry: its input is ${file}`)
        yield* Effect.provideService(run([...command, `--input=${file}`]), ErrorsFile, {
          outcomes: new Set(["failed", ...also]),
          isRequired: true
        })
      })
  ).pipe(
    withHelp("Request only the failed identifiers of a run again", {
      "chemstream retry errors.ndjson -- details --projection compact >> out.ndjson":
        "The failed identifiers of an earlier chemstream details --errors errors.ndjson",
      "chemstream retry errors.ndjson -- details --errors errors.ndjson --output more.ndjson":
        "The same; repeat it until errors.ndjson has no failed identifiers",
      "chemstream retry errors.ndjson -- resolve --key casrn,name --output more.csv":
        "The rows of a table that failed, with their columns",
      "chemstream retry errors.ndjson --also missing -- search equal":
        "Also the names that the service did not know"
    })
  )
}
