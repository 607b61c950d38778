/**
 * Measures the cost of durability: a harvest against a stream in one process, and four workers that share a Postgres against one. It also
 * measures the size of a chunk in Postgres, and computes the cost of a hundred million identifiers. Ratios are medians of alternating
 * rounds in one run.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm, truncate } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Database, Harvest, Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../packages/workflow/test/postgres.ts"
import * as child from "./child.ts"
import { dtxsids } from "./identifiers.ts"
import { command } from "./job.ts"
import { log } from "./log.ts"
import { withRecordsService } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import type { Ready } from "./serviceProcess.ts"
import { median, quotients, short } from "./statistics.ts"
import { identifiers } from "./words.ts"
import { manyHarvests, takeovers } from "./workflowOperation.ts"
import type { Options } from "./workflowProcess.ts"
import { durable, name, plain, type Run, start } from "./workflowRun.ts"

const rounds = 5

/** The number of identifiers for which the cost is computed. */
const computedCount = 100_000_000

/** Runs the benchmark, and reports its progress on standard error. */
export const measureWorkflow = async (): Promise<Figures> => ({
  ...(await overhead("full")),
  ...(await overhead("small")),
  ...(await besideService()),
  ...(await workers()),
  ...(await takeovers()),
  ...(await manyHarvests())
})

const overhead = (records: "full" | "small"): Promise<Figures> =>
  withRecordsService({ records, latency: 0 }, (url) =>
    compare(records, { url, count: 200_000, chunk: 1000, concurrency: 4, ids: dtxsids })
  )

/** Measures with the service of this project on the same machine, which shares the processors. */
const besideService = async (): Promise<Figures> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-bench-"))
  const count = 60_000
  const database = join(folder, "service.sqlite")
  try {
    log(`${count} substances for the service`)
    const options = ["--count", String(count), "--seed", "1", "--database", database, "--quiet"]
    await promisify(execFile)(process.execPath, [command, "generate", ...options])
    const { child: service, first } = await child.start<Ready>("./serviceProcess.ts", {
      database,
      key: "benchmark"
    })
    try {
      const ids = (n: number) => identifiers(n, count, 1)
      return await compare("full (chemstream serve)", {
        url: first.url,
        count,
        chunk: 1000,
        concurrency: 4,
        ids
      })
    } finally {
      await child.stop(service)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const compare = async (kind: string, run: Run): Promise<Figures> => {
  log(`${run.count} ${kind} records, 1,000 a chunk, 4 in flight`)
  const folder = await mkdtemp(join(tmpdir(), "chemstream-bench-"))
  try {
    return await compareIn(folder, kind, run)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const compareIn = async (folder: string, kind: string, run: Run): Promise<Figures> => {
  const seconds = await alternate(
    { plain: () => secondsOf(folder, plain, run), durable: () => secondsOf(folder, durable, run) },
    rounds
  )
  const startUps = await alternate({ durable: () => secondsOf(folder, durable, { ...run, count: 1 }) }, 3, 0)
  const startUp = median(startUps.durable)
  const after = seconds.durable.map((durable) => durable - startUp)
  return {
    [`${kind} records, stream alone (records/s)`]: short(run.count / median(seconds.plain)),
    [`${kind} records, durable (records/s)`]: short(run.count / median(seconds.durable)),
    [`${kind} records, durable / stream alone`]: short(median(quotients(seconds.plain, seconds.durable))),
    [`${kind} records, harvest of one identifier (s)`]: short(startUp),
    [`${kind} records, durable without the start / stream alone`]: short(
      median(quotients(seconds.plain, after))
    )
  }
}

/** Returns the seconds of one run in a new folder. */
const secondsOf = async (parent: string, program: typeof plain, run: Run): Promise<number> => {
  const folder = await mkdtemp(join(parent, "run-"))
  try {
    return await timed(async () => {
      const records = await program(folder, run)
      if (records !== run.count) throw new Error(`${records} records of ${run.count}`)
    })
  } finally {
    await empty(folder)
  }
}

/**
 * Truncates the files of a run, and does not delete them. After deletions, ext4 makes new files more slowly, so that earlier runs would
 * slow down later ones.
 */
const empty = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name))
  }
}

