/**
 * How help, the version and wrong usage look: help and version on standard output, wrong usage as one line on
 * standard error that says what is allowed.
 */
import { Effect } from "effect"
import { type CliError, CliOutput, type HelpDoc } from "effect/cli"
import { didYouMean } from "./nearest.ts"
import * as Messages from "./terminal/messages.ts"

export const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      switch (event._tag) {
        case "Help":
          Messages.printStyled(`${formatter().formatHelpDoc(event.helpDoc)}\n`)
          return
        case "Version":
          Messages.print(`${event.version}\n`)
          return
        case "InvalidInvocation":
          Messages.say(
            `chemstream: ${event.errors.map((error) => explain(error, event.helpDoc)).join("; ")}\n`
          )
      }
    })
}

const formatter = () =>
  CliOutput.defaultFormatter({ colors: process.stdout.isTTY && !process.env["NO_COLOR"] })

/** A usage error in one line, with what is allowed instead. */
export const explain = (error: CliError.NonShowHelpErrors, help: HelpDoc.HelpDoc): string => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      if (error.option === "--api-key" && help.flags.some(({ name }) => name === "api-key-file")) return noKey
      return `unknown option ${error.option}${meant(error.suggestions)}; allowed are ${allowedOptions(help).join(", ")}`
    }
    case "UnknownSubcommand": {
      const names = (help.subcommands ?? []).flatMap((group) => group.commands.map((command) => command.name))
      return `unknown command ${JSON.stringify(error.subcommand)}${meant(error.suggestions)}; allowed are ${names.join(", ")}`
    }
    case "InvalidValue": {
      const expected = inWords(error.expected)
      // Of a value that was left out, the parser knows one word: what it is called, or the name of its type.
      if (error.value === "" && !/\s/.test(expected)) {
        return `--${error.option} needs a value${/^[a-z]+$/.test(expected) ? "" : `: ${expected}`}`
      }
      const given = `${error.kind === "flag" ? "--" : ""}${error.option} ${JSON.stringify(error.value)}`
      return error.expected.includes(" | ")
        ? `${given} is not allowed${didYouMean(error.value, expected.split(", "))}: use one of ${expected}`
        : `${given} is not allowed: use ${expected}`
    }
    case "MissingOption":
      return `--${error.option} is missing; see chemstream ${help.usage.replace(/^chemstream\s+/, "").split(" ")[0]} --help`
    default:
      return error.message.replace(/\s+/g, " ")
  }
}

const noKey =
  "there is no option --api-key, because every user of the machine can see it: use --api-key-file FILE, CHEMSTREAM_API_KEY, or chemstream config set api-key (and replace the key, if it was one)"

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length > 0 ? ` (did you mean ${suggestions.join(" or ")}?)` : ""

const allowedOptions = (help: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  [...help.flags, ...(help.globalFlags ?? [])].flatMap((flag) =>
    flag.type === "boolean" && help.flags.includes(flag)
      ? [`--${flag.name}`, `--no-${flag.name}`]
      : [`--${flag.name}`]
  )

/** What a value must be, in the words of a person instead of those of the parser. */
const inWords = (expected: string): string => {
  const plain = expected
    .replace(/^Expected:? /, "")
    .replaceAll('"', "")
    .replaceAll(" | ", ", ")
  switch (plain) {
    case "an integer":
      return "a whole number"
    case "a string representing a finite number":
      return "a number"
    default:
      return plain
  }
}
