// The man page, from the same source as `--help`: every command with its options and examples, the options that many
// commands share told once, and what no help page says: exit codes, environment, files, errors.

import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import { exitCodes } from "../src/CommandFailure.ts"
import * as Catalogue from "../src/errorCatalogue.ts"
import { databaseVariable } from "../src/harvestFlags.ts"
import { apiKeyVariable, baseUrlVariable } from "../src/settingsInForce.ts"
import type { Page } from "./helpPages.ts"

/** An option that so many commands have, word for word, is told once for all. */
const shared = 3

/** The environment variables, and what they do. */
const environment: Readonly<Record<string, string>> = {
  [baseUrlVariable]: "Where the service is, where --base-url does not say.",
  [apiKeyVariable]: "The API key, where --api-key-file does not say.",
  [databaseVariable]:
    "The database of chemstream harvest, where --database does not say: a SQLite file, or postgres://… with its password.",
  CHEMSTREAM_API_KEYS: "The keys that chemstream serve accepts, separated by commas.",
  XDG_CONFIG_HOME: "The folder below which chemstream config keeps its settings; ~/.config when not set.",
  XDG_CACHE_HOME: "The folder below which compiled code is kept, for a faster start; ~/.cache when not set.",
  HTTPS_PROXY: "The proxy to an https: service; HTTP_PROXY is the one to an http: service.",
  NO_PROXY: "The hosts that are asked without a proxy.",
  NO_COLOR: "No colours when set to anything.",
  CI: "No bar when set: progress is told in lines.",
  TERM: "No bar on a terminal that is called dumb."
}

/** The switches that end the command: there is nothing to turn off. */
const globals = ["help", "version"]

const description = [
  "Turns identifiers of chemicals into records: reads identifiers from arguments, --input or standard input, asks a chemical-information service for them in batches, and writes one record a line. Every identifier that is read is accounted for.",
  "A line of input is an identifier, or a JSON object that carries it in the field that --key names. Blank lines and lines that start with # are skipped.",
  "Standard output carries data only. Progress, the summary and errors go to standard error."
]

/** The man page in the macros of man(7). */
export const toRoff = (pages: ReadonlyArray<Page>): string => {
  const leaves = pages.filter(({ help }) => help.subcommands === undefined)
  const common = commonOf(leaves)
  const [root] = pages
  return `${[
    '.\\" Made by packages/cli/scripts/generate.ts: change the source, not this.',
    '.TH CHEMSTREAM 1 "" chemstream "User Commands"',
    heading("NAME"),
    `chemstream \\- ${inline(lowerFirst(root?.help.description ?? ""))}`,
    heading("SYNOPSIS"),
    ".B chemstream",
    ".I command",
    "[\\fIflags\\fP] [\\fIvalues\\fP]",
    heading("DESCRIPTION"),
    description.map(inline).join("\n.PP\n"),
    heading("COMMANDS"),
    ...leaves.map((page) => commandOf(page, common)),
    heading("COMMON OPTIONS"),
    ...[...common.values()].map(optionOf),
    heading("GLOBAL OPTIONS"),
    ...(root?.help.globalFlags ?? []).map(optionOf),
    heading("EXIT STATUS"),
    ...(Object.keys(exitCodes) as Array<keyof typeof exitCodes>).map((name) =>
      item(
        `\\fB${exitCodes[name]}\\fP`,
        inline(`${Catalogue.exits[name].meaning} ${Catalogue.exits[name].action}`)
      )
    ),
    heading("ENVIRONMENT"),
    ...Object.entries(environment).map(([name, text]) => item(`\\fB${inline(name)}\\fP`, inline(text))),
    heading("FILES"),
    item(
      "\\fI~/.config/chemstream/settings.json\\fP",
      inline("What chemstream config keeps; only its owner can read it.")
    ),
    heading("ERRORS"),
    inline("In files of --errors as error.tag; chemstream help errors says more of each."),
    ...[Catalogue.outcomes, ...Catalogue.errors].flatMap(({ entries }) =>
      Object.entries(entries).map(([name, { meaning }]) => item(`\\fB${inline(name)}\\fP`, inline(meaning)))
    ),
    heading("EXAMPLES"),
    // Right after a heading a paragraph has begun.
    ...examplesOf(root?.help.examples ?? []).slice(1),
    heading("SEE ALSO"),
    ".BR jq (1)"
  ].join("\n")}\n`
}

/** The options that many commands have in the same words, by their names. */
const commonOf = (pages: ReadonlyArray<Page>): ReadonlyMap<string, HelpDoc.FlagDoc> => {
  const found = new Map<string, { readonly flag: HelpDoc.FlagDoc; count: number }>()
  for (const flag of pages.flatMap(({ help }) => help.flags)) {
    const known = found.get(keyOf(flag))
    if (known === undefined) found.set(keyOf(flag), { flag, count: 1 })
    else known.count++
  }
  return new Map(
    [...found.values()].filter(({ count }) => count >= shared).map(({ flag }) => [keyOf(flag), flag])
  )
}

const keyOf = ({ aliases, description, name, type }: HelpDoc.FlagDoc): string =>
  JSON.stringify([name, aliases, type, Option.getOrElse(description, () => "")])

const commandOf = ({ help, path }: Page, common: ReadonlyMap<string, HelpDoc.FlagDoc>): string => {
  const own = help.flags.filter((flag) => !common.has(keyOf(flag)))
  const also = help.flags.filter((flag) => common.has(keyOf(flag))).map(({ name }) => `--${name}`)
  return [
    `.SS "${inline([...path, ...(help.flags.length === 0 ? [] : ["[flags]"]), ...(help.args ?? []).map(placeOf)].join(" "))}"`,
    inline(help.description),
    ...(help.args ?? []).map(({ description, name }) =>
      item(`\\fI${inline(name)}\\fP`, inline(Option.getOrElse(description, () => "")))
    ),
    ...own.map(optionOf),
    ...(also.length === 0 ? [] : [".PP", `Common options: ${inline(also.join(", "))}.`]),
    ...examplesOf(help.examples ?? [])
  ].join("\n")
}

const placeOf = ({ name, required, variadic }: HelpDoc.ArgDoc): string => {
  const one = variadic ? `${name}...` : name
  return required ? one : `[${one}]`
}

const optionOf = ({ aliases, description, name, type }: HelpDoc.FlagDoc): string => {
  const isSwitch = type === "boolean"
  const isGlobal = globals.includes(name)
  const all = [`--${name}`, ...(isSwitch && !isGlobal ? [`--no-${name}`] : []), ...aliases]
  const names = all.map((one) => `\\fB${inline(one)}\\fP`).join(", ")
  return item(
    isSwitch ? names : `${names} \\fI${inline(type)}\\fP`,
    inline(Option.getOrElse(description, () => ""))
  )
}

const examplesOf = (examples: ReadonlyArray<HelpDoc.ExampleDoc>): ReadonlyArray<string> =>
  examples.flatMap(({ command, description = "" }) => [
    ".PP",
    `${inline(description)}:`,
    ".PP",
    ".RS 4",
    ".nf",
    inline(command),
    ".fi",
    ".RE"
  ])

const heading = (title: string): string => `.SH ${title.includes(" ") ? `"${title}"` : title}`

const item = (tag: string, text: string): string => `.TP\n${tag}\n${text}`

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A text as roff has it: nothing in it is a request, and hyphens can be copied. */
const inline = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replace(
      /[^\x20-\x7e]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`
    )
    .replace(/^\./, "\\&.")