const workers = (): Promise<Figures> =>
  withRecordsService({ records: "small", latency: 150 }, async (url) => {
    const database = await Postgres.start()
    try {
      const run: Run = { url, count: 100_000, chunk: 1000, concurrency: 1, ids: dtxsids }
      const rates: Array<number> = []
      let figures: Figures = {}
      for (const count of [1, 4]) {
        log(`100,000 small records for each worker at 150 ms latency, workers: ${count}`)
        const options: Options = { url, database: database.url, concurrency: run.concurrency }
        const started = await Promise.all(
          Array.from({ length: count }, () => child.start<string>("./workflowProcess.ts", options))
        )
        try {
          figures = await withDatabase(
            database.url,
            runHarvest({ ...run, database: database.url, count: run.count * count })
          )
        } finally {
          await Promise.all(started.map(({ child: worker }) => child.stop(worker)))
        }
        rates.push(Number(figures["rate"]))
      }
      const { rate: _, ...cost } = figures
      const [one = 0, four = 0] = rates
      return {
        "one worker, at 150 ms latency with one chunk in flight (records/s)": short(one),
        "four workers (records/s)": short(four),
        "four workers / one": short(four / one),
        ...cost
      }
    } finally {
      await database.stop()
    }
  })

/** Runs a harvest, and measures its rate and its size in the database. */
const runHarvest = (run: Run & { readonly database: string }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const size = Effect.map(
      sql<{ name: string; bytes: number | string }>`
        SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      (rows) => new Map(rows.map(({ bytes, name }) => [name, Number(bytes)]))
    )
    const before = yield* size
    const log = Effect.map(
      sql<{ bytes: number | string }>`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`,
      ([row]) => Number(row?.bytes)
    )
    const logBefore = yield* log
    yield* start(run, { _tag: "Table", target: `${run.database}#harvest` })
    const status = yield* Harvest.awaitEnd(name, "50 millis")
    // From the first stored chunk to the last, without the time in which workers find the harvest.
    const [stored] = yield* sql<{ first: unknown; last: unknown }>`
      SELECT min(done_at) AS first, max(done_at) AS last FROM chemstream_progress`
    const seconds = (Number(stored?.last) - Number(stored?.first)) / 1000
    const rate = (run.count - run.chunk) / seconds
    if (status.tally.records !== run.count) {
      return yield* Effect.die(new Error(`${status.tally.records} records of ${run.count}`))
    }
    const after = yield* size
    const written = (yield* log) - logBefore
    const chunks = run.count / run.chunk
    const growth = (prefix: string): number =>
      [...after]
        .filter(([table]) => table.startsWith(prefix))
        .reduce((sum, [table, bytes]) => sum + bytes - (before.get(table) ?? 0), 0) / chunks
    const engine = growth("cluster_")
    const chemstream = growth("chemstream_")
    const sink = growth("harvest")
    const rows = (yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM cluster_messages`)[0]?.n ?? 0
    // The next harvest uses the same name and tables.
    yield* Harvest.delete(name)
    yield* sql`DROP TABLE harvest, harvest_outcomes, harvest_surplus, harvest_chunks, harvest_harvest`
    return {
      rate,
      "chunk of 1,000: tables of the engine (KiB)": short(engine / 1024),
      "chunk of 1,000: tables of harvests (KiB)": short(chemstream / 1024),
      "chunk of 1,000: sink, small records (KiB)": short(sink / 1024),
      "chunk of 1,000: log of Postgres, before it is reused (KiB)": short(written / chunks / 1024),
      "messages of the engine for each chunk": short(rows / chunks),
      "computed for 100 million: engine and harvests (GiB)": short(
        ((engine + chemstream) * computedCount) / run.chunk / 2 ** 30
      ),
      "computed for 100 million: sink, small records (GiB)": short(
        (sink * computedCount) / run.chunk / 2 ** 30
      ),
      "computed for 100 million at this rate (hours)": short(computedCount / rate / 3600),
      "rows per second in the sink at this rate": short(rate)
    }
  })

const withDatabase = <A, E>(url: string, body: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provideService(Sinks.Addresses, [Redacted.make(url)]),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )
