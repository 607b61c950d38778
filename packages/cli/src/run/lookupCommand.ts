/**
 * A command that takes values and asks a lookup for them: what it is called, which options it has of its own and which
 * lookup they make is all a command has to say.
 */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import * as runFlags from "../flags/runFlags.ts"
import * as input from "../input/input.ts"
import * as RunFiles from "../output/runFiles.ts"
import * as DryRun from "./dryRun.ts"
import * as lookupRun from "./lookupRun.ts"

/** What a command asks for. */
export interface Question extends lookupRun.Question {
  /** The field that carries the value where a line is a JSON object. */
  readonly field?: string
  /** The only value, where an option gives it. */
  readonly value?: { readonly option: string; readonly text: string } | undefined
}

/** A command as data. */
export interface Description<Own extends Command.Command.Config> {
  readonly name: string
  /** What help says of it. */
  readonly description: string
  /** What its values are called. */
  readonly metavar: string
  /** What help says of its values. */
  readonly values: string
  readonly examples: ReadonlyArray<Command.Command.Example>
  /** The most values that any of its lookups takes in a request. */
  readonly largestBatch: number
  /** Its own options. */
  readonly own: Own
  readonly ask: (own: Command.Command.Config.Infer<Own>) => Effect.Effect<Question, CommandFailure>
}

/** Makes the command. */
export const make = <const Name extends string, Own extends Command.Command.Config>({
  ask,
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
        Argument.withDescription(`${values}; else --input, else standard input`),
        Argument.variadic()
      ),
      own,
      run: runFlags.flags(largestBatch),
      client: clientFlags.flags,
      dryRun: clientFlags.dryRun
    },
    (flags) =>
      Effect.gen(function* () {
        const question = yield* ask(flags.own as Command.Command.Config.Infer<Own>)
        const read = question.value === undefined ? { ...flags.run, values: flags.values } : undefined
        yield* RunFiles.check({
          inputs: [
            ...(read === undefined ? [] : yield* input.filesRead(read)),
            ...clientFlags.files(flags.client)
          ],
          outputs: runFlags.outputs(flags.run)
        })
        const source = yield* sourceOf(question, flags.values, flags.run)
        const options = runFlags.optionsOf(flags.run, flags.values.length > 0)
        if (flags.dryRun) return yield* DryRun.run(source, question, options, flags.client)
        yield* Effect.provide(lookupRun.run(source, question, options), clientFlags.layer(flags.client))
      })
  ).pipe(Command.withDescription(description), Command.withExamples(examples))

const sourceOf = (
  { field, value }: Question,
  values: ReadonlyArray<string>,
  given: runFlags.Given
): Effect.Effect<input.Input, CommandFailure> => {
  if (value !== undefined) {
    return values.length === 0 && Option.isNone(given.input)
      ? input.open([value.text], undefined, { given: undefined, own: [] })
      : Effect.fail(usage(`give ${value.option} or values, not both`))
  }
  return input.ofFlags(
    { ...given, values },
    field === undefined ? [] : [field],
    Option.getOrElse(given.keep, () => [])
  )
}
