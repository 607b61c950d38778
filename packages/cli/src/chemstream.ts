/** The command and its subcommands. A subcommand is loaded only when it is used. Help and the version load none. */
import { Effect } from "effect"
import { CliError, Command, GlobalFlag } from "effect/cli"
import { CommandFailure, exitCodes } from "./CommandFailure.ts"
import type { RowList } from "./endpoints/commandIndex.ts"
import type { Name } from "./endpoints/endpointGroup.ts"
import { lookupNames } from "./endpoints/lookupNames.ts"
import { optionalChoice } from "./flags/flagTypes.ts"
import { withHelp } from "./help/withHelp.ts"
import type { CommandRunner } from "./run/commandRunner.ts"
import * as JsonLog from "./terminal/jsonLog.ts"
import { version } from "./version.ts"

export { version }

/** A subcommand with any name and options. */
type Subcommand = Command.Command<string, object, object, CommandFailure, Command.Environment>

/** What a subcommand may need of the others. */
interface Context {
  /** The endpoints of the contract and others. Undefined: those of the contract. */
  readonly rows: RowList | undefined
  /** The names of the commands of endpoints that take values. */
  readonly lookups: ReadonlyArray<string>
  /** The names of all commands. */
  readonly names: ReadonlyArray<string>
  readonly run: CommandRunner
}

/** A subcommand in the list of help, and how it is loaded. */
interface Entry {
  readonly description: string
  readonly load: (context: Context) => Promise<Subcommand>
}

const entry = <CommandName extends string, Input>(
  description: string,
  load: (
    context: Context
  ) => Promise<Command.Command<CommandName, Input, object, CommandFailure, Command.Environment>>
): Entry => ({
  description,
  load: async (context) => {
    const command: Command.Command.Any = Command.withShortDescription(await load(context), description)
    // The types of the options are known only inside the command.
    return command as Subcommand
  }
})

/** The form of messages. It is read before the arguments are parsed (`jsonLog.ts`), and checked here. */
const log = GlobalFlag.Setting("log")({
  flag: optionalChoice(
    "log",
    JsonLog.formats,
    `Form of the messages on standard error: json writes an object on each line, with time, level, message and traceId [default: that of ${JsonLog.variable}, else text]`
  )
})

/** Returns a placeholder for a subcommand that the arguments do not name: help needs only its name and description. */
const stub = (name: string, description: string): Subcommand => {
  const command: Command.Command.Any = Command.withDescription(Command.make(name), description)
  return command as Subcommand
}

/** Runs the command with these arguments, without the name of the command. */
export const runArguments = (args: ReadonlyArray<string>, rows?: RowList) =>
  Effect.flatMap(
    Effect.promise(() => load(args, rows)),
    (command) => Command.runWith(command, { version })(rejectUnknown(command, args))
  )

/** Returns the runner for subcommands that run another one. Parse errors are printed already, so its failures have no message. */
const runnerOf =
  (rows: RowList | undefined): CommandRunner =>
  (args) =>
    runArguments(args, rows).pipe(
      Effect.catchIf(CliError.isCliError, (error) => {
        const isHelp = error._tag === "ShowHelp" && error.errors.length === 0
        return new CommandFailure({ exitCode: isHelp ? exitCodes.success : exitCodes.usage, message: "" })
      })
    )

/** The group of the commands that write records of the service. */
export const lookUpGroup = "LOOK UP"

/** Returns the subcommands of endpoints, e.g. `details` and the group `hazard`. */
const lookupEntries = (names: Readonly<Record<string, Name>>): Readonly<Record<string, Entry>> =>
  Object.fromEntries(
    Object.entries(names).map(([name, { description }]) => [
      name,
      entry(description, async ({ rows }) =>
        (await import("./endpoints/endpointGroup.ts")).make(name, rows, (await further[name]?.()) ?? [])
      )
    ])
  )

/** The subcommands of a group of endpoints that are not of one endpoint, by the name of the group. */
const further: Readonly<Record<string, () => Promise<ReadonlyArray<Command.Command.Any>>>> = {
  bioactivity: async () => {
    const { exposureRatio, top } = await import("./commands/lookups/bioactivityFacts.ts")
    return [top, exposureRatio]
  }
}

