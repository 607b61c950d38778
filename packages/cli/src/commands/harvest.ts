/**
 * `chemstream harvest`: long runs that outlive their process, by name: start one, work on it, see how far it is.
 */
import { createServer } from "node:http"
import { DetailProjection, type InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Harvest, Refresh, SharedRate, Source, Worker } from "@chemstream/workflow"
import { Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { PrometheusMetrics } from "effect/observability"
import type { SqlClient } from "effect/sql"
import * as Bar from "../bar.ts"
import { type CommandFailure, failed, incomplete, ofCall, reasonOf, usage } from "../CommandFailure.ts"
import * as clientFlags from "../clientFlags.ts"
import * as commandGroup from "../commandGroup.ts"
import * as harvestFlags from "../harvestFlags.ts"
import * as harvestView from "../harvestView.ts"
import * as input from "../input.ts"

/** The time between two looks at a harvest that is watched. */
const lookEvery: Duration.Input = "500 millis"

const { database, name } = harvestFlags

const wholeFrom1 = (flag: string, description: string, otherwise: number) =>
  Flag.Int(flag).pipe(
    Flag.withDescription(`${description} (${otherwise} when not given)`),
    Flag.filter(
      (value) => value >= 1,
      () => "a whole number of 1 or more"
    ),
    Flag.withDefault(otherwise)
  )

const working = {
  concurrency: wholeFrom1("concurrency", "Chunks fetched at the same time", Worker.defaultConcurrency),
  lease: Flag.Finite("lease").pipe(
    Flag.withDescription(
      "Seconds after which the shards of a worker that says nothing are given to others; the same for all workers of a database (15 when not given)"
    ),
    Flag.filter(
      (value) => value >= 2,
      () => "a number of seconds, 2 or more"
    ),
    Flag.withDefault(Duration.toSeconds(Duration.fromInputUnsafe(Worker.defaultLease)))
  )
}

/** A worker of the flags, and the database it works on. */
const workerLayer = (
  flags: { readonly concurrency: number; readonly lease: number; readonly client: clientFlags.Settings },
  workerName?: string
) =>
  Worker.layer({
    name: workerName,
    concurrency: flags.concurrency,
    lease: Duration.seconds(flags.lease)
  }).pipe(Layer.provide(clientFlags.layer(flags.client).pipe(Layer.provide(SharedRate.layer))))

const start = Command.make(
  "start",
  {
    name,
    values: Argument.String("ID").pipe(
      Argument.withDescription("Identifiers; else --input, --all, else standard input"),
      Argument.variadic()
    ),
    input: Flag.String("input").pipe(
      Flag.withAlias("i"),
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "File of identifiers, one a line, or of JSON objects that carry them, also .gz or .zst"
      ),
      Flag.optional
    ),
    key: Flag.String("key").pipe(
      Flag.withMetavar("FIELD"),
      Flag.withDescription(
        "Field that carries the identifier where a line is a JSON object (dtxsid when not given)"
      ),
      Flag.optional
    ),
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
      Flag.withDescription("Days after which a record of the mirror is asked for again (1 when not given)"),
      Flag.withDefault(1)
    ),
    report: Flag.String("report").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of what the mirror gained, lost and saw changed, as NDJSON"),
      Flag.optional
    ),
    chunkSize: wholeFrom1("chunk-size", "Identifiers a chunk", Harvest.defaultChunkSize),
    strictIds: Flag.Boolean("strict-ids").pipe(
      Flag.withDescription("Refuse identifiers whose check digit does not fit"),
      Flag.withDefault(false)
    ),
    validate: Flag.Literals("validate", ["strict", "warn", "off"]).pipe(
      Flag.withDescription(
        "About a record that is not as the contract says: fail it, pass it on, or do not look"
      ),
      Flag.withDefault("warn" as const)
    ),
    detach: Flag.Boolean("detach").pipe(
      Flag.withDescription(
        "Only record it: chemstream harvest worker does the work, here or on other machines"
      ),
      Flag.withDefault(false)
    ),
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withAlias("q"),
      Flag.withDescription("No progress and no summary"),
      Flag.withDefault(false)
    ),
    ...working,
    database,
    client: clientFlags.flags
  },
  (flags) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(flags)
      const shared = {
        name: flags.name,
        source,
        fetch: harvestFlags.fetchSpec(flags.fetch, flags.projection),
        chunkSize: flags.chunkSize,
        strictIds: flags.strictIds,
        validate: flags.validate
      }
      const begin = Option.isSome(flags.mirror)
        ? Refresh.start({
            ...shared,
            mirror: flags.mirror.value,
            olderThan: Duration.days(flags.olderThan),
            report: Option.getOrUndefined(flags.report)
          })
        : Harvest.start({ ...shared, sink: yield* sinkOf(flags.output, flags.database) })
      const started = yield* begin
      if (!flags.quiet) {
        const how = started.isNew ? "started" : "goes on"
        process.stderr.write(
          `${flags.name} ${how}: ${started.identifiers} identifiers in ${started.chunks} chunks\n`
        )
      }
      if (flags.detach) return
      const status = yield* watch(flags.name, flags.quiet).pipe(Effect.provide(workerLayer(flags)))
      yield* endOf(status)
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
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
        "chemstream harvest start night-1 --input ids.txt --mirror ours --older-than 7 --report changes.ndjson",
      description: "Refresh a mirror, and report what is different"
    }
  ])
)

