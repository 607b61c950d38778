/**
 * Makes the command of rows: its options, its help, and the lookup of the row that they choose.
 *
 * A command with options that no row has is in `special`.
 */
import type { Row } from "@chemstream/api"
import { Lookup } from "@chemstream/stream"
import { Effect, Option, Schema } from "effect"
import { type Command, Flag } from "effect/cli"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as FieldCatalogue from "../fields/fieldCatalogue.ts"
import * as lookupCommand from "../run/lookupCommand.ts"
import { type Choice, capitalized, keyOf, type RowCommand } from "./rowCommands.ts"
import * as msreadyMass from "./special/msreadyMass.ts"
import * as searchEqual from "./special/searchEqual.ts"

type Own = Readonly<Record<string, Flag.Flag<unknown>>>

type Given = Readonly<Record<string, unknown>>

/** The options of a command, and the lookup that they make. */
interface Options {
  readonly own: Command.Command.Config
  readonly largestBatch: number
  readonly plan: (given: never) => Effect.Effect<lookupCommand.Plan, CommandFailure>
}

/** The commands with options that no row has, by their words. */
const special: Readonly<Record<string, Options>> = {
  "search equal": searchEqual,
  "msready mass": msreadyMass
}

/** Returns what a command writes. */
export const descriptionOf = ({ choices: [{ row }] }: RowCommand): string =>
  row.command?.description ?? `${capitalized(row.what)} of ${keyOf(row).many}, one NDJSON line each`

/** Makes the command. Its name is the last word. */
export const make = (command: RowCommand) => {
  const { choices, words } = command
  const [{ row }] = choices
  const key = keyOf(row)
  const name = words.join(" ")
  const { own, plan, largestBatch } = special[name] ?? optionsOf(command)
  return lookupCommand.make<string, Command.Command.Config>({
    name: words.at(-1) ?? "",
    description: descriptionOf(command),
    metavar: metavarOf(choices.map((choice) => keyOf(choice.row).name)),
    values: `${row.command?.values ?? key.values ?? `${capitalized(key.many)}, e.g. ${key.example}`}${choices.length > 1 ? ", or those of --by" : ""}`,
    largestBatch,
    own,
    plan: plan as (given: object) => Effect.Effect<lookupCommand.Plan, CommandFailure>,
    examples: row.command?.examples ?? [
      { command: `chemstream ${name} ${key.example}`, description: `The ${row.what} of ${key.one}` }
    ]
  })
}

/** The name of the values in help. Keys of several kinds are values. */
const metavarOf = (keys: ReadonlyArray<string>): string => {
  const names = new Set(keys.map((name) => (/^dtx[sc]id$/.test(name) ? "ID" : name.toUpperCase())))
  return names.size === 1 ? ([...names][0] ?? "") : "VALUE"
}

/** Makes the options of a command from its rows. */
const optionsOf = ({ choices, switches, words }: RowCommand): Options => {
  const rows = [...choices.map(({ row }) => row), ...switches]
  const parameters = parametersOf(choices)
  const own: Own = {
    ...byFlag(choices),
    ...Object.fromEntries(
      switches.flatMap(({ command }) => (command?.flag === undefined ? [] : [switchFlag(command.flag)]))
    ),
    ...projectionFlag(rows),
    ...Object.fromEntries(parameters.map(({ flag, name }) => [name, Flag.optional(flag)]))
  }
  const plan = (given: Given): Effect.Effect<lookupCommand.Plan, CommandFailure> => {
    const choice = choices.find(({ by }) => by === given["by"]) ?? choices[0]
    const row = switches.find(({ command }) => given[command?.flag?.name ?? ""] === true) ?? choice.row
    const values = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        Option.isOption(value) && Option.isSome(value) ? [[name, value.value] as const] : []
      )
    )
    const refusal =
      projectionRefusal(values["projection"], row, choice, rows) ??
      parameterRefusal(values, parameters, choice, choices.length === 1 ? words.join(" ") : undefined)
    return refusal === undefined
      ? Effect.succeed(planOf(row, values, "projection" in own))
      : Effect.fail(usageFailure(refusal))
  }
  return { own, largestBatch: Math.max(...rows.map((row) => Lookup.of(row).size)), plan }
}

