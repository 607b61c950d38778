/**
 * The options that harvest commands share: the database, the sink and the lookups.
 */
import { existsSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { type DetailProjection, type Key, Quote, type Row, Rows } from "@chemstream/api"
import type { InvalidOption } from "@chemstream/client"
import { Lookup } from "@chemstream/stream"
import { Database, Fetch, type Harvest, type Sink, Sinks, TableTarget } from "@chemstream/workflow"
import { Effect, Layer, Option, Redacted, Result, Schedule } from "effect"
import { Argument, Flag } from "effect/cli"
import { SqlClient, type SqlError } from "effect/sql"
import { CommandFailure, exitCodes, runFailure, usageFailure } from "../CommandFailure.ts"
import { optionalText } from "../flags/optionalFlags.ts"
import { listed } from "../help/nearest.ts"
import * as RunFiles from "../output/runFiles.ts"
import type { RowList } from "../rows/rowCommands.ts"
import * as RowCommands from "../rows/rowCommands.ts"
import { databaseVariable } from "../settings/variables.ts"
import * as Messages from "../terminal/messages.ts"
import * as suggestedCommands from "./suggestedCommands.ts"

/** The default database, in the current folder. */
const defaultDatabase = "chemstream-harvests.db"

export const database = optionalText(
  "database",
  "FILE|URL",
  `SQLite file, or postgres://… for workers on several machines [default: ${defaultDatabase}]`,
  "d"
)

export const name = Argument.String("NAME").pipe(
  Argument.withDescription("The name of the harvest"),
  Argument.filter(
    (text) => text.trim() !== "",
    () => "a name"
  )
)

/** Returns the database of the flag, else of the environment, else the default one. */
export const databaseOf = (flag: Option.Option<string>): string =>
  Option.getOrElse(flag, () => process.env[databaseVariable] ?? defaultDatabase)

/** Returns the files of the database, for `RunFiles.check`. */
export const files = (flag: Option.Option<string>, option = "--database"): ReadonlyArray<RunFiles.Use> => {
  const isOfVariable = Option.isNone(flag) && process.env[databaseVariable] !== undefined
  return RunFiles.harvests(isOfVariable ? databaseVariable : option, databaseOf(flag))
}

/** Opens the database. With `waits`, retries for up to five minutes while Postgres does not respond. */
export const layer = (
  flag: Option.Option<string>,
  {
    connections,
    lease = Option.none(),
    mustExist = false,
    option = "--database",
    output = Option.none(),
    waits = false
  }: {
    /** The largest number of connections to a Postgres. */
    readonly connections?: number | undefined
    /** The lease of a worker in milliseconds. A statement may take two thirds of it. */
    readonly lease?: Option.Option<number>
    /** Whether to fail for a missing file instead of creating it. */
    readonly mustExist?: boolean
    readonly option?: string
    /** The `--output` of the harvest. The address of a database may contain a password. */
    readonly output?: Option.Option<string>
    readonly waits?: boolean
  } = {}
): Layer.Layer<SqlClient.SqlClient, CommandFailure> => {
  const where = databaseOf(flag)
  const postgres = Database.layerPostgres({
    url: Redacted.make(where),
    connections,
    silence: Option.getOrUndefined(Option.map(lease, (time) => (time * 2) / 3))
  })
  const client = RunFiles.isPostgres(where)
    ? waits
      ? withRetries(postgres)
      : postgres
    : Database.layerSqlite(where)
  const isMissing = mustExist && !RunFiles.isPostgres(where) && !existsSync(where)
  const checked = isMissing
    ? Layer.effect(SqlClient.SqlClient, Effect.fail(missingFile(where)))
    : Layer.unwrap(Effect.as(RunFiles.check({ outputs: files(flag, option) }), client))
  return Layer.catchTag(checked, "SqlError", (error) =>
    Layer.effect(SqlClient.SqlClient, Effect.fail(databaseFailure(where, option, error)))
  ).pipe(
    Layer.merge(
      Layer.succeed(
        Sinks.Addresses,
        [...Option.toArray(output), where].map((one) => Redacted.make(one))
      )
    )
  )
}

/** Retries until the database responds. After a power cut, the workers may start before the database. */
const withRetries = <A>(client: Layer.Layer<A, SqlError.SqlError>): Layer.Layer<A, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.suspend(() => {
      let isReported = false
      return Layer.build(Layer.fresh(client)).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (isReported || !Database.isUnavailable(error)) return
            isReported = true
            Messages.say(`chemstream: ${Database.explain(error)}. Waiting at most five minutes\n`)
          })
        ),
        Effect.retry({ schedule: retrySchedule, while: Database.isUnavailable })
      )
    })
  )

