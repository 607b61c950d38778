/**
 * `chemstream harvest start`: records a long run under a name, or goes on with it, and works on it until it has ended.
 */
import { DetailProjection, type InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Harvest, Refresh, Sinks, Source } from "@chemstream/workflow"
import { Duration, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Bar from "../bar.ts"
import { CommandFailure, codeOf, exitCodes, failed, incomplete, ofCall, usage } from "../CommandFailure.ts"
import * as clientFlags from "../clientFlags.ts"
import * as harvestFlags from "../harvestFlags.ts"
import * as harvestWatch from "../harvestWatch.ts"
import * as harvestWorking from "../harvestWorking.ts"
import * as input from "../input.ts"
import { wholeFrom1 } from "../numberFlags.ts"
import * as Output from "../output.ts"
import * as RunFiles from "../runFiles.ts"
import * as runFlags from "../runFlags.ts"
import * as InForce from "../settingsInForce.ts"
import { counted } from "../summary.ts"
import * as Messages from "../terminal/messages.ts"

/** Days after which a record of a mirror is asked for again. */
const defaultOlderThan = 1

export const start = Command.make(
  "start",
  {
    name: harvestFlags.name,
    values: Argument.String("ID").pipe(
      Argument.withDescription("Identifiers; else --input, --all, else standard input"),
      Argument.variadic()
    ),
    input: runFlags.input,
    key: runFlags.key("the endpoint's own"),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Every chemical of the service"),
      Flag.withDefault(false)
    ),
    search: Flag.Literals("search", ["contain", "start-with", "equal"]).pipe(
      Flag.withDescription("What a search for the values finds, instead of the values themselves"),
      Flag.optional
    ),
    fetch: harvestFlags.fetch,
    projection: Flag.Literals("projection", DetailProjection.names).pipe(
      Flag.withDescription("The fields of detail records"),
      Flag.optional
    ),
    output: harvestFlags.output.pipe(Flag.optional),
    mirror: Flag.String("mirror").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription(
        "Instead of --output: a mirror in the database, of which only differences are written; asks for what is older than --older-than"
      ),
      Flag.optional
    ),
    olderThan: Flag.Finite("older-than").pipe(
      Flag.withMetavar("DAYS"),
      Flag.withDescription(
        `Days after which a record of the mirror is asked for again (${defaultOlderThan} when not given)`
      ),
      Flag.optional
    ),
    report: Flag.String("report").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "File of what was added to the mirror, changed in it or gone from the service, as NDJSON"
      ),
      Flag.optional
    ),
    chunkSize: wholeFrom1("chunk-size", "Identifiers a chunk", Harvest.defaultChunkSize),
    strictIds: runFlags.strictIds,
    validate: runFlags.files.validate,
    detach: Flag.Boolean("detach").pipe(
      Flag.withDescription(
        "Only record it: chemstream harvest worker does the work, here or on other machines"
      ),
      Flag.withDefault(false)
    ),
    quiet: runFlags.files.quiet,
    ...harvestWorking.flags,
    database: harvestFlags.database
  },
  (flags) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(flags)
      const shared = {
        name: flags.name,
        source,
        fetch: yield* harvestFlags.fetchSpec(flags.fetch, flags.projection),
        chunkSize: flags.chunkSize,
        strictIds: flags.strictIds,
        validate: flags.validate,
        service: yield* serviceOf(flags)
      }
      yield* checkKeeping(flags)
      const started = yield* Option.isSome(flags.mirror)
        ? Refresh.start({
            ...shared,
            mirror: flags.mirror.value,
            olderThan: Duration.days(Option.getOrElse(flags.olderThan, () => defaultOlderThan)),
            report: Option.getOrUndefined(flags.report)
          })
        : Harvest.start({ ...shared, sink: yield* sinkOf(flags) })
      const { chunks, identifiers, isNew } = started
      if (!isNew && harvestWatch.hasEnded(started)) {
        Messages.say(alreadyEnded(flags.name, started.state, Option.isSome(flags.mirror)))
        return yield* endOf(yield* Harvest.status(flags.name))
      }
      // One that was paused, by someone or because it could not go on, goes on.
      if (!isNew) yield* Harvest.resume(flags.name)
      if (!flags.quiet) {
        Messages.say(
          `${flags.name} ${isNew ? "started" : "goes on"}: ${counted(identifiers, "identifier")} in ${counted(chunks, "chunk")}\n`
        )
      }
      if (flags.detach) return
      const work = flags.quiet ? Harvest.halted(flags.name) : harvestWatch.watch(flags.name)
      const status = yield* Effect.provide(work, harvestWorking.layer(flags)).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            Bar.say(`chemstream: the same command goes on with ${flags.name}\n`)
          })
        )
      )
      yield* endOf(status)
    }).pipe(
      harvestFlags.ended,
      Effect.provide(harvestFlags.layer(flags.database)),
      // Before the database is opened, which makes it where there is none.
      (work) => Effect.andThen(checkFiles(flags), work)
    )
).pipe(
  Command.withDescription("Start a harvest, or go on with it, and work on it until it has finished"),
  Command.withExamples([
    {
      command: "chemstream harvest start mirror --input ids.txt --output mirror/records.ndjson.zst",
      description: "Killed at any moment, the same command goes on"
    },
    {
      command: "chemstream harvest start all --all --fetch details,synonyms --output all.sqlite --detach",
      description: "Every chemical, details and synonyms as one record, for workers to do"
    },
    {
      command:
        "chemstream harvest start night-$(date +%F) --all --mirror ours --older-than 0.8 --report changes.ndjson",
      description: "Refresh a mirror, and report what is different; each run has a name of its own"
    }
  ])
)

