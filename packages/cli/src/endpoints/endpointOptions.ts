/**
 * The options of a command of endpoints: those that choose an endpoint, its projection, and the parameters of its query.
 *
 * The rows of the contract call a projection a form.
 */
import type { Row } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Blank } from "@chemstream/stream"
import { Effect, Option, Result, Schema } from "effect"
import { Flag } from "effect/cli"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { optional, optionalChoice, parsedText, switchFlag } from "../flags/flagTypes.ts"
import * as CommandIndex from "./commandIndex.ts"

type Own = Readonly<Record<string, Flag.Flag<unknown>>>

type Given = Readonly<Record<string, unknown>>

type Values = Readonly<Record<string, string>>

/** The endpoint that options choose, with its projection and parameters by name. */
export interface Chosen {
  readonly row: Row.Row
  readonly values: Values
  /** Empties the fields with a mark for an unknown value, if `--clean` is given. */
  readonly change?: (record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, CommandFailure>
}

/** The options of a command. */
export interface EndpointOptions {
  readonly own: Own
  readonly choose: (given: Given) => Effect.Effect<Chosen, CommandFailure>
}

/** Makes the options of a command from its endpoints. */
export const make = (command: CommandIndex.Entry): EndpointOptions => {
  const choices = CommandIndex.choicesOf(command)
  const parameters = parametersOf(command)
  const own: Own = {
    ...partFlag(command),
    ...byFlag(command),
    ...Object.fromEntries(
      choices.flatMap(({ row }) => (row.command?.flag === undefined ? [] : [namedSwitch(row.command.flag)]))
    ),
    ...projectionFlag(choices.map(({ row }) => row)),
    ...cleanFlag(choices.map(({ row }) => row)),
    ...Object.fromEntries(parameters.map(({ flag, name }) => [name, optional(flag)]))
  }
  const choose = (given: Given): Effect.Effect<Chosen, CommandFailure> => {
    const { by, part, ...values } = valuesOf(given, command)
    const flags = command.switches.flatMap(({ flag = "" }) => (given[flag] === true ? [flag] : []))
    const choice = CommandIndex.select(command, { by, part, flag: flags[0] })
    if (flags.length > 1) return usageFailure(`give --${flags.join(" or --")}, not both`)
    if (choice === undefined) return usageFailure(combinationRefusal(command, { by, part, flag: flags[0] }))
    const refusal =
      projectionRefusal(command, choice, values["projection"]) ??
      parameterRefusal(command, choice, values, parameters)
    return refusal === undefined
      ? Effect.succeed({
          row: choice.row,
          values,
          ...(given["clean"] === true ? { change: cleaner(choice.row) } : {})
        })
      : usageFailure(refusal)
  }
  return { own, choose }
}

/** The values of the given options by name, without the switches. */
const valuesOf = (given: Given, { switches }: CommandIndex.Entry): Values => {
  const switchNames = ["clean", ...switches.map(({ flag }) => flag)]
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || switchNames.includes(name) ? [] : [[name, value as string]]
    )
  )
}

/** Returns the options of a choice in a message. */
const labelOf = (command: CommandIndex.Entry, choice: CommandIndex.Choice): string => {
  const options = CommandIndex.optionsOf(command, choice)
  if (options.length > 0) return options.join(" ")
  return command.choices.length > 1 ? `--by ${choice.by}` : command.words.join(" ")
}

const partFlag = ({ choices }: CommandIndex.Entry): Own => {
  const byPart = Map.groupBy(choices, ({ part = "" }) => part)
  const names = [...byPart.keys()]
  const [first] = names
  if (first === undefined || names.length === 1) return {}
  const texts = [...byPart].map(([part, [choice]]) => `${part} (${choice?.row.what})`)
  return {
    part: optionalChoice("part", names, `The records to write: ${texts.join(", ")} [default: ${first}]`)
  }
}

const byFlag = ({ choices: [first, ...others] }: CommandIndex.Entry): Own => {
  const rows = new Map([first, ...others].map(({ by, row }) => [by, row]))
  if (rows.size === 1) return {}
  const note =
    first.row.command?.by ??
    `Kind of the values: ${[...rows.values()].map((row) => CommandIndex.keyOf(row).many).join(", ")}`
  return {
    by: optionalChoice("by", [...rows.keys()], `${note} [default: ${first.by}]`)
  }
}

const namedSwitch = ({ description, name }: NonNullable<Row.Command["flag"]>) =>
  [name, switchFlag(name, description)] as const

