/**
 * Makes the command of endpoints: its help, and the lookup or list of the endpoint that its options choose.
 *
 * A command with options that no endpoint has is in `special`.
 */
import type { Row } from "@chemstream/api"
import { Lookup } from "@chemstream/stream"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"
import * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import * as lookupCommand from "../run/lookupCommand.ts"
import { capitalized, choicesOf, type Entry, isLookup, keyOf } from "./commandIndex.ts"
import * as endpointOptions from "./endpointOptions.ts"
import * as listCommand from "./listCommand.ts"
import * as fileFolder from "./special/fileFolder.ts"
import * as msreadyMass from "./special/msreadyMass.ts"
import * as searchEqual from "./special/searchEqual.ts"

/** The options of a command, and the task that it makes of their values. */
interface Options {
  readonly own: Command.Command.Config
  readonly largestBatch: number
  readonly taskOf: (given: never) => Effect.Effect<lookupCommand.CommandTask, CommandFailure>
}

/** The commands with options that no endpoint has, by their words. */
const special: Readonly<Record<string, Options>> = {
  "search equal": searchEqual,
  "msready mass": msreadyMass
}

/** Returns what a command writes. */
export const descriptionOf = ({ choices: [{ row }] }: Entry): string =>
  row.command?.description ??
  `${capitalized(row.what)}${isLookup(row) ? ` of ${keyOf(row).many}` : ""}, one NDJSON line each`

/** Makes the command. Its name is the last word. */
export const make = (command: Entry) => {
  const { choices, words } = command
  const [{ row }] = choices
  const description = descriptionOf(command)
  if (!isLookup(row)) return listCommand.make(command, description)
  const key = keyOf(row)
  const name = words.join(" ")
  const { own, taskOf, largestBatch } = special[name] ?? optionsOf(command)
  const hasKinds = new Set(choices.map(({ by }) => by)).size > 1
  return lookupCommand.make<string, Command.Command.Config>({
    name: words.at(-1) ?? "",
    description,
    metavar: metavarOf(choices.map((choice) => keyOf(choice.row).name)),
    values: `${row.command?.values ?? key.values ?? `${capitalized(key.many)}, e.g. ${key.example}`}${hasKinds ? ", or those of --by" : ""}`,
    largestBatch,
    own,
    taskOf: taskOf as (given: object) => Effect.Effect<lookupCommand.CommandTask, CommandFailure>,
    examples: row.command?.examples ?? [
      { command: `chemstream ${name} ${key.example}`, description: `The ${row.what} of ${key.one}` }
    ]
  })
}

/** The name of the values in help. Keys of several kinds are values. */
const metavarOf = (keys: ReadonlyArray<string>): string => {
  const names = new Set(
    keys.map((name) => (/^dtx[sc]id$/.test(name) ? "ID" : name.replace(/[A-Z]/g, "-$&").toUpperCase()))
  )
  return names.size === 1 ? ([...names][0] ?? "") : "VALUE"
}

/** Makes the options of a command from its endpoints. */
const optionsOf = (command: Entry): Options => {
  const { choose, own } = endpointOptions.make(command)
  const hasFiles = command.choices[0].row.get.body !== undefined
  return {
    own: hasFiles ? { ...own, ...fileFolder.own } : own,
    largestBatch: Math.max(...choicesOf(command).map(({ row }) => Lookup.of(row).size)),
    taskOf: ({
      outDir,
      ...given
    }: Readonly<Record<string, unknown>> & {
      readonly outDir?: string | undefined
    }) =>
      Effect.map(choose(given), (chosen) =>
        fileFolder.withFolder(
          {
            ...endpointTask(chosen, "projection" in own),
            ...(hasFiles ? { otherwise: fileFolder.otherwise(chosen.row) } : {})
          },
          chosen.row,
          outDir
        )
      )
  }
}

const endpointTask = (
  { change, row, values }: endpointOptions.Chosen,
  hasForms: boolean
): lookupCommand.CommandTask => {
  const { name, recordField } = keyOf(row)
  return {
    lookup: Lookup.of(row, values),
    settings: {
      ...(hasForms ? { projection: unsentForm(row) } : {}),
      ...values,
      ...(change === undefined ? {} : { clean: true })
    },
    change,
    projections: (dialect) =>
      row.forms === undefined ? undefined : ProjectionSchemas.columnsOf(row, dialect),
    field: recordField ?? name
  }
}

/** The form of records without `--projection`, if a request names none. The contract calls projections forms. Null: the service decides. */
const unsentForm = ({ batch, form = "", forms = {} }: Row.Row): string | null =>
  batch?.hasForms !== true && form in forms ? form : null
