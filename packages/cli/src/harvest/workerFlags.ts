/**
 * The options of commands that fetch chunks. `runWorker.ts` starts their worker.
 */
import { Database, Worker } from "@chemstream/workflow"
import type { Command } from "effect/cli"
import * as clientFlags from "../flags/clientFlags.ts"
import { defaultWhole, optional } from "../flags/flagTypes.ts"
import * as TimeFlag from "../flags/timeFlag.ts"

/** The options of a worker. */
export const flags = {
  concurrency: defaultWhole("concurrency", 1, "Chunks fetched at the same time", Worker.defaultConcurrency),
  lease: TimeFlag.make(
    "lease",
    "The time after which an unresponsive worker of another machine loses its shards; the same for all workers of a database [default: that of the running workers, else 15s]",
    2000
  ).pipe(optional),
  connections: defaultWhole(
    "connections",
    1,
    "Most connections of this worker to a Postgres, for harvests and their tables",
    Database.defaultConnections
  ),
  wait: TimeFlag.make(
    "wait",
    "How long to wait for an unavailable service before the harvests are paused [default: no limit]"
  ).pipe(optional),
  client: clientFlags.flags
}

/** The parsed options of a worker. */
export type Flags = Command.Command.Config.Infer<typeof flags>