/** The forms that `--projection` accepts. A list also accepts the name of its own form. */
const formsOf = ({ form, forms, key }: Row.Row): ReadonlyArray<string> =>
  forms === undefined
    ? []
    : [...new Set([...(key === undefined && form !== undefined ? [form] : []), ...Object.keys(forms)])]

const projectionFlag = (rows: ReadonlyArray<Row.Row>): Own => {
  const row = rows.find(({ forms }) => forms !== undefined)
  if (row === undefined) return {}
  const { form = row.form, projection = row.formsNote } = row.command ?? {}
  const names = [...new Set(rows.flatMap(formsOf))]
  // The only choice is named once, as the choice.
  const [only = ""] = names.length === 1 ? names : []
  const note = CommandIndex.capitalized(`${projection}`.replace(only === "" ? /^$/ : `${only} for `, ""))
  return {
    projection: Flag.Literals("projection", names).pipe(
      Flag.withAlias("p"),
      Flag.withDescription(`${note} [default: ${form}]`),
      optional
    )
  }
}

const cleaner = (row: Row.Row): NonNullable<Chosen["change"]> => {
  const toNull = Blank.toNull(row)
  return (record) => Result.succeed(toNull(record))
}

const cleanFlag = (rows: ReadonlyArray<Row.Row>): Own => {
  const marks = Blank.describe(rows)
  if (marks === undefined) return {}
  return {
    clean: switchFlag("clean", `Empty the fields with what the sources write for an unknown value: ${marks}`)
  }
}

const combinationRefusal = (
  command: CommandIndex.Entry,
  { by, flag, part }: CommandIndex.Selection
): string => {
  const given = [
    ...(flag === undefined ? [] : [`--${flag}`]),
    ...(part === undefined ? [] : [`--part ${part}`]),
    ...(by === undefined ? [] : [`--by ${by}`])
  ]
  const known = CommandIndex.combinations(command, flag)
  return `no records for ${given.join(" ")}. Give ${known.filter((text) => text !== "").join(", or ")}`
}

const projectionRefusal = (
  command: CommandIndex.Entry,
  choice: CommandIndex.Choice,
  projection: string | undefined
): string | undefined => {
  if (projection === undefined || formsOf(choice.row).includes(projection)) return undefined
  const owner = CommandIndex.choicesOf(command).find(({ row }) => formsOf(row).includes(projection))
  const where = owner?.row.key?.many ?? "other records"
  return `--projection ${projection} is for ${where} and cannot be used with ${labelOf(command, choice)}`
}

/** A parameter of the query of an endpoint, as an option. */
interface Parameter {
  readonly name: string
  readonly choice: CommandIndex.Choice
  readonly isRequired: boolean
  readonly flag: Flag.Flag<unknown>
}

const parametersOf = (command: CommandIndex.Entry): ReadonlyArray<Parameter> => {
  const choices = CommandIndex.choicesOf(command)
  return choices.flatMap((choice) =>
    Object.entries(choice.row.query ?? {}).map(([name, schema]) => ({
      name,
      choice,
      isRequired: (schema as Schema.Top).ast.context?.isOptional !== true,
      flag: parameterFlag(
        name,
        schema as Schema.Top,
        choices.length > 1 ? `, for ${labelsOf(command, name).join(" or ")}` : ""
      )
    }))
  )
}

/** The options of the choices with a parameter. */
const labelsOf = (command: CommandIndex.Entry, name: string): ReadonlyArray<string> =>
  CommandIndex.choicesOf(command)
    .filter(({ row }) => Object.hasOwn(row.query ?? {}, name))
    .map((choice) => labelOf(command, choice))

const parameterFlag = (name: string, schema: Schema.Top, suffix: string): Flag.Flag<unknown> => {
  const { description = name } = Schema.resolveAnnotations(schema) ?? {}
  const decode = Schema.decodeUnknownOption(
    Schema.toCodecStringTree(schema) as unknown as Schema.ConstraintDecoder<unknown>
  )
  return parsedText(
    name,
    "NAME",
    `The ${name}${suffix}`,
    (text) => (text.trim() === "" ? undefined : Option.getOrUndefined(decode(text))),
    `a value: ${description}`
  )
}

const parameterRefusal = (
  command: CommandIndex.Entry,
  chosen: CommandIndex.Choice,
  values: Values,
  parameters: ReadonlyArray<Parameter>
): string | undefined => {
  for (const { choice, isRequired, name } of parameters) {
    if (choice === chosen && isRequired && values[name] === undefined)
      return `${labelOf(command, choice)} needs --${name} NAME`
    if (values[name] !== undefined && !(name in (chosen.row.query ?? {})))
      return `--${name} NAME needs ${labelOf(command, choice)}`
  }
  return undefined
}