const retrySchedule = Schedule.spaced("1 second").pipe(Schedule.while(({ elapsed }) => elapsed < 300_000))

const missingFile = (file: string): CommandFailure =>
  usageFailure(
    `there is no database of harvests ${file}. Name the file of your harvests with --database FILE, or start one: chemstream harvest start --help`
  )

const databaseFailure = (where: string, option: string, error: SqlError.SqlError): CommandFailure => {
  // The address may contain a password.
  const place = RunFiles.isPostgres(where)
    ? `the Postgres at ${Database.hostOf(where) ?? "an unreadable address"}`
    : where
  return new CommandFailure({
    exitCode: RunFiles.isPostgres(where) && Database.isUnavailable(error) ? exitCodes.stuck : exitCodes.usage,
    message: `cannot use ${place} (${option}): ${Database.explain(error)}`
  })
}

/** The errors of harvest commands. */
type HarvestFailure =
  | CommandFailure
  | Sink.SinkError
  | Harvest.UnknownHarvest
  | Harvest.StartError
  | InvalidOption.InvalidOption

/** Turns an error of a harvest into the failure of the command. */
export const withCommandFailures = <A, R>(
  effect: Effect.Effect<A, HarvestFailure, R>
): Effect.Effect<A, CommandFailure, R> =>
  Effect.mapError(effect, (error) => {
    switch (error._tag) {
      case "CommandFailure":
        return error
      case "SqlError":
        return runFailure(Database.explain(error))
      case "SinkError":
        return runFailure(error.message)
      case "ServiceMismatch":
        return usageFailure(`${error.message} (--database)`)
      default:
        return usageFailure(error.message)
    }
  })

/** Runs a command on the harvests of an existing database. A missing file is not created. */
export const withExisting =
  (flag: Option.Option<string>) =>
  <A, E extends HarvestFailure, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.mapError((error) =>
        error._tag === "UnknownHarvest" ? unknownHarvest(error.name, flag) : error
      ),
      withCommandFailures,
      Effect.provide(layer(flag, { mustExist: true }))
    )

const unknownHarvest = (name: string, flag: Option.Option<string>): CommandFailure => {
  const where = databaseOf(flag)
  const place = RunFiles.isPostgres(where) ? "this database" : where
  const list = suggestedCommands.commands(name, flag)("list")
  return usageFailure(`there is no harvest ${Quote.value(name)} in ${place}. To see the names: ${list}`)
}

/** A lookup to fetch. */
export interface Fetched {
  /** Its name, as it is given. */
  readonly given: string
  readonly spec: Fetch.LookupSpec | { readonly own: string }
  readonly key: Key.Key
}

const ofContract = (given: string, name: Lookup.Name): Fetched => ({
  given,
  spec: { lookup: name } as Fetch.LookupSpec,
  key: Lookup.keyOf(name)
})

/** Whether a row is one of the contract. A harvest names the others as lookups of the program. */
const isOfContract = (row: Row.Row): boolean => Rows.all.some((one) => one === row)

/** Returns the lookup of a name: the words of its command, or the name of the lookup. */
export const fetchedOf = (
  text: string,
  lookups: ReadonlyMap<string, Row.Row>,
  rows: RowList | undefined
): Fetched | undefined => {
  const given = text.replace(/[\s-]+/g, "-")
  const row =
    lookups.get(given) ??
    [...lookups.values()].find(({ name }) => name === given) ??
    RowCommands.ofLine(text, rows)
  if (row !== undefined && !(RowCommands.isLookup(row) && RowCommands.isComplete(row.query))) return undefined
  if (row !== undefined && !isOfContract(row))
    return { given, spec: { own: row.name }, key: RowCommands.keyOf(row) }
  const name = Lookup.names.find((one) => one === (row?.name ?? given))
  return name === undefined || !RowCommands.isComplete(Lookup.optionFields(name))
    ? undefined
    : ofContract(given, name)
}

/** Returns the option of the lookups to fetch, of these rows. */
export const fetch = (rows?: RowList) => {
  const lookups = new Map(
    [...RowCommands.lookups(rows)].filter(([, { query }]) => RowCommands.isComplete(query))
  )
  const names = [...lookups.keys()]
  const parse = (text: string): Option.Option<ReadonlyArray<Fetched>> => {
    // The form of the command is accepted, too: bioactivity data --by aeid.
    const parts = text.split(",").map((part) => part.trim())
    const fetched = parts.flatMap((part) => fetchedOf(part, lookups, rows) ?? [])
    const isUsable =
      fetched.length === parts.length &&
      new Set(fetched.map(({ given }) => given)).size === parts.length &&
      // Lookups of the program are not joined.
      (parts.length === 1 || fetched.every(({ spec }) => "lookup" in spec))
    return isUsable ? Option.some(fetched) : Option.none()
  }
  return Flag.String("fetch").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription(
      `Records to fetch, by the names of their commands: ${listed(names)}; several are joined into one record; also a lookup by its name, e.g. details.byDtxsid [default: details]`
    ),
    Flag.filterMap(
      parse,
      (text) => `names separated by commas, each once: ${listed(names, text.split(",").at(-1))}`
    ),
    Flag.withDefault([ofContract("details", "details.byDtxsid")] as ReadonlyArray<Fetched>)
  )
}

