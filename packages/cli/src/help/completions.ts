/**
 * Makes shell completions: those of `effect/cli`, with additions.
 *
 * The additions complete file names, the topics of `help`, and the command after `retry FILE --`.
 */
import { type Command, Completions } from "effect/cli"
import { lookUpGroup } from "../chemstream.ts"
import * as Catalogue from "./errors/errorCatalogue.ts"

type Descriptor = Completions.CommandDescriptor

/** The options and arguments with a file, and those with a folder. */
const files = new Set(
  "api-key-file api-keys-file checkpoint database errors grid input join json-summary metrics-file output report".split(
    " "
  )
)
const folders = new Set(["out-dir", "output-dir"])
const fileArguments = new Set(["ERRORS", "FILE"])

/** Returns the completion script of a shell. */
export const script = (shell: Completions.Shell, whole: Command.Command.Any): string => {
  const command = Completions.fromCommand(whole)
  const lookups = namesOfLookups(whole, command)
  const generate = (descriptor: Descriptor): string => Completions.generate(command.name, shell, descriptor)
  const helping = withSubcommands(command, lookups, { help: helped(command, lookups) })
  const retried = command.subcommands.filter(({ name }) => lookups.includes(name))
  switch (shell) {
    case "bash":
      // Readline completes file names where nothing else matches. It handles folders and quotes.
      return generate(withSubcommands(helping, lookups, { retry: retried })).replace(
        "complete -F",
        "complete -o bashdefault -o default -F"
      )
    case "zsh":
      return afterDashesInZsh(
        generate(withFiles(helping)),
        generate(withFiles({ ...command, name: "chemstream_retried", subcommands: retried }))
      )
    case "fish":
      return afterDashesInFish(generate(withFiles(helping)), lookups)
    default:
      return generate(withFiles(command))
  }
}

/** Returns the names of the commands that take values. */
const namesOfLookups = (whole: Command.Command.Any, { subcommands }: Descriptor): ReadonlyArray<string> =>
  whole.subcommands
    .filter(({ group }) => group === lookUpGroup)
    .flatMap(({ commands }) => commands.map(({ name }) => name))
    .filter((name) => subcommands.some((one) => one.name === name && takesValues(one)))

const takesValues = (command: Descriptor): boolean =>
  command.arguments.length > 0 || command.subcommands.some(takesValues)

/** Replaces the subcommands of `help` and `retry` by those of `below`. */
const withSubcommands = (
  command: Descriptor,
  lookups: ReadonlyArray<string>,
  below: Readonly<Record<string, ReadonlyArray<Descriptor>>>
): Descriptor => ({
  ...command,
  subcommands: command.subcommands.map((one) => {
    const subcommands = below[one.name]
    if (subcommands === undefined) return one
    // The commands replace the arguments. Only retry keeps one: its file, which readline completes.
    return one.name === "help"
      ? { ...one, arguments: [], subcommands }
      : { ...one, arguments: retryArguments(lookups), subcommands }
  })
})

const choices = (name: string, values: ReadonlyArray<string>): Completions.ArgumentDescriptor => ({
  name,
  description: undefined,
  required: false,
  variadic: true,
  type: { _tag: "Choice", values }
})

const retryArguments = (lookups: ReadonlyArray<string>): ReadonlyArray<Completions.ArgumentDescriptor> => [
  { name: "ERRORS", description: undefined, required: true, variadic: false, type: { _tag: "String" } },
  choices("COMMAND", lookups)
]

const topic = (
  name: string,
  description: string,
  ...args: ReadonlyArray<Completions.ArgumentDescriptor>
): Descriptor => ({ name, description, flags: [], arguments: args, subcommands: [] })

/** The topics of `help`: the errors, and each command. */
const helped = ({ subcommands }: Descriptor, lookups: ReadonlyArray<string>): ReadonlyArray<Descriptor> => {
  const bare = (command: Descriptor): Descriptor => ({
    ...command,
    flags: [],
    arguments: [],
    subcommands: command.subcommands.map(bare)
  })
  return [
    topic("errors", "What an error means and what to do", choices("NAME", [...Catalogue.entries.keys()])),
    topic("fields", "The fields of the records of a command", choices("COMMAND", lookups)),
    topic("manual", "Where the man page is"),
    ...subcommands.filter(({ name }) => name !== "help").map(bare)
  ]
}

/** Marks the files and folders of all commands. */
const withFiles = (command: Descriptor): Descriptor => ({
  ...command,
  flags: command.flags.map((flag) => {
    const pathType = files.has(flag.name) ? "either" : folders.has(flag.name) ? "directory" : undefined
    return pathType === undefined ? flag : { ...flag, type: { _tag: "Path", pathType } }
  }),
  arguments: command.arguments.flatMap((argument) =>
    fileArguments.has(argument.name)
      ? [{ ...argument, type: { _tag: "Path" as const, pathType: "either" as const } }]
      : argument.name === "COMMAND"
        ? []
        : [argument]
  ),
  subcommands: command.subcommands.map(withFiles)
})

/** Completes the words after the `--` of `retry` like a line of the other command. */
const afterDashesInZsh = (whole: string, retried: string): string => {
  const end = "# Handle both direct invocation and autoload"
  const functions = retried.slice(retried.indexOf("_chemstream_retried() {"), retried.indexOf(end))
  return whole.replace("_chemstream_retry() {", "_chemstream_retry_file() {").replace(
    end,
    `${functions}_chemstream_retry() {
  local -i dashes=\${words[(i)--]}
  if (( CURRENT > dashes )); then
    words=(chemstream "\${(@)words[dashes+1,-1]}")
    (( CURRENT -= dashes - 1 ))
    _chemstream_retried
  else
    _chemstream_retry_file
  fi
}

${end}`
  )
}

const afterDashesInFish = (whole: string, lookups: ReadonlyArray<string>): string => `${whole}
function __chemstream_retried
  set -l words (commandline -opc)
  set -l dashes (contains -i -- -- $words)
  or return
  set -e words[1..$dashes]
  if test (count $words) -eq 0
    printf '%s\\n' ${lookups.join(" ")}
  else
    complete -C (string join -- ' ' chemstream (string escape -- $words) (commandline -ct))
  end
end
complete -c chemstream -n '__fish_seen_subcommand_from retry; and contains -- -- (commandline -opc)' -f -a '(__chemstream_retried)'
`
