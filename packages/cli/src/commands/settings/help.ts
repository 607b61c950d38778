/**
 * `chemstream help`: explains errors, shows the help of a command, and prints the path of the man page.
 */

import { fileURLToPath } from "node:url"
import { Quote } from "@chemstream/api"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { exitCodes, usageFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import { values } from "../../flags/flagTypes.ts"
import * as Catalogue from "../../help/errors/errorCatalogue.ts"
import { didYouMean, nearest } from "../../help/nameSuggestions.ts"
import { wrap } from "../../help/textWidth.ts"
import { withHelp } from "../../help/withHelp.ts"
import type { CommandRunner } from "../../run/commandRunner.ts"
import * as Messages from "../../terminal/messages.ts"

/** The default width of a terminal, in columns. */
const defaultColumns = 80

/** The longest line, in columns. Longer lines are hard to read. */
const mostColumns = 100

/** Makes the command. It gets the runner and the names of the other commands, and their rows. */
export const help = (run: CommandRunner, commands: ReadonlyArray<string>, rows?: RowList) =>
  Command.make(
    "help",
    {
      topic: values(
        "TOPIC",
        "errors, errors NAME…, fields COMMAND, manual, or a command [default: the list of commands]"
      )
    },
    ({ topic }) => {
      const [first, ...names] = topic
      if (first === "errors") return explain(names)
      if (first === "fields") {
        return Effect.flatMap(
          Effect.promise(() => import("./helpFields.ts")),
          ({ print }) => print(names, columnsOf(), rows)
        )
      }
      if (first === "manual") return Effect.sync(() => Messages.printValue(`${manualPage()}\n`))
      return first === undefined || commands.includes(first)
        ? run([...topic, "--help"])
        : usageFailure(
            `no help on ${first}${suggestion(first, commands)}; the topics are errors, fields, manual, ${commands.join(", ")}`
          )
    }
  ).pipe(
    withHelp("Explain an error, or show the help of a command", {
      "chemstream help errors": "All errors, outcomes and exit codes",
      "chemstream help errors RateLimited": "One error",
      'man "$(chemstream help manual)"': "The man page, wherever the package is",
      "chemstream help fields details": "The fields of its records, by projection",
      "chemstream help details": "The same as chemstream details --help"
    })
  )

/** Suggests a topic or an error for an unknown topic. */
const suggestion = (topic: string, commands: ReadonlyArray<string>): string => {
  const meant = nearest(topic, ["errors", "fields", "manual", ...commands, ...errorNames])
  if (meant === undefined) return ""
  return ` (did you mean ${errorNames.includes(meant) ? `errors ${meant}` : meant}?)`
}

/** The path of the man page. */
const manualPage = (): string =>
  fileURLToPath(new URL("man/chemstream.1", import.meta.resolve("chemstream/package.json")))

const columnsOf = (): number => Math.min(process.stdout.columns ?? defaultColumns, mostColumns)

const explain = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const columns = columnsOf()
    if (names.length === 0) {
      Messages.print(everything(columns))
      return
    }
    for (const name of names) {
      const entry = find(name)
      if (entry === undefined) {
        return yield* usageFailure(
          `unknown error ${Quote.value(name)}${didYouMean(name, errorNames)}; the errors are ${errorNames.join(", ")}`
        )
      }
      Messages.print(paragraph(entry[0], entry[1], columns))
    }
  })

/** The entries of exit codes, by code. */
const codes: ReadonlyMap<string, Catalogue.Entry> = new Map(
  (Object.keys(exitCodes) as Array<keyof typeof exitCodes>).map((name) => [
    String(exitCodes[name]),
    Catalogue.exits[name]
  ])
)

const errorNames: ReadonlyArray<string> = [...Catalogue.entries.keys(), ...codes.keys()]

const find = (name: string): readonly [string, Catalogue.Entry] | undefined =>
  [...Catalogue.entries, ...codes].find(([one]) => one.toLowerCase() === name.toLowerCase())

const everything = (columns: number): string =>
  [
    ...[Catalogue.outcomes, ...Catalogue.errors].map(
      ({ entries, place, title }) =>
        `${title.toUpperCase()}\n${paragraphs([place.replaceAll("`", "")], "", columns)}\n${Object.entries(
          entries
        )
          .map(([name, entry]) => paragraph(name, entry, columns))
          .join("\n")}`
    ),
    `EXIT CODES\n\n${Array.from(codes, ([code, entry]) => paragraph(code, entry, columns)).join("\n")}`
  ].join("\n")

const paragraph = (name: string, { action, meaning }: Catalogue.Entry, columns: number): string =>
  `${name}\n${paragraphs([meaning, `To do: ${action}`], "  ", columns)}`

const paragraphs = (texts: ReadonlyArray<string>, indent: string, columns: number): string =>
  texts
    .flatMap((text) => wrap(text, indent, columns))
    .map((line) => `${line}\n`)
    .join("")