/** The other subcommands, by the headings of help and in its order. `load` puts those of endpoints first below LOOK UP. */
const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  [lookUpGroup]: {
    resolve: entry(
      "Substances for identifiers of any kind, mixed or damaged",
      async () => (await import("./commands/lookups/resolve.ts")).resolve
    ),
    suspects: entry(
      "Candidate substances for the m/z of features",
      async () => (await import("./commands/lookups/suspects.ts")).suspects
    )
  },
  "TABLES AND LONG RUNS": {
    validate: entry(
      "Check identifiers, offline",
      async () => (await import("./commands/tablesAndLongRuns/validate.ts")).validate
    ),
    convert: entry(
      "Convert a file of records to another format, offline",
      async () => (await import("./commands/tablesAndLongRuns/convert.ts")).convert
    ),
    retry: entry("Request only the failed identifiers of a run again", async ({ lookups, run }) =>
      (await import("./commands/tablesAndLongRuns/retry.ts")).retry(run, lookups)
    ),
    harvest: entry("Long runs that outlive their process, on one machine or many", async ({ rows }) =>
      (await import("./commands/tablesAndLongRuns/harvest.ts")).harvest(rows)
    )
  },
  PICTURES: {
    show: entry(
      "Substances as readable cards, or one structure as a picture",
      async () => (await import("./commands/pictures/show.ts")).show
    ),
    plot: entry(
      "Pictures of bioactivity: hit calls against AC50, fitted curves",
      async () => (await import("./commands/pictures/plot.ts")).plot
    ),
    report: entry(
      "One HTML file about a list of chemicals",
      async () => (await import("./commands/pictures/report.ts")).report
    )
  },
  SERVICE: {
    serve: entry(
      "Serve a database of chemical information over HTTP",
      async () => (await import("./commands/service/serve.ts")).serve
    ),
    import: entry("Import records into a database", async ({ rows }) =>
      (await import("./commands/service/import.ts")).importRecords(rows)
    ),
    generate: entry(
      "Generate a synthetic data set of any size",
      async () => (await import("./commands/service/generate.ts")).generate
    ),
    mcp: entry("Tools for assistants, over the Model Context Protocol", async ({ rows }) =>
      (await import("./commands/service/mcp.ts")).mcp(rows)
    ),
    demo: entry(
      "Look up a few hundred identifiers in the bundled service, offline",
      async () => (await import("./commands/service/demo.ts")).demo
    )
  },
  "SETTINGS AND HELP": {
    config: entry(
      "The address of the service and the key, for all commands",
      async () => (await import("./commands/settings/config.ts")).config
    ),
    api: entry(
      "Send any request of the contract, with the key and retries",
      async () => (await import("./commands/settings/api.ts")).api
    ),
    doctor: entry(
      "Check that the service can be reached and accepts the key",
      async () => (await import("./commands/settings/doctor.ts")).doctor
    ),
    schema: entry("JSON Schema of the output of the commands", async ({ rows }) =>
      (await import("./commands/settings/schema.ts")).schema(rows)
    ),
    help: entry("Explain an error, or show the help of a command", async ({ names, rows, run }) =>
      (await import("./commands/settings/help.ts")).help(run, names, rows)
    )
  }
}

/**
 * The `chemstream` command, for `Command.run` of `effect/cli`.
 *
 * `args` are the arguments of the run. Only the subcommands in them are loaded; the others are placeholders with a
 * name and a description. Without `args`, all subcommands are loaded. `others` are endpoints beside those of the contract;
 * each has a subcommand. Default: none.
 *
 * @example
 * ```ts
 * import { load } from "chemstream"
 *
 * const command = await load(["details", "--help"])
 * command.name // => "chemstream"
 * ```
 */
export const load = async (
  args?: ReadonlyArray<string>,
  others?: RowList
): Promise<Command.Command<"chemstream", object, object, CommandFailure, Command.Environment>> => {
  // Shell completions need all options of all commands.
  const isAll = args === undefined || args.some((arg) => arg.startsWith("--completions"))
  const added = others === undefined ? undefined : (await import("./endpoints/endpointGroup.ts")).add(others)
  const { names, rows } = added ?? { names: lookupNames, rows: undefined }
  const all = { ...groups, [lookUpGroup]: { ...lookupEntries(names), ...groups[lookUpGroup] } }
  const context: Context = {
    rows,
    lookups: Object.keys(names).filter((name) => names[name]?.takesValues),
    names: Object.values(all).flatMap(Object.keys),
    run: runnerOf(others)
  }
  const subcommands = await Promise.all(
    Object.entries(all).map(async ([group, entries]) => ({
      group,
      commands: await Promise.all(
        Object.entries(entries).map(([name, { description, load: loadOne }]) =>
          isAll || args.includes(name) ? loadOne(context) : stub(name, description)
        )
      )
    }))
  )
  return Command.make("chemstream").pipe(
    withHelp("Chemical identifiers in, NDJSON records out", {
      "cut -f1 hits.tsv | chemstream details --projection ntatoolkit > out.ndjson":
        "The records of the identifiers in the first column of a table",
      "chemstream demo": "A complete run, offline"
    }),
    Command.withSubcommands(subcommands),
    Command.withGlobalFlags([log])
  )
}

const helpFlags: ReadonlyArray<string> = ["--help", "-h"]

/**
 * Removes the help flags if the words before the first flag name no command, so that the parser reports the unknown name. It would
 * print the help of the group above them, and end with success.
 */
const rejectUnknown = (command: Command.Command.Any, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  let group: Command.Command.Any | undefined = command
  for (const word of args) {
    if (word.startsWith("-") || group.subcommands.length === 0) return args
    group = group.subcommands.flatMap(({ commands }) => commands).find(({ name }) => name === word)
    if (group === undefined) return args.filter((arg) => !helpFlags.includes(arg))
  }
  return args
}
