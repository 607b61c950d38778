/**
 * Measures operations of harvests on one machine: the time until another worker has the shards of a killed one, and the status of a harvest
 * beside many finished ones.
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database, Harvest, Source } from "@chemstream/workflow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as child from "./child.ts"
import { log } from "./log.ts"
import { withRecordsService } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { timed } from "./rounds.ts"
import { median, short } from "./statistics.ts"
import type { Options } from "./workflowProcess.ts"

const rounds = 5

/** The number of finished harvests, and of chunks in each. */
const finished = 1000
const chunks = 20

/** Runs with a new SQLite file. */
const inFile = async <A>(
  use: (file: string, run: <B, E>(body: Effect.Effect<B, E, SqlClient.SqlClient>) => Promise<B>) => Promise<A>
): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-bench-"))
  const file = join(folder, "harvests.db")
  try {
    return await use(file, (body) => Effect.runPromise(Effect.provide(body, Database.layerSqlite(file))))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const kill = async (worker: ChildProcess): Promise<void> => {
  worker.kill("SIGKILL")
  await once(worker, "exit")
}

/** Waits until this many workers own all shards of the cluster. */
const allShardsOwned = (workers: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const rows = yield* sql<{ address: string; n: number }>`
        SELECT address, count(*) AS n FROM chemstream_leases WHERE address <> '' GROUP BY address`
      if (rows.length === workers && rows.reduce((sum, { n }) => sum + n, 0) === 64) return
      yield* Effect.sleep("5 millis")
    }
  })

/** Measures the seconds until another process has the shards of a killed worker. */
export const takeovers = (): Promise<Figures> =>
  withRecordsService({ records: "small", latency: 0 }, (url) =>
    inFile(async (database, run) => {
      log(`a worker is killed, ${rounds} times`)
      const options: Options = { url, database, concurrency: 4 }
      const begin = async () => (await child.start<string>("./workflowProcess.ts", options)).child
      const first: Array<number> = []
      const again: Array<number> = []
      const beside: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        const started = async (): Promise<ChildProcess> => {
          const worker = await begin()
          await run(allShardsOwned(1))
          return worker
        }
        let worker: ChildProcess | undefined
        first.push(await timed(async () => (worker = await started())))
        await kill(worker as ChildProcess)
        again.push(await timed(async () => (worker = await started())))
        const other = await begin()
        // After the engine has taken shards, it takes no more for a second.
        await run(Effect.andThen(allShardsOwned(2), Effect.sleep("2 seconds")))
        await kill(worker as ChildProcess)
        beside.push(await timed(() => run(allShardsOwned(1))))
        await child.stop(other)
      }
      return {
        "time until a started worker has all shards (s)": short(median(first)),
        "time until a restarted worker has all shards (s)": short(median(again)),
        "time until another worker has the shards of a killed one (s)": short(median(beside))
      }
    })
  )

/** Measures the status of a harvest in milliseconds, alone and beside many finished ones. */
export const manyHarvests = (): Promise<Figures> =>
  inFile(async (_, run) => {
    log(`the status of a harvest beside ${finished} others`)
    const figures = await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ids = Array.from({ length: chunks }, (_, n) => `DTXSID${n}`)
        yield* Harvest.start({
          name: "open",
          source: Source.list(ids),
          fetch: { lookup: "Details.byDtxsid" },
          sink: { _tag: "Folder", folder: "open" },
          chunkSize: 1
        })
        const many = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${finished})`
        const measured = Effect.promise(async () => {
          const times: Array<number> = []
          for (let n = 0; n < 50; n++) times.push(await timed(() => run(Harvest.status("open"))))
          return median(times) * 1000
        })
        const alone = yield* measured
        yield* sql`
          INSERT INTO chemstream_harvests
            (name, id, state, spec, description, digest, chunks, identifiers, started_at, ended_at)
          ${many} SELECT 'h' || i, 'h' || i, 'finished', spec, description, digest, chunks, identifiers, started_at, 1
          FROM chemstream_harvests, n`
        yield* sql`
          INSERT INTO chemstream_progress
          SELECT h.id, c.idx, 'w', 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 100, 1, 1
          FROM chemstream_harvests h, chemstream_chunks c WHERE h.state = 'finished'`
        return { alone, beside: yield* measured }
      })
    )
    return {
      "status of a harvest alone (ms)": short(figures.alone),
      "status of a harvest beside 1,000 finished ones (ms)": short(figures.beside)
    }
  })
