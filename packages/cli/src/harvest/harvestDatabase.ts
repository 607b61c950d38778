/**
 * The database of harvests: its option, its files, how a command opens it, and the failures of commands that use it.
 */
import { existsSync } from "node:fs"
import { Quote } from "@chemstream/api"
import type { InvalidOption } from "@chemstream/client"
import { Database, type Harvest, type Sink, Sinks } from "@chemstream/workflow"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { CommandFailure, exitCodes, runFailure, usageFailure } from "../CommandFailure.ts"
import { optionalText } from "../flags/flagTypes.ts"
import * as FileCheck from "../output/fileCheck.ts"
import { databaseVariable } from "../settings/environmentVariables.ts"
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

/** Returns the database of the flag, else of the environment, else the default one. */
export const databaseOf = (flag: string | undefined): string =>
  flag ?? process.env[databaseVariable] ?? defaultDatabase

/** Returns the files of the database, for `FileCheck.check`. */
export const files = (flag: string | undefined, option = "--database"): ReadonlyArray<FileCheck.Use> => {
  const isOfVariable = flag === undefined && process.env[databaseVariable] !== undefined
  return FileCheck.harvests(isOfVariable ? databaseVariable : option, databaseOf(flag))
}

/** Opens the database. With `waits`, retries for up to five minutes while Postgres does not respond. */
export const layer = (
  flag: string | undefined,
  {
    connections,
    lease,
    mustExist = false,
    option = "--database",
    output,
    waits = false
  }: {
    /** The largest number of connections to a Postgres. */
    readonly connections?: number | undefined
    /** The lease of a worker in milliseconds. A statement may take two thirds of it. */
    readonly lease?: number | undefined
    /** Whether to fail for a missing file instead of creating it. */
    readonly mustExist?: boolean
    readonly option?: string
    /** The `--output` of the harvest. The address of a database may contain a password. */
    readonly output?: string | undefined
    readonly waits?: boolean
  } = {}
): Layer.Layer<SqlClient.SqlClient, CommandFailure> => {
  const where = databaseOf(flag)
  const postgres = Database.layerPostgres({
    url: Redacted.make(where),
    connections,
    silence: lease && (lease * 2) / 3
  })
  const client = FileCheck.isPostgres(where)
    ? waits
      ? withRetries(postgres)
      : postgres
    : Database.layerSqlite(where)
  const isMissing = mustExist && !FileCheck.isPostgres(where) && !existsSync(where)
  const checked = isMissing
    ? Layer.effect(SqlClient.SqlClient, Effect.fail(missingFile(where)))
    : Layer.unwrap(Effect.as(FileCheck.check({ outputs: files(flag, option) }), client))
  return Layer.catchTag(checked, "SqlError", (error) =>
    Layer.effect(SqlClient.SqlClient, Effect.fail(databaseFailure(where, option, error)))
  ).pipe(
    Layer.merge(
      Layer.succeed(
        Sinks.Addresses,
        [...(output === undefined ? [] : [output]), where].map((one) => Redacted.make(one))
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
  const place = FileCheck.isPostgres(where)
    ? `the Postgres at ${Database.hostOf(where) ?? "an unreadable address"}`
    : where
  return new CommandFailure({
    exitCode:
      FileCheck.isPostgres(where) && Database.isUnavailable(error) ? exitCodes.stuck : exitCodes.usage,
    message: `cannot use ${place} (${option}): ${Database.explain(error)}`
  })
}

/** The errors of harvest commands. */
export type HarvestFailure =
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
  (flag: string | undefined) =>
  <A, E extends HarvestFailure, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.mapError((error) =>
        error._tag === "UnknownHarvest" ? unknownHarvest(error.name, flag) : error
      ),
      withCommandFailures,
      Effect.provide(layer(flag, { mustExist: true }))
    )

const unknownHarvest = (name: string, flag: string | undefined): CommandFailure => {
  const where = databaseOf(flag)
  const place = FileCheck.isPostgres(where) ? "this database" : where
  const list = suggestedCommands.commands(name, flag)("list")
  return usageFailure(`there is no harvest ${Quote.value(name)} in ${place}. To see the names: ${list}`)
}
