/**
 * What the commands that work on harvests share: how much they do at once, and the worker that does it.
 */
import { type Harvest, SharedRate, Worker } from "@chemstream/workflow"
import { Duration, type FileSystem, Layer, type Path } from "effect"
import { Flag } from "effect/cli"
import type { SqlClient, SqlError } from "effect/sql"
import type { CommandFailure } from "./CommandFailure.ts"
import * as clientFlags from "./clientFlags.ts"
import { wholeFrom1 } from "./numberFlags.ts"

/** The options of a worker. */
export const flags = {
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
  ),
  client: clientFlags.flags
}

/** A worker of the flags, and the database it works on. */
export const layer = (
  flags: { readonly concurrency: number; readonly lease: number; readonly client: clientFlags.Settings },
  workerName?: string
): Layer.Layer<
  never,
  CommandFailure | Harvest.OtherService | SqlError.SqlError,
  FileSystem.FileSystem | Path.Path | SqlClient.SqlClient
> =>
  Worker.layer({
    name: workerName,
    concurrency: flags.concurrency,
    lease: Duration.seconds(flags.lease)
  }).pipe(Layer.provide(clientFlags.layer(flags.client).pipe(Layer.provide(SharedRate.layer))))