/** Provides the lookups of the rows that the contract does not have. */
export const layerLookups = (rows: RowList = []): Layer.Layer<never> =>
  Fetch.layerLookups(
    Object.fromEntries(
      [...RowCommands.lookups(rows).values()]
        .filter((row) => !isOfContract(row) && RowCommands.isComplete(row.query))
        .map((row) => [row.name, Lookup.of(row)])
    )
  )

/** The fields of a JSON object with the value of the lookups. */
export const fieldsOf = (fetched: ReadonlyArray<Fetched>): ReadonlyArray<string> => [
  ...new Set(fetched.map(({ key: { field, name } }) => field ?? name))
]

/** The lookups of the flags, with the projection of details if one is given. */
export const fetchSpec = (
  fetched: ReadonlyArray<Fetched>,
  projection: Option.Option<DetailProjection.DetailProjection>
): Effect.Effect<Fetch.Spec, CommandFailure> => {
  const isOfDetails = ({ spec }: Fetched): boolean => "lookup" in spec && spec.lookup.startsWith("details.")
  if (Option.isSome(projection) && !fetched.some(isOfDetails)) {
    return Effect.fail(
      usageFailure(
        `--projection ${projection.value} belongs to details and cannot be used with --fetch ${fetched.map(({ given }) => given).join(",")}`
      )
    )
  }
  const one = (part: Fetched): Fetched["spec"] =>
    isOfDetails(part) && Option.isSome(projection)
      ? ({ ...part.spec, projection: projection.value } as Fetch.LookupSpec)
      : part.spec
  const [only, ...others] = fetched
  return Effect.succeed(
    only !== undefined && others.length === 0
      ? one(only)
      : {
          enrich: Object.fromEntries(fetched.map((part) => [part.given, one(part) as Fetch.LookupSpec]))
        }
  )
}

export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("PATH"),
  Flag.withDescription(
    "Output: FOLDER for parts, FOLDER/records.ndjson (.zst, .csv, .parquet …) for one file at the end, FILE.sqlite#TABLE or postgres://…#TABLE for tables, #TABLE for tables in the Postgres of --database"
  )
)

/** Returns the sink of a path. `#TABLE` is a table in the Postgres of `database`. */
export const sinkOf = (path: string, database: string): Effect.Effect<Sink.Spec, CommandFailure> => {
  if (path.startsWith("#") && !RunFiles.isPostgres(database))
    return Effect.fail(usageFailure(`--output ${path} needs --database postgres://…`))
  const target = path.startsWith("#") ? `${database}${path}` : path
  if (TableTarget.isTarget(target)) {
    return Result.match(TableTarget.parse(target), {
      onSuccess: () => Effect.succeed<Sink.Spec>({ _tag: "Table", target }),
      onFailure: ({ message }) => Effect.fail(usageFailure(`--output: ${message}`))
    })
  }
  const file = basename(path)
  return Effect.succeed(
    extname(file) === "" ? { _tag: "Folder", folder: path } : { _tag: "Folder", folder: dirname(path), file }
  )
}

/** The files that a sink writes: those of a database, or every file that workers may write into a folder. */
export const sinkFiles = (path: string): ReadonlyArray<RunFiles.Use> => {
  const option = "--output"
  if (path.startsWith("#")) return []
  if (TableTarget.isTarget(path)) return RunFiles.tables(option, path)
  const isFolder = extname(path) === ""
  const folder = isFolder ? path : dirname(path)
  return [
    {
      option,
      file: folder,
      endings: ["harvest", "manifest", "chunks"].map((name) => `/${name}.json`).concat("/problems.ndjson"),
      beginnings: [`${folder}/parts/`, `${folder}/.writing-`]
    },
    ...(isFolder ? [] : [{ option, file: path }])
  ]
}

/** The file of `--report`. It is written under a hidden name in the same folder, and then renamed. */
export const reportFiles = (report: Option.Option<string>): ReadonlyArray<RunFiles.Use> =>
  Option.toArray(report).map((file) => ({
    option: "--report",
    file,
    beginnings: [join(dirname(file), `.writing-${basename(file)}-`)]
  }))