const worker = Command.make(
  "worker",
  {
    workerName: Flag.String("name").pipe(
      Flag.withDescription("Its name in the status of harvests (host and process when not given)"),
      Flag.optional
    ),
    metricsPort: Flag.Int("metrics-port").pipe(
      Flag.withDescription("Port on which Prometheus reads /metrics; none when not given"),
      Flag.filter(
        (value) => value >= 0 && value <= 65535,
        () => "a port from 0 to 65535"
      ),
      Flag.optional
    ),
    ...working,
    database,
    client: clientFlags.flags
  },
  (flags) =>
    Effect.gen(function* () {
      if (Option.isSome(flags.metricsPort)) {
        const port = yield* serveMetrics(flags.metricsPort.value)
        process.stderr.write(`metrics at http://127.0.0.1:${port}/metrics\n`)
      }
      process.stderr.write("chemstream works (Ctrl-C stops it)\n")
      return yield* Layer.launch(workerLayer(flags, Option.getOrUndefined(flags.workerName)))
    }).pipe(Effect.scoped, harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database, true)))
).pipe(
  Command.withDescription(
    "Work on the harvests of a database, until interrupted; waits up to five minutes for a Postgres that does not answer yet"
  ),
  Command.withExamples([
    {
      command: "chemstream harvest worker --database postgres://harvest@db.example/harvest --rate 10/s",
      description: "One of several, on as many machines; the rate is that of all together"
    }
  ])
)