const sourceOf = (
  flags: input.Given & {
    readonly fetch: Parameters<typeof harvestFlags.fieldsOf>[0]
    readonly all: boolean
    readonly search: Option.Option<"contain" | "start-with" | "equal">
    readonly client: clientFlags.Settings
  }
): Effect.Effect<Source.Source<CommandFailure>, CommandFailure> =>
  Effect.gen(function* () {
    const file = Option.getOrUndefined(flags.input)
    if (flags.all) {
      if (flags.values.length > 0 || file !== undefined || Option.isSome(flags.search))
        return yield* usage("give --all or identifiers, not both")
      return asked(Source.all(), flags.client)
    }
    if (Option.isSome(flags.search)) {
      if (flags.values.length === 0 || file !== undefined)
        return yield* usage("--search needs words as arguments, and no --input")
      const how = flags.search.value === "start-with" ? "startWith" : flags.search.value
      return asked(Source.search(how, flags.values), flags.client)
    }
    const opened = yield* input.ofFlags(flags, harvestFlags.fieldsOf(flags.fetch))
    if (flags.values.length > 0) return Source.list(flags.values)
    return {
      description: file ?? "standard input",
      isStable: opened.file !== undefined,
      identifiers: opened.identifiers
    }
  })

/** Fails where the harvest would write to what it reads, or twice to one file. */
const checkFiles = (
  flags: Pick<input.Given, "input" | "values"> &
    Readonly<Record<"database" | "output" | "report", Option.Option<string>>> & {
      readonly all: boolean
      readonly client: clientFlags.Settings
    }
): Effect.Effect<void, CommandFailure> =>
  RunFiles.check({
    inputs: [...(flags.all ? [] : input.files(flags)), ...clientFlags.files(flags.client)],
    outputs: [
      ...Option.toArray(flags.output).flatMap(harvestFlags.sinkFiles),
      ...harvestFlags.reportFiles(flags.report),
      ...harvestFlags.files(flags.database)
    ]
  })

