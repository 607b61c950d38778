/**
 * Renders the help of a command: usage, arguments, options in groups, environment, examples.
 */
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import * as Environment from "./environment.ts"
import * as FlagGroups from "./flagGroups.ts"
import * as FlagText from "./flagText.ts"
import { rows, wrap, wrapCommand } from "./textWidth.ts"

/** The width of the column of option names. */
const termColumns = 24

/** The layout of help. */
interface Look {
  readonly columns: number
  /** Whether headings are bold. */
  readonly styled: boolean
}

/** A section of help. A section without lines is omitted. */
interface Section {
  readonly title: string
  readonly lines: ReadonlyArray<string>
}

/** Renders the help of a command. */
export const toText = (help: HelpDoc.HelpDoc, { columns, styled }: Look): string => {
  const isRoot = (help.commandPath?.length ?? 1) <= 1
  const sections: ReadonlyArray<Section> = [
    { title: "USAGE", lines: wrap(usageOf(help), "  ", columns) },
    { title: "ARGUMENTS", lines: rows((help.args ?? []).map(argument), columns) },
    ...(help.subcommands ?? []).map(({ commands, group }) => ({
      title: group ?? "COMMANDS",
      lines: rows(
        commands.map(({ description, name, shortDescription }) => ({
          term: name,
          text: shortDescription ?? description
        })),
        columns
      )
    })),
    ...FlagGroups.of(help.flags).map(({ flags, title }) => ({ title, lines: optionRows(flags, columns) })),
    {
      title: "GLOBAL FLAGS",
      lines: optionRows(
        (help.globalFlags ?? []).filter(({ name }) => isRoot || name === "help" || name === "log"),
        columns
      )
    },
    {
      title: "ENVIRONMENT",
      lines: rows(
        Environment.of(help).map(({ name, text }) => ({ term: name, text })),
        columns
      )
    },
    { title: "EXAMPLES", lines: (help.examples ?? []).flatMap((one) => example(one, columns)) }
  ]
  const heading = (title: string): string => (styled ? `\u001b[1m${title}\u001b[0m` : title)
  return [
    `${wrap(help.description, "", columns).join("\n")}\n`,
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .map(({ lines, title }) => `${heading(title)}\n${lines.join("\n").trimEnd()}\n`)
  ].join("\n")
}

const usageOf = ({ args = [], commandPath = [], flags, subcommands }: HelpDoc.HelpDoc): string =>
  [
    ...commandPath,
    ...(subcommands === undefined ? [] : ["COMMAND"]),
    ...(flags.length > 0 || subcommands !== undefined ? ["[flags]"] : []),
    ...args.map(placeOf)
  ].join(" ")

/** An argument in a line of usage. */
export const placeOf = ({ name, required, variadic }: HelpDoc.ArgDoc): string => {
  const one = variadic ? `${name}...` : name
  return required ? one : `[${one}]`
}

const argument = ({ description, name, variadic }: HelpDoc.ArgDoc) => ({
  term: variadic ? `${name}...` : name,
  text: Option.getOrElse(description, () => "")
})

const optionRows = (flags: ReadonlyArray<HelpDoc.FlagDoc>, columns: number): ReadonlyArray<string> =>
  rows(
    flags.map((flag) => {
      const { names, text, value } = FlagText.of(flag)
      const term = `${names.join(", ")}${value === "" ? "" : ` ${value}`}`
      return { term: term.startsWith("--") ? `    ${term}` : term, text }
    }),
    columns,
    termColumns
  )

const example = (
  { command, description = "" }: HelpDoc.ExampleDoc,
  columns: number
): ReadonlyArray<string> => [
  ...wrap(description, "  # ", columns),
  ...wrapCommand(command, "  ", columns),
  ""
]
