/**
 * `chemstream harvest start`: records or continues a harvest, and fetches its chunks until it has finished.
 *
 * The defaults of chunks and workers are in `Harvest` and `Worker` of the workflow package.
 */

import { DetailProjection, Quote } from "@chemstream/api"
import { Fetch, Harvest, Refresh, Sinks } from "@chemstream/workflow"
import { Clock, Effect } from "effect"
import { Command } from "effect/cli"
import {
  CommandFailure,
  exitCodeFor,
  exitCodes,
  incompleteRun,
  runFailure,
  usageFailure
} from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import {
  defaultWhole,
  optional,
  optionalChoice,
  optionalText,
  switchFlag,
  values
} from "../../flags/flagTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as TimeFlag from "../../flags/timeFlag.ts"
import * as fetchFlags from "../../harvest/fetchFlags.ts"
import * as harvestDatabase from "../../harvest/harvestDatabase.ts"
import * as harvestName from "../../harvest/harvestName.ts"
import * as harvestOutput from "../../harvest/harvestOutput.ts"
import * as harvestSource from "../../harvest/harvestSource.ts"
import * as harvestWatch from "../../harvest/harvestWatch.ts"
import * as runWorker from "../../harvest/runWorker.ts"
import * as suggestedCommands from "../../harvest/suggestedCommands.ts"
import * as workerFlags from "../../harvest/workerFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as openInput from "../../input/openInput.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as OutputPlace from "../../output/outputPlace.ts"
import * as RepairCount from "../../run/repairCount.ts"
import * as RunPlan from "../../run/runPlan.ts"
import { linesText } from "../../run/summary.ts"
import * as EffectiveSettings from "../../settings/effectiveSettings.ts"
import * as Messages from "../../terminal/messages.ts"
import * as ProgressBar from "../../terminal/progressBar.ts"
import { counted } from "../../terminal/quantities.ts"

/** The age at which a record of a mirror is fetched again, in milliseconds. */
const defaultOlderThan = 86_400_000

const optionsOf = (rows: RowList | undefined) => ({
  name: harvestName.name,
  values: values("ID", "Identifiers [default: those of --input or --all, else of standard input]"),
  input: runFlags.input,
  key: runFlags.key("the endpoint's own"),
  ...LayoutFlags.flags,
  all: switchFlag("all", "Every chemical of the service"),
  search: optionalChoice(
    "search",
    ["contain", "start-with", "equal"],
    "Use the hits of a search for the values, instead of the values"
  ),
  fetch: fetchFlags.fetch(rows),
  projection: optionalChoice("projection", DetailProjection.names, "The fields of detail records"),
  output: harvestOutput.output.pipe(optional),
  mirror: optionalText(
    "mirror",
    "NAME",
    "Instead of --output: a mirror in the database. Requests records older than --older-than, and writes only differences"
  ),
  olderThan: TimeFlag.make(
    "older-than",
    `Age at which a record of the mirror is fetched again [default: ${TimeFlag.toText(defaultOlderThan)}]`
  ).pipe(optional),
  report: optionalText("report", "FILE", "NDJSON file of the added, changed and gone records"),
  chunkSize: defaultWhole("chunk-size", 1, "Identifiers in one chunk", Harvest.defaultChunkSize),
  strictIds: runFlags.strictIds,
  validate: runFlags.files.validate,
  detach: switchFlag(
    "detach",
    "Only record the harvest; chemstream harvest worker fetches the records, here or on other machines"
  ),
  quiet: runFlags.files.quiet,
  ...workerFlags.flags,
  database: harvestDatabase.database,
  dryRun: clientFlags.dryRun
})

type Options = Command.Command.Config.Infer<ReturnType<typeof optionsOf>>

