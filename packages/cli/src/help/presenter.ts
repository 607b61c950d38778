/**
 * Prints help and the version on standard output, and usage errors as one line on standard error, with a suggestion or a pointer to help.
 */
import { Quote } from "@chemstream/api"
import { Effect } from "effect"
import type { CliError, CliOutput, HelpDoc } from "effect/cli"
import * as Messages from "../terminal/messages.ts"
import { didYouMean } from "./nameSuggestions.ts"

export const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Help":
        return Effect.promise(() => printHelp(event.helpDoc))
      case "Version":
        return Effect.sync(() => Messages.print(`${event.version}\n`))
      case "InvalidInvocation":
        return Effect.sync(() =>
          Messages.say(
            `chemstream: ${relevant(event.errors)
              .map((error) => explain(error, event.helpDoc))
              .join("; ")}\n`,
            "error"
          )
        )
    }
  }
}

/** Prints help. Its layout is loaded only then. */
const printHelp = async (help: HelpDoc.HelpDoc): Promise<void> => {
  const [{ toText }, { helpColumns }] = await Promise.all([import("./helpText.ts"), import("./textWidth.ts")])
  const styled = process.stdout.isTTY && !process.env["NO_COLOR"]
  Messages.printStyled(toText(help, { columns: helpColumns(), styled }))
}

/** Removes errors that follow from others: the value after an unknown option looks like a command. */
const relevant = (
  errors: ReadonlyArray<CliError.NonShowHelpErrors>
): ReadonlyArray<CliError.NonShowHelpErrors> => {
  const hasOption = errors.some(({ _tag }) => _tag === "UnrecognizedOption")
  return hasOption ? errors.filter(({ _tag }) => _tag !== "UnknownSubcommand") : errors
}

/** A usage error in one line. */
export const explain = (error: CliError.NonShowHelpErrors, help: HelpDoc.HelpDoc): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return unknownOption(error, help)
    case "UnknownSubcommand":
      return `unknown command ${Quote.value(error.subcommand)}${meant(error.suggestions)}${seeHelp(help)}`
    case "InvalidValue": {
      const expected = inWords(error.expected)
      // For a missing value, the parser gives one word: its placeholder or its type.
      if (error.value === "" && !/\s/.test(expected)) {
        return `--${error.option} needs a value${/^[a-z]+$/.test(expected) ? "" : `: ${expected}`}`
      }
      if (error.expected === "at most 1 value")
        return `--${error.option} is given more than once: give it once`
      const given = `${error.kind === "flag" ? "--" : ""}${error.option} ${Quote.value(error.value)}`
      return error.expected.includes(" | ")
        ? `${given} is not allowed${didYouMean(error.value, expected.split(", "))}: use one of ${expected}`
        : `${given} is not allowed: use ${expected}`
    }
    case "MissingOption":
      return `--${error.option} is missing${seeHelp(help)}`
    case "MissingArgument":
      return `${error.argument} is missing${firstExample(help)}${seeHelp(help)}`
    default:
      return error.message.replace(/\s+/g, " ")
  }
}

const unknownOption = (
  { option, suggestions }: CliError.UnrecognizedOption,
  help: HelpDoc.HelpDoc
): string => {
  if (option === "--api-key") return noKey
  if (option === "--clean" && help.subcommands === undefined)
    return `${pathOf(help)} has no --clean, because its sources do not write marks for unknown values: omit it${seeHelp(help)}`
  const path = pathOf(help)
  // Options come after the whole name of a command.
  if (help.subcommands !== undefined && suggestions.length === 0) {
    return `${option} is not an option of ${path} itself: put it after the command, as in ${path} ${exampleOf(help)} ${option} …`
  }
  return `unknown option ${option}${meant(suggestions)}${seeHelp(help)}`
}

/** Returns the first subcommand. */
const exampleOf = ({ subcommands }: HelpDoc.HelpDoc): string =>
  subcommands?.[0]?.commands[0].name ?? "COMMAND"

const firstExample = ({ examples = [] }: HelpDoc.HelpDoc): string =>
  examples[0] === undefined ? "" : `, as in ${examples[0].command}`

const pathOf = ({ commandPath = ["chemstream"] }: HelpDoc.HelpDoc): string => commandPath.join(" ")

const seeHelp = (help: HelpDoc.HelpDoc): string => `; see ${pathOf(help)} --help`

const noKey =
  "there is no option --api-key, because every user of the machine can see it: use --api-key-file FILE, CHEMSTREAM_API_KEY, or chemstream config set api-key. If this was your key, replace it"

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length > 0 ? ` (did you mean ${suggestions.join(" or ")}?)` : ""

/** The types of values in plain words, by the words of the parser. */
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
