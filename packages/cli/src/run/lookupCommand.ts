/**
 * Makes a command that looks up values. A command is data: its name, its own options, and the lookup that they make.
 */
import { Effect, type Scope } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import * as runFlags from "../flags/runFlags.ts"
import * as openInput from "../input/openInput.ts"
import * as FileCheck from "../output/fileCheck.ts"
import * as lookupRun from "./lookupRun.ts"

/** The lookup of a command, with the place of its values. */
export interface CommandTask extends lookupRun.LookupTask {
  /** The field of a JSON object with the value. */
  readonly field?: string
  /** The only value, if an option gives it. */
  readonly value?: { readonly option: string; readonly text: string } | undefined
}

/** A command as data. */
export interface Description<Own extends Command.Command.Config> {
  readonly name: string
  /** Its description in help. */
  readonly description: string
  /** The name of its values. */
  readonly metavar: string
  /** The description of its values in help. */
  readonly values: string
  readonly examples: ReadonlyArray<Command.Command.Example>
  /** The most values in one request, of all its lookups. */
  readonly largestBatch: number
  /** Its own options. */
  readonly own: Own
  readonly taskOf: (own: Command.Command.Config.Infer<Own>) => Effect.Effect<CommandTask, CommandFailure>
}

export const make = <const Name extends string, Own extends Command.Command.Config>({
  taskOf,
  description,
  examples,
  largestBatch,
  metavar,
  name,
  own,
  values
}: Description<Own> & { readonly name: Name }) =>
  Command.make(
    name,
    {
      values: Argument.String(metavar).pipe(
        Argument.withDescription(`${values} [default: those of --input, else of standard input]`),
        Argument.variadic()
      ),
      own,
      run: runFlags.flags(largestBatch),
      client: clientFlags.flags,
      dryRun: clientFlags.dryRun
    },
    (flags) =>
      Effect.gen(function* () {
        const task = yield* taskOf(flags.own as Command.Command.Config.Infer<Own>)
        const read = task.value === undefined ? { ...flags.run, values: flags.values } : undefined
        yield* FileCheck.check({
          inputs: [
            ...(read === undefined ? [] : yield* openInput.filesOrErrorsFile(read)),
            ...clientFlags.files(flags.client)
          ],
          outputs: runFlags.outputs(flags.run)
        })
        const source = yield* sourceOf(task, flags.values, flags.run)
        const options = { ...runFlags.optionsOf(flags.run, flags.values), dryRun: flags.dryRun }
        yield* clientFlags.provide(flags.client, flags)(lookupRun.run(source, task, options))
      }).pipe(Effect.scoped)
  ).pipe(Command.withDescription(description), Command.withExamples(examples))

const sourceOf = (
  { field, value }: CommandTask,
  values: ReadonlyArray<string>,
  given: runFlags.Given
): Effect.Effect<openInput.Input, CommandFailure, Scope.Scope> => {
  if (value !== undefined) {
    return values.length === 0 && given.input === undefined
      ? openInput.open([value.text], undefined, { given: undefined, own: [] })
      : usageFailure(`give ${value.option} or values, not both`)
  }
  return openInput.ofFlags({ ...given, values }, field === undefined ? [] : [field], given.keep ?? [])
}