const status = Command.make(
  "status",
  {
    name,
    watch: Flag.Boolean("watch").pipe(
      Flag.withAlias("w"),
      Flag.withDescription("Keep looking until it has ended: workers, shards, rate and time left"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("One JSON object, for a script"),
      Flag.withDefault(false)
    ),
    database
  },
  (flags) =>
    Effect.gen(function* () {
      if (!flags.watch) {
        const status = yield* Harvest.status(flags.name)
        process.stdout.write(flags.json ? `${JSON.stringify(status)}\n` : harvestView.text(status, columns()))
        return
      }
      let drawn = 0
      yield* looks(flags.name, (status) => {
        if (flags.json) return void process.stdout.write(`${JSON.stringify(status)}\n`)
        const text = harvestView.text(status, columns())
        // Over what was drawn before; where that is no terminal, one after the other.
        process.stdout.write(process.stdout.isTTY && drawn > 0 ? `\u001b[${drawn}A\u001b[J${text}` : text)
        drawn = text.split("\n").length - 1
      })
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("How far a harvest is, who works on it and how long it will take"),
  Command.withExamples([
    { command: "chemstream harvest status mirror --watch", description: "A live view" },
    { command: "chemstream harvest status mirror --json | jq .tally", description: "For a script" }
  ])
)

const list = Command.make("list", { database }, (flags) =>
  Effect.map(Harvest.list, (harvests) => {
    for (const { identifiers, name, reason, source, state } of harvests) {
      process.stdout.write(`${[name, state, identifiers, source, reason ?? ""].join("\t").trimEnd()}\n`)
    }
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("All harvests of a database, the newest first"),
  Command.withExamples([
    { command: "chemstream harvest list", description: "Name, state, identifiers and source of each" }
  ])
)

const changing = <const Name extends string>(
  command: Name,
  description: string,
  example: string,
  change: (name: string) => ReturnType<typeof Harvest.pause>,
  wanted: Harvest.State
) =>
  Command.make(command, { name, database }, (flags) =>
    Effect.gen(function* () {
      const state = yield* change(flags.name)
      process.stderr.write(`${flags.name} is ${state}\n`)
      if (state !== wanted) return yield* failed("")
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `chemstream harvest ${command} mirror`, description: example }])
  )

const pause = changing(
  "pause",
  "Let no chunk begin until resume",
  "From any process; what is under way is ended",
  Harvest.pause,
  "paused"
)
const resume = changing(
  "resume",
  "Go on with a harvest that was paused, or paused itself",
  "After the key was put right, say",
  Harvest.resume,
  "running"
)
const cancel = changing(
  "cancel",
  "End a harvest for ever, with what it has so far",
  "The sink keeps its chunks",
  Harvest.cancel,
  "cancelled"
)

const forget = Command.make("forget", { name, database }, (flags) =>
  Effect.gen(function* () {
    if (!(yield* Harvest.forget(flags.name))) {
      return yield* usage(`${flags.name} has not ended: cancel it first`)
    }
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("Forget a harvest that has ended, and free its name; its sink stays"),
  Command.withExamples([
    { command: "chemstream harvest forget mirror", description: "What it fetched stays" }
  ])
)

export const harvest = commandGroup.make(
  "harvest",
  "Long runs that outlive their process, on one machine or many",
  [
    {
      command: "chemstream harvest start mirror --input ids.txt --output mirror/records.ndjson",
      description: "On this machine"
    }
  ],
  [start, worker, status, list, pause, resume, cancel, forget]
)

const sourceOf = (flags: {
  readonly values: ReadonlyArray<string>
  readonly input: Option.Option<string>
  readonly key: Option.Option<string>
  readonly all: boolean
  readonly search: Option.Option<"contain" | "start-with" | "equal">
  readonly client: clientFlags.Settings
}): Effect.Effect<Source.Source<CommandFailure>, CommandFailure> =>
  Effect.gen(function* () {
    const file = Option.getOrUndefined(flags.input)
    if (flags.all) {
      if (flags.values.length > 0 || file !== undefined)
        return yield* usage("give --all or identifiers, not both")
      return asked(Source.all(), flags.client)
    }
    if (Option.isSome(flags.search)) {
      if (flags.values.length === 0) return yield* usage("--search needs words as arguments")
      const how = flags.search.value === "start-with" ? "startWith" : flags.search.value
      return asked(Source.search(how, flags.values), flags.client)
    }
    const opened = yield* input.open(flags.values, file, {
      given: Option.getOrUndefined(flags.key),
      own: ["dtxsid"]
    })
    if (flags.values.length > 0) return Source.list(flags.values)
    return {
      description: file ?? "standard input",
      isStable: opened.file !== undefined,
      identifiers: opened.identifiers
    }
  })

const sinkOf = (output: Option.Option<string>, database: Option.Option<string>) =>
  Option.match(output, {
    onNone: () => Effect.fail(usage("say where outcomes are kept: --output PATH, or --mirror NAME")),
    onSome: (path) => harvestFlags.sinkOf(path, harvestFlags.named(database))
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

/** Looks at a harvest until it has ended; gives the last look. */
const looks = (
  harvest: string,
  look: (status: Harvest.Status) => void
): Effect.Effect<Harvest.Status, Effect.Error<ReturnType<typeof Harvest.status>>, SqlClient.SqlClient> =>
  Effect.flatMap(Harvest.status(harvest), (status) => {
    look(status)
    return status.state === "finished" || status.state === "cancelled"
      ? Effect.succeed(status)
      : Effect.andThen(
          Effect.sleep(lookEvery),
          Effect.suspend(() => looks(harvest, look))
        )
  })

/** Shows a harvest on standard error until it has ended: a bar on a terminal, and why it is paused where it is. */
const watch = (harvest: string, isQuiet: boolean) =>
  Effect.gen(function* () {
    let told: string | undefined
    const status = yield* looks(harvest, (status) => {
      if (isQuiet) return
      if (process.stderr.isTTY) return Bar.draw(harvestView.line(status, Bar.columns()))
      if (status.reason !== told && status.reason !== undefined) {
        process.stderr.write(`chemstream: ${harvest} ${status.state}: ${status.reason}\n`)
      }
      told = status.reason
    })
    if (!isQuiet && process.stderr.isTTY) Bar.end()
    if (!isQuiet) process.stderr.write(harvestView.text(status, columns()))
    return status
  })

const endOf = (status: Harvest.Status): Effect.Effect<void, CommandFailure> => {
  if (status.state === "cancelled") return Effect.fail(failed(`${status.name} was cancelled`))
  return status.tally.failed > 0 ? Effect.fail(incomplete) : Effect.void
}

const columns = (): number => process.stdout.columns || 80

/** Serves what is counted on this machine's own address; gives the port. */
const serveMetrics = (port: number): Effect.Effect<number, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<never>()
    const server = createServer((request, response) => {
      if (request.url !== "/metrics") return response.writeHead(404).end()
      response
        .writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
        .end(PrometheusMetrics.formatUnsafe(services))
      return
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
    return yield* Effect.tryPromise({
      try: () =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject)
          server.listen(port, "127.0.0.1", () => {
            const address = server.address()
            resolve(typeof address === "object" && address !== null ? address.port : port)
          })
        }),
      catch: (cause) => failed(`cannot serve metrics: ${reasonOf(cause)}`)
    })
  })
