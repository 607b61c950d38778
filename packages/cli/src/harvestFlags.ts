/**
 * What the commands about harvests share: the database they are in, and how a sink and what is asked for are written on
 * the command line.
 */
import { basename, dirname, extname } from "node:path"
import { Database, type Fetch, type Harvest, type Sink } from "@chemstream/workflow"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { Argument, Flag } from "effect/cli"
import { SqlClient, type SqlError } from "effect/sql"
import { type CommandFailure, failed, usage } from "./CommandFailure.ts"

/** The environment variable that says which database harvests are in. */
export const databaseVariable = "CHEMSTREAM_HARVESTS"

/** The database when nothing else is said, in the current folder. */
const defaultDatabase = "chemstream-harvests.db"

export const database = Flag.String("database").pipe(
  Flag.withAlias("d"),
  Flag.withMetavar("FILE|URL"),
  Flag.withDescription(
    `SQLite file, or postgres://… for workers on several machines (else ${databaseVariable}, which others cannot see, else ${defaultDatabase})`
  ),
  Flag.optional
)

export const name = Argument.String("NAME").pipe(
  Argument.withDescription("The name of the harvest"),
  Argument.filter(
    (text) => text.trim() !== "",
    () => "a name"
  )
)

/** The database of a flag. */
export const named = (flag: Option.Option<string>): string =>
  Option.getOrElse(flag, () => process.env[databaseVariable] ?? defaultDatabase)

/** Whether it is a Postgres. */
const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)

/** The database. A Postgres that cannot be reached is waited for where `waits` says so, for a while. */
export const layer = (
  flag: Option.Option<string>,
  waits = false
): Layer.Layer<SqlClient.SqlClient, CommandFailure> => {
  const where = named(flag)
  const postgres = Layer.unwrap(
    // On demand: a harvest in a file needs none.
    Effect.map(
      Effect.promise(() => import("@effect/sql-pg/PgClient")),
      (PgClient) =>
        Database.withTables(PgClient.layer({ url: Redacted.make(where), applicationName: "chemstream" }))
    )
  )
  const client = isPostgres(where) ? (waits ? awaited(postgres) : postgres) : Database.layerSqlite(where)
  return Layer.catchTag(client, "SqlError", (error) =>
    Layer.effect(SqlClient.SqlClient, Effect.fail(unusable(where, error)))
  )
}

/** The database once it answers: after a power cut the machine of the workers may be up before that of the database. */
const awaited = <A>(client: Layer.Layer<A, SqlError.SqlError>): Layer.Layer<A, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.suspend(() => {
      let isSaid = false
      return Layer.build(Layer.fresh(client)).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (isSaid || !isAway(error)) return
            isSaid = true
            process.stderr.write(
              `chemstream: the Postgres of the harvests does not answer (${error.message}): waiting for it, five minutes at most\n`
            )
          })
        ),
        Effect.retry({ schedule: patience, while: isAway })
      )
    })
  )

const patience = Schedule.spaced("1 second").pipe(Schedule.while(({ elapsed }) => elapsed < 300_000))

/** Nobody is there, or it has only begun to start; not that it refuses us. */
const isAway = (error: SqlError.SqlError): boolean =>
  error.isRetryable || error.reason._tag === "UnknownError"

const unusable = (where: string, error: SqlError.SqlError): CommandFailure => {
  // The address may hold a password.
  const place = isPostgres(where) ? "the Postgres of the harvests" : where
  return usage(`cannot use ${place}: ${error.message}`)
}

/** What a command about harvests fails with, as the end of the command. */
export const ended = <A, R>(
  effect: Effect.Effect<
    A,
    CommandFailure | Harvest.UnknownHarvest | Harvest.OtherHarvest | SqlError.SqlError,
    R
  >
): Effect.Effect<A, CommandFailure, R> =>
  Effect.mapError(effect, (error) => {
    switch (error._tag) {
      case "CommandFailure":
        return error
      case "SqlError":
        return failed(`the database of the harvests: ${error.message}`)
      default:
        return usage(error.message)
    }
  })