const planOf = (row: Row.Row, values: Given, hasForms: boolean): lookupCommand.Plan => {
  const { field, name } = keyOf(row)
  return {
    lookup: Lookup.of(row, values),
    settings: {
      ...(hasForms ? { projection: unsentForm(row) } : {}),
      ...(values as Readonly<Record<string, string>>)
    },
    projections: (dialect) => (row.forms === undefined ? undefined : FieldCatalogue.columnsOf(row, dialect)),
    field: field ?? name
  }
}

/** The form of the records without a projection, if a request names no form. Else the service decides. */
const unsentForm = ({ batch, form = "", forms = {} }: Row.Row): string | null =>
  batch?.hasForms !== true && form in forms ? form : null

const byFlag = ([first, ...others]: RowCommand["choices"]): Own => {
  if (others.length === 0) return {}
  const names = [first, ...others].map(({ by }) => by)
  const note =
    first.row.command?.by ??
    `Kind of the values: ${[first, ...others].map(({ row }) => keyOf(row).many).join(", ")}`
  return {
    by: Flag.Literals("by", names).pipe(
      Flag.withDescription(`${note} [default: ${first.by}]`),
      Flag.withDefault(first.by)
    )
  }
}

const switchFlag = ({ description, name }: NonNullable<Row.Command["flag"]>) =>
  [name, Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))] as const

const projectionFlag = (rows: ReadonlyArray<Row.Row>): Own => {
  const row = rows.find(({ forms }) => forms !== undefined)
  if (row === undefined) return {}
  const names = new Set(rows.flatMap(({ forms = {} }) => Object.keys(forms)))
  const { form = row.form, projection = row.formsNote } = row.command ?? {}
  return {
    projection: Flag.Literals("projection", [...names]).pipe(
      Flag.withAlias("p"),
      Flag.withDescription(`${projection} [default: ${form}]`),
      Flag.optional
    )
  }
}

const projectionRefusal = (
  projection: unknown,
  row: Row.Row,
  { by }: Choice,
  rows: ReadonlyArray<Row.Row>
): string | undefined => {
  if (projection === undefined || String(projection) in (row.forms ?? {})) return undefined
  const owner = rows.find(({ forms = {} }) => String(projection) in forms)
  const where = owner?.key === undefined ? "other records" : owner.key.many
  const switched = row.command?.flag
  return `--projection ${projection} is for ${where} and cannot be used with ${switched === undefined ? `--by ${by}` : `--${switched.name}`}`
}

/** A parameter of the query of a row, as an option. */
interface Parameter {
  readonly name: string
  readonly choice: Choice
  readonly isRequired: boolean
  readonly flag: Flag.Flag<unknown>
}

const parametersOf = (choices: ReadonlyArray<Choice>): ReadonlyArray<Parameter> =>
  choices.flatMap((choice) =>
    Object.entries(choice.row.query ?? {}).map(([name, schema]) => ({
      name,
      choice,
      isRequired: (schema as Schema.Top).ast.context?.isOptional !== true,
      flag: parameterFlag(name, schema as Schema.Top, choices.length > 1 ? `, for --by ${choice.by}` : "")
    }))
  )

const parameterFlag = (name: string, schema: Schema.Top, suffix: string): Flag.Flag<unknown> => {
  const { description = name } = Schema.resolveAnnotations(schema) ?? {}
  const decode = Schema.decodeUnknownOption(
    Schema.toCodecStringTree(schema) as unknown as Schema.ConstraintDecoder<unknown>
  )
  return Flag.String(name).pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription(`The ${name}${suffix}`),
    Flag.filterMap(
      (text) => (text.trim() === "" ? Option.none() : decode(text)),
      () => `a value: ${description}`
    )
  )
}

const parameterRefusal = (
  values: Given,
  parameters: ReadonlyArray<Parameter>,
  chosen: Choice,
  command: string | undefined
): string | undefined => {
  for (const { choice, isRequired, name } of parameters) {
    if (choice === chosen && isRequired && values[name] === undefined) {
      return `${command ?? `--by ${choice.by}`} needs --${name} NAME`
    }
    if (values[name] !== undefined && !(name in (chosen.row.query ?? {}))) {
      return `--${name} NAME needs --by ${choice.by}`
    }
  }
  return undefined
}