/** Fails where an option of a mirror, or of a sink, is given with the other. */
const checkKeeping = (
  flags: Readonly<Record<"mirror" | "output" | "report", Option.Option<string>>> & {
    readonly olderThan: Option.Option<number>
    readonly detach: boolean
  }
): Effect.Effect<void, CommandFailure> => {
  if (Option.isSome(flags.mirror)) {
    if (Option.isSome(flags.output))
      return Effect.fail(usage("give --output PATH or --mirror NAME, not both"))
    // Detached, it is written by a worker, perhaps on another machine.
    return flags.detach
      ? Effect.void
      : Effect.asVoid(Output.targets({ report: Option.getOrUndefined(flags.report) }, "report"))
  }
  if (Option.isSome(flags.report)) return Effect.fail(usage("--report FILE goes with --mirror NAME"))
  return Option.isSome(flags.olderThan)
    ? Effect.fail(usage("--older-than DAYS goes with --mirror NAME"))
    : Effect.void
}

/** The sink of the flags. Fails where it is known to hold another harvest. */
const sinkOf = (flags: {
  readonly name: string
  readonly output: Option.Option<string>
  readonly database: Option.Option<string>
}) =>
  Effect.gen(function* () {
    if (Option.isNone(flags.output)) {
      return yield* usage("say where outcomes are kept: --output PATH, or --mirror NAME")
    }
    const sink = yield* harvestFlags.sinkOf(flags.output.value, harvestFlags.named(flags.database))
    const holder = yield* Sinks.holder(sink)
    if (holder === undefined || holder === flags.name) return sink
    return yield* usage(
      `--output ${flags.output.value} holds the harvest ${JSON.stringify(holder)}: name another folder, or remove this one`
    )
  })

/** A source that asks the service, with the client of the flags. */
const asked = <E extends ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | Source.SourceError>(
  source: Source.Source<E, ChemClient.ChemClient>,
  client: clientFlags.Settings
): Source.Source<CommandFailure> => ({
  ...source,
  identifiers: source.identifiers.pipe(
    Stream.mapError(
      (error: ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | Source.SourceError) =>
        error._tag === "SourceError" || error._tag === "InvalidIdentifier"
          ? failed(error.message)
          : ofCall(error)
    ),
    Stream.provide(clientFlags.layer(client))
  )
})

/** Said in a quiet run, too: that a job asks for nothing, night after night, is seen nowhere else. */
const alreadyEnded = (name: string, state: Harvest.State, isRefresh: boolean): string => {
  const how = state === "finished" ? "has already finished" : "was cancelled before"
  const then = isRefresh
    ? `give it another name, e.g. one with the date, or free this one: chemstream harvest forget ${name}`
    : "give it another name and another --output"
  return `chemstream: ${name} ${how}: nothing was asked\nchemstream: to ask again, ${then}\n`
}

/** Where the service is. The workers of a harvest that is only recorded may be told so elsewhere. */
const serviceOf = (flags: {
  readonly client: clientFlags.Settings
  readonly detach: boolean
}): Effect.Effect<string | undefined, CommandFailure> =>
  Effect.map(InForce.baseUrl(flags.client.baseUrl, clientFlags.defaultBaseUrl), ({ from, value }) =>
    flags.detach && from === InForce.byDefault ? undefined : value
  )

const endOf = (status: Harvest.Status): Effect.Effect<void, CommandFailure> => {
  if (status.failure !== undefined) {
    const exitCode = codeOf(status.failure.tag, status.failure.status)
    const elsewhere =
      exitCode === exitCodes.unreachable
        ? ` (with another base URL: harvest cancel, then harvest forget ${status.name}, and begin with another --output)`
        : ""
    return Effect.fail(
      new CommandFailure({
        exitCode,
        message: `${status.name} is paused: ${status.reason}\nchemstream: when that is put right the same command goes on${elsewhere}`
      })
    )
  }
  if (status.state === "cancelled") return Effect.fail(failed(`${status.name} was cancelled`))
  return status.tally.failed > 0 ? Effect.fail(incomplete) : Effect.void
}