/** The questions by what they are called on the command line. */
const questions = {
  details: { lookup: "Details.byDtxsid" },
  "details-by-dtxcid": { lookup: "Details.byDtxcid" },
  synonyms: { lookup: "Synonyms.byDtxsid" },
  bioactivity: { lookup: "Bioactivity.byDtxsid" },
  "bioactivity-by-aeid": { lookup: "Bioactivity.byAeid" },
  "bioactivity-by-spid": { lookup: "Bioactivity.bySpid" },
  "bioactivity-by-m4id": { lookup: "Bioactivity.byM4id" },
  summary: { lookup: "Bioactivity.summaryByDtxsid" },
  "summary-by-aeid": { lookup: "Bioactivity.summaryByAeid" },
  aed: { lookup: "Bioactivity.aed" },
  search: { lookup: "Search.equal" },
  formula: { lookup: "Search.byExactFormula" },
  "msready-formula": { lookup: "MsReady.byFormula" },
  "msready-mass": { lookup: "MsReady.byMass" },
  msready: { lookup: "MsReady.byDtxcid" }
} as const satisfies Record<string, Fetch.Question>

/** What can be asked for. */
export const questionNames = Object.keys(questions) as ReadonlyArray<keyof typeof questions>

const fetchOf = (text: string): Option.Option<ReadonlyArray<keyof typeof questions>> => {
  const names = text.split(",").map((part) => part.trim())
  return names.every((part) => part in questions) && new Set(names).size === names.length
    ? Option.some(names as ReadonlyArray<keyof typeof questions>)
    : Option.none()
}

export const fetch = Flag.String("fetch").pipe(
  Flag.withMetavar("A,B"),
  Flag.withDescription(
    `What is asked for: ${questionNames.join(", ")}; several become one record (details when not given)`
  ),
  Flag.filterMap(fetchOf, () => `names with commas between them, each once: ${questionNames.join(", ")}`),
  Flag.withDefault(["details"] as ReadonlyArray<keyof typeof questions>)
)

/** What is asked for, with the projection of details where one was given. */
export const fetchSpec = (
  names: ReadonlyArray<keyof typeof questions>,
  projection: Option.Option<
    NonNullable<Extract<Fetch.Question, { lookup: "Details.byDtxsid" | "Details.byDtxcid" }>["projection"]>
  >
): Fetch.Spec => {
  const one = (part: keyof typeof questions): Fetch.Question => {
    const question = questions[part]
    const isDetails = question.lookup === "Details.byDtxsid" || question.lookup === "Details.byDtxcid"
    return isDetails && Option.isSome(projection) ? { ...question, projection: projection.value } : question
  }
  const [only, ...others] = names
  if (only !== undefined && others.length === 0) return one(only)
  return { enrich: Object.fromEntries(names.map((part) => [part, one(part)])) }
}

export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("PATH"),
  Flag.withDescription(
    "Where outcomes are kept: FOLDER for parts, FOLDER/records.ndjson (.zst, .csv, .parquet …) for one file at the end, FILE.sqlite for tables, postgres for tables in the database of the harvests"
  )
)

/** The sink that a path names. */
export const sinkOf = (path: string, database: string): Effect.Effect<Sink.Spec, CommandFailure> => {
  if (path === "postgres") {
    return isPostgres(database)
      ? Effect.succeed({ _tag: "Postgres" })
      : Effect.fail(usage("--output postgres needs --database postgres://…"))
  }
  const file = basename(path)
  if (/\.(sqlite3?|db)$/.test(file)) {
    return path === database
      ? Effect.fail(usage(`--output ${path} is the database of the harvests: name another file`))
      : Effect.succeed({ _tag: "Sqlite", file: path })
  }
  return Effect.succeed(
    extname(file) === "" ? { _tag: "Folder", folder: path } : { _tag: "Folder", folder: dirname(path), file }
  )
}