const run = (flags: Options) =>
  Effect.gen(function* () {
    const repairs = RepairCount.make()
    const { source, tally } = yield* harvestSource.of(flags, repairs)
    const shared = {
      name: flags.name,
      source,
      fetch: yield* fetchFlags.fetchSpec(flags.fetch, flags.projection),
      chunkSize: flags.chunkSize,
      strictIds: flags.strictIds,
      validate: flags.validate,
      ...(yield* serviceOf(flags))
    }
    yield* checkMirror(flags)
    const started = yield* flags.mirror !== undefined
      ? Refresh.start({
          ...shared,
          mirror: flags.mirror,
          olderThan: olderThanOf(flags),
          report: flags.report
        })
      : Harvest.start({ ...shared, sink: yield* sinkOf(flags) })
    const { chunks, identifiers, isNew } = started
    const suggest = suggestedCommands.commands(flags.name, flags.database)
    if (!isNew && harvestWatch.hasEnded(started)) {
      Messages.say(endedMessage(flags, started.state))
      const status = yield* Harvest.status(flags.name)
      yield* Effect.andThen(checkRefreshed(flags, status), conclude(status, suggest))
      return
    }
    // A paused harvest continues, whether a failure or a command paused it.
    if (!isNew) yield* Harvest.resume(flags.name)
    if (!flags.quiet) {
      Messages.say(
        `${flags.name} ${isNew ? "started" : "continues"}: ${counted(identifiers, "identifier")} in ${counted(chunks, "chunk")}\n${linesText(identifiers, tally)}`
      )
      const repaired = repairs.toText()
      if (repaired !== undefined) Messages.say(`${repaired}\n`)
    }
    if (flags.detach) {
      if (!flags.quiet) Messages.say(yield* suggestedCommands.nextCommand(flags.name, suggest))
      return
    }
    const work = flags.quiet ? Harvest.awaitHalt(flags.name) : harvestWatch.watch(flags.name, suggest)
    const status = yield* runWorker.during(flags, work, { logsWaits: flags.quiet, quiet: flags.quiet }).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          ProgressBar.say(`chemstream: the same command continues ${flags.name}\n`)
        })
      )
    )
    yield* conclude(status, suggest)
  }).pipe(
    harvestDatabase.withCommandFailures,
    Effect.provide(harvestDatabase.layer(flags.database, flags)),
    // Checked before the database is opened, because opening creates it.
    (work) => Effect.andThen(checkFiles(flags), flags.dryRun ? plan(flags) : work),
    Effect.scoped
  )

/** Makes the command for the endpoints that rows declare. Default: those of the contract. */
export const start = (rows?: RowList) =>
  Command.make("start", optionsOf(rows), (flags) =>
    Effect.provide(run(flags), fetchFlags.layerLookups(rows))
  ).pipe(
    withHelp("Start or continue a harvest, and fetch its records until it has finished", {
      "chemstream harvest start mirror --input ids.txt --output mirror/records.ndjson.zst":
        "If it is killed, the same command continues it",
      "chemstream harvest start all --all --fetch details,synonyms --output all.sqlite#all --detach":
        "Details and synonyms of every chemical as one record, for workers to fetch",
      "chemstream harvest start night-$(date +%F) --all --mirror ours --older-than 19h --report changes.ndjson":
        "Refresh a mirror, and report the differences; each run needs its own name"
    })
  )

/** Prints the plan of the harvest. A mirror requests only the records that are due. */
const plan = (flags: Options) =>
  Effect.gen(function* () {
    const { chunkSize, strictIds } = flags
    const fetch = yield* fetchFlags.fetchSpec(flags.fetch, flags.projection)
    const lookup = Fetch.lookupOf(fetch, yield* Fetch.Lookups)
    const { source } = yield* harvestSource.of(flags, RepairCount.make())
    const output = [flags.output, flags.report, harvestDatabase.databaseOf(flags.database)].filter(
      (file) => file !== undefined
    )
    yield* clientFlags.provide(flags.client, { dryRun: true })(
      flags.all || flags.search !== undefined || lookup === undefined
        ? RunPlan.printPages({ output })
        : RunPlan.print(
            source.identifiers,
            lookup,
            { batchSize: chunkSize, strictIds, output },
            flags.mirror !== undefined ? (requests) => ({ ...requests, least: 0 }) : undefined
          )
    )
  })

/** Fails if the harvest would overwrite its input, or write two outputs to one file. */
const checkFiles = (flags: Options): Effect.Effect<void, CommandFailure> =>
  FileCheck.check({
    inputs: [...(flags.all ? [] : openInput.files(flags)), ...clientFlags.files(flags.client)],
    outputs: [
      ...(flags.output === undefined ? [] : harvestOutput.sinkFiles(flags.output)),
      ...harvestOutput.reportFiles(flags.report),
      ...harvestDatabase.files(flags.database)
    ]
  })

