/** Makes the commands of the endpoints by their first word: one command, or a group of commands. */
import { type Family, Rows } from "@chemstream/api"
import type { Command } from "effect/cli"
import * as commandGroup from "../run/commandGroup.ts"
import * as CommandIndex from "./commandIndex.ts"
import * as endpointCommand from "./endpointCommand.ts"

/** The commands of the endpoints with this first word. */
const commandsOf = (name: string, rows?: CommandIndex.RowList): ReadonlyArray<CommandIndex.Entry> =>
  CommandIndex.of(rows).filter(({ words }) => words[0] === name)

/** A first word of commands. */
export interface Name {
  readonly description: string
  /** Whether a command with this word takes values. */
  readonly takesValues: boolean
}

/** Returns the first words of the commands of endpoints. */
export const names = (rows?: CommandIndex.RowList): Readonly<Record<string, Name>> =>
  Object.fromEntries(
    CommandIndex.of(rows).map(({ words: [name] }) => {
      const commands = commandsOf(name, rows)
      const takesValues = commands.some(({ choices }) => CommandIndex.isLookup(choices[0].row))
      return [name, { description: descriptionOf(name, commands), takesValues }]
    })
  )

/** Adds endpoints to those of the contract. Returns all endpoints, and the first words of their commands. */
export const add = (others: CommandIndex.RowList) => {
  const rows: CommandIndex.RowList = [...Rows.all, ...others]
  return { rows, names: names(rows) }
}

const familyOf = (name: string): Family.Family | undefined => Rows.families.find(({ word }) => word === name)

const descriptionOf = (name: string, commands: ReadonlyArray<CommandIndex.Entry>): string => {
  const declared = familyOf(name)?.description
  if (declared !== undefined) return declared
  const [first, second, ...others] = new Set(
    commands.map((command) => endpointCommand.descriptionOf(command).replace(/, one NDJSON .*/, ""))
  )
  const some = second === undefined ? `${first}` : `${first}; ${second}`
  return others.length === 0 ? some : `${some}; and ${others.length} more`
}

/** Makes the command, with other subcommands after those of endpoints. Throws if the words of an endpoint are the beginning of the words of another. */
export const make = (
  name: string,
  rows?: CommandIndex.RowList,
  others: ReadonlyArray<Command.Command.Any> = []
): Command.Command.Any => {
  const commands = commandsOf(name, rows)
  const whole = commands.find(({ words }) => words.length === 1)
  if (whole === undefined) {
    const subcommands: ReadonlyArray<Command.Command.Any> = [...commands.map(endpointCommand.make), ...others]
    const examples =
      familyOf(name)?.examples ??
      commands.map(endpointCommand.make).flatMap((one) => one.examples.slice(0, 1))
    const byCommand = Object.fromEntries(
      examples.map(({ command, description = "" }) => [command, description])
    )
    return commandGroup.make(name, descriptionOf(name, commands), byCommand, subcommands)
  }
  const [other] = commands.filter((command) => command !== whole)
  if (other === undefined) return endpointCommand.make(whole)
  throw new Error(
    `${whole.choices[0].row.name} has the command ${name}, and ${other.choices[0].row.name} the command ${other.words.join(" ")}: give the row other words in \`command\``
  )
}
