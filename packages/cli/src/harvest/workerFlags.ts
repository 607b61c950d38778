/**
 * The options of commands that fetch chunks, and the worker that they start.
 */
import { Database, type Harvest, SharedRate, Worker } from "@chemstream/workflow"
import { Duration, Effect, type FileSystem, Layer, Option, type Path } from "effect"
import { Flag } from "effect/cli"
import type { SqlClient, SqlError } from "effect/sql"
import { type CommandFailure, runFailure, settingFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import { wholeFrom1 } from "../flags/numberFlags.ts"
import * as TimeFlag from "../flags/timeFlag.ts"

/** The options of a worker. */
export const flags = {
  concurrency: wholeFrom1("concurrency", "Chunks fetched at the same time", Worker.defaultConcurrency),
  lease: TimeFlag.withDefault(
    "lease",
    "The time after which an unresponsive worker of another machine loses its shards; the same for all workers of a database",
    { least: 2000, otherwise: Duration.toMillis(Duration.fromInputUnsafe(Worker.defaultLease)) }
  ),
  connections: wholeFrom1(
    "connections",
    "Most connections of this worker to a Postgres, for harvests and their tables",
    Database.defaultConnections
  ),
  wait: TimeFlag.make(
    "wait",
    "How long to wait for an unavailable service before the harvests are paused [default: no limit]"
  ).pipe(Flag.optional),
  client: clientFlags.flags
}

/** The parsed options of a worker. */
interface Flags {
  readonly concurrency: number
  readonly lease: number
  readonly wait: Option.Option<number>
  readonly client: clientFlags.Settings
}

/** Runs a worker until `work` finishes. Fails if the worker fails; the worker then gives back its shards. */
export const during = <A, E, R>(
  flags: Flags,
  work: Effect.Effect<A, E, R>,
  workerName?: string
): Effect.Effect<
  A,
  E | CommandFailure | Harvest.ServiceMismatch | SqlError.SqlError,
  R | FileSystem.FileSystem | Path.Path | SqlClient.SqlClient
> =>
  Effect.flatMap(Worker.Worker, ({ failure }) =>
    Effect.raceFirst(
      work,
      Effect.mapError(failure, ({ message }) =>
        runFailure(`${message}. Its shards went to the other workers`)
      )
    )
  ).pipe(
    Effect.provide(
      Worker.layer({
        name: workerName,
        concurrency: flags.concurrency,
        lease: flags.lease,
        wait: Option.getOrUndefined(flags.wait)
      }).pipe(
        Layer.catchTag("InvalidOption", (error) =>
          Layer.effect(Worker.Worker, Effect.fail(settingFailure(error)))
        ),
        Layer.provide(clientFlags.layer(flags.client).pipe(Layer.provide(SharedRate.layer)))
      )
    )
  )