/** Fails if the options mix a mirror and a sink. */
const checkMirror = (flags: Options): Effect.Effect<void, CommandFailure> => {
  if (flags.mirror !== undefined) {
    if (flags.output !== undefined) return usageFailure("give --output PATH or --mirror NAME, not both")
    // With --detach a worker writes it, perhaps on another machine.
    return flags.detach ? Effect.void : Effect.asVoid(OutputPlace.targets({ report: flags.report }))
  }
  if (flags.report !== undefined) return usageFailure("--report FILE needs --mirror NAME")
  return flags.olderThan !== undefined ? usageFailure("--older-than TIME needs --mirror NAME") : Effect.void
}

/** Returns the sink of the flags. Fails if it contains another harvest. */
const sinkOf = (flags: Options) =>
  Effect.gen(function* () {
    if (flags.output === undefined) {
      return yield* usageFailure("give an output: --output PATH, or --mirror NAME")
    }
    const sink = yield* harvestOutput.sinkOf(flags.output, harvestDatabase.databaseOf(flags.database))
    const holder = yield* Effect.mapError(Sinks.holder(sink), ({ message }) =>
      usageFailure(`${message}. ${mirrorAdvice(flags.database)}`)
    )
    if (holder === undefined || holder === flags.name) return sink
    const [place, other] =
      sink._tag === "Table" ? ["", "another output"] : ["the folder of ", "an output in another folder"]
    return yield* usageFailure(
      `${place}--output ${flags.output} contains the harvest ${Quote.value(holder)}: name ${other}, or remove this one. ${mirrorAdvice(flags.database)}`
    )
  })

const olderThanOf = ({ olderThan }: Options): number => olderThan ?? defaultOlderThan

/** A harvest fetches its records once. */
const mirrorAdvice = (database: string | undefined): string =>
  `To refresh records every night, use a mirror of the same values: ${suggestedCommands.refresh(database)}`

/** Fails if a mirror has records that are due, and the name of its refresh was used before. */
const checkRefreshed = (
  flags: Options,
  { endedAt = 0, name }: Harvest.Status
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    flags.mirror !== undefined && now - endedAt > olderThanOf(flags)
      ? runFailure(`the mirror was not refreshed: ${name} ended longer ago than --older-than says`)
      : Effect.void
  )

/** Also printed with --quiet, so that a nightly job that sends no requests is noticed. */
const endedMessage = ({ database, mirror, name }: Options, state: Harvest.State): string => {
  const how = state === "finished" ? "has already finished" : "was cancelled before"
  const then =
    mirror !== undefined
      ? `give it another name, e.g. one with the date, or free this one: ${suggestedCommands.commands(name, database)("delete")}`
      : `give it another name and another --output. ${mirrorAdvice(database)}`
  return `chemstream: ${name} ${how}: no request was sent\nchemstream: to request again, ${then}\n`
}

/** The base URL and dialect of the harvest. With --detach, workers may have their own settings. */
const serviceOf = (
  flags: Options
): Effect.Effect<Pick<Harvest.Settings, "service" | "dialect">, CommandFailure> =>
  Effect.gen(function* () {
    const { baseUrl: service, dialect } = yield* EffectiveSettings.service(flags.client)
    const unlessDefault = <A>({ from, value }: EffectiveSettings.Found<A>): A | undefined =>
      flags.detach && from === EffectiveSettings.byDefault ? undefined : value
    return {
      service: unlessDefault(service),
      dialect: service.from === EffectiveSettings.byDefault ? unlessDefault(dialect) : dialect.value
    }
  })

/** Ends the command as the harvest stands: fails if a failure paused it, it was cancelled, all values are invalid, or one failed. */
const conclude = (
  status: Harvest.Status,
  suggest: suggestedCommands.Commands
): Effect.Effect<void, CommandFailure> => {
  if (status.failure !== undefined) {
    const exitCode = exitCodeFor(status.failure.tag, status.failure.status)
    const elsewhere =
      exitCode === exitCodes.unreachable
        ? ` (with another base URL: ${suggest("cancel")}, then ${suggest("delete")}, and begin with another --output)`
        : ""
    return new CommandFailure({
      exitCode,
      message: `${status.name} is paused: ${status.reason}\nchemstream: after the correction, the same command continues it${elsewhere}`
    })
  }
  if (status.state === "cancelled") return runFailure(`${status.name} was cancelled`)
  if (status.tally.read > 0 && status.tally.invalid === status.tally.read) {
    return usageFailure(`no value of ${status.name} is valid: its output has the reasons`)
  }
  return status.tally.failed > 0 ? incompleteRun : Effect.void
}
