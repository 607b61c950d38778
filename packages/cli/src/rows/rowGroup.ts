/** Makes the commands of the rows by their first word: one command, or a group of commands. */
import { type Family, Rows } from "@chemstream/api"
import type { Command } from "effect/cli"
import * as commandGroup from "../run/commandGroup.ts"
import * as rowCommand from "./rowCommand.ts"
import * as RowCommands from "./rowCommands.ts"

/** The commands of the rows with this first word. */
const commandsOf = (name: string, rows?: RowCommands.RowList): ReadonlyArray<RowCommands.RowCommand> =>
  RowCommands.of(rows).filter(({ words }) => words[0] === name)

/** A first word of commands. */
export interface Name {
  readonly description: string
  /** Whether a command with this word takes values. */
  readonly takesValues: boolean
}

/** Returns the first words of the commands of rows. */
export const names = (rows?: RowCommands.RowList): Readonly<Record<string, Name>> =>
  Object.fromEntries(
    RowCommands.of(rows).map(({ words: [name] }) => {
      const commands = commandsOf(name, rows)
      const takesValues = commands.some(({ choices }) => RowCommands.isLookup(choices[0].row))
      return [name, { description: descriptionOf(name, commands), takesValues }]
    })
  )

/** Adds rows to those of the contract. Returns all rows, and the first words of their commands. */
export const add = (others: RowCommands.RowList) => {
  const rows: RowCommands.RowList = [...Rows.all, ...others]
  return { rows, names: names(rows) }
}

const familyOf = (name: string): Family.Family | undefined => Rows.families.find(({ word }) => word === name)

const descriptionOf = (name: string, commands: ReadonlyArray<RowCommands.RowCommand>): string => {
  const declared = familyOf(name)?.description
  if (declared !== undefined) return declared
  const [first, second, ...others] = new Set(
    commands.map((command) => rowCommand.descriptionOf(command).replace(/, one NDJSON .*/, ""))
  )
  const some = second === undefined ? `${first}` : `${first}; ${second}`
  return others.length === 0 ? some : `${some}; and ${others.length} more`
}

/** Makes the command, with other subcommands after those of rows. Throws if the words of a row are the beginning of the words of another. */
export const make = (
  name: string,
  rows?: RowCommands.RowList,
  others: ReadonlyArray<Command.Command.Any> = []
): Command.Command.Any => {
  const commands = commandsOf(name, rows)
  const whole = commands.find(({ words }) => words.length === 1)
  if (whole === undefined) {
    const subcommands: ReadonlyArray<Command.Command.Any> = [...commands.map(rowCommand.make), ...others]
    const examples =
      familyOf(name)?.examples ?? commands.map(rowCommand.make).flatMap((one) => one.examples.slice(0, 1))
    const byCommand = Object.fromEntries(
      examples.map(({ command, description = "" }) => [command, description])
    )
    return commandGroup.make(name, descriptionOf(name, commands), byCommand, subcommands)
  }
  const [other] = commands.filter((command) => command !== whole)
  if (other === undefined) return rowCommand.make(whole)
  throw new Error(
    `${whole.choices[0].row.name} has the command ${name}, and ${other.choices[0].row.name} the command ${other.words.join(" ")}: give the row other words in \`command\``
  )
}
