/**
 * What durability costs: a harvest against the stream that it is made of, in one process; four workers against one, which
 * share a Postgres, at a latency; and what a chunk leaves in the Postgres, from which a hundred million identifiers
 * are computed. Ratios are medians of alternating rounds in one run.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm, truncate } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Database, Harvest, Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../packages/workflow/test/postgres.ts"
import * as child from "./child.ts"
import { dtxsids } from "./identifiers.ts"
import { command } from "./job.ts"
import { served } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import { say } from "./say.ts"
import type { Ready } from "./serviceProcess.ts"
import { median, quotients, short } from "./statistics.ts"
import { identifiers } from "./words.ts"
import { manyHarvests, takeovers } from "./workflowOperation.ts"
import type { Options } from "./workflowProcess.ts"
import { durable, name, plain, type Run, start } from "./workflowRun.ts"

const rounds = 5

/** The harvest that is computed on paper. */
const paper = 100_000_000

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
  served({ records, latency: 0 }, (url) =>
    compared(records, { url, count: 200_000, chunk: 1000, concurrency: 4, ids: dtxsids })
  )

/** From the service of this project, on the same machine: it takes its part of the processors, as every service does. */
const besideService = async (): Promise<Figures> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-bench-"))
  const count = 60_000
  const database = join(folder, "service.sqlite")
  try {
    say(`${count} substances for the service`)
    const options = ["--count", String(count), "--seed", "1", "--database", database, "--quiet"]
    await promisify(execFile)(process.execPath, [command, "generate", ...options])
    const { child: service, first } = await child.start<Ready>("./serviceProcess.ts", {
      database,
      key: "benchmark"
    })
    try {
      const ids = (n: number) => identifiers(n, count, 1)
      return await compared("full (chemstream serve)", {
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

const compared = async (kind: string, run: Run): Promise<Figures> => {
  say(`${run.count} ${kind} records, 1,000 a chunk, 4 in flight`)
  const folder = await mkdtemp(join(tmpdir(), "chemstream-bench-"))
  try {
    return await comparedIn(folder, kind, run)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const comparedIn = async (folder: string, kind: string, run: Run): Promise<Figures> => {
  const seconds = await alternate(
    { plain: () => took(folder, plain, run), durable: () => took(folder, durable, run) },
    rounds
  )
  const startUps = await alternate({ durable: () => took(folder, durable, { ...run, count: 1 }) }, 3, 0)
  const startUp = median(startUps.durable)
  const after = seconds.durable.map((durable) => durable - startUp)
  return {
    [`${kind} records, stream alone (records/s)`]: short(run.count / median(seconds.plain)),
    [`${kind} records, durable (records/s)`]: short(run.count / median(seconds.durable)),
    [`${kind} records, durable / stream alone`]: short(median(quotients(seconds.plain, seconds.durable))),
    [`${kind} records, a harvest of one identifier (s)`]: short(startUp),
    [`${kind} records, durable without that / stream alone`]: short(median(quotients(seconds.plain, after)))
  }
}

/** The seconds of one run, in a folder of its own. */
const took = async (parent: string, way: typeof plain, run: Run): Promise<number> => {
  const folder = await mkdtemp(join(parent, "run-"))
  try {
    return await timed(async () => {
      const records = await way(folder, run)
      if (records !== run.count) throw new Error(`${records} records of ${run.count}`)
    })
  } finally {
    await empty(folder)
  }
}

/**
 * Takes the bytes of a run off the disk and leaves its files: ext4 passes over each that was deleted in the last minutes
 * when it makes another, so that one run would pay for those before it.
 */
const empty = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name))
  }
}

const workers = (): Promise<Figures> =>
  served({ records: "small", latency: 150 }, async (url) => {
    const database = await Postgres.start()
    try {
      const run: Run = { url, count: 100_000, chunk: 1000, concurrency: 1, ids: dtxsids }
      const rates: Array<number> = []
      let figures: Figures = {}
      for (const count of [1, 4]) {
        say(`100,000 small records a worker at 150 ms latency, workers: ${count}`)
        const options: Options = { url, database: database.url, concurrency: run.concurrency }
        const started = await Promise.all(
          Array.from({ length: count }, () => child.start<string>("./workflowProcess.ts", options))
        )
        try {
          figures = await using(
            database.url,
            harvested({ ...run, database: database.url, count: run.count * count })
          )
        } finally {
          await Promise.all(started.map(({ child: worker }) => child.stop(worker)))
        }
        rates.push(Number(figures["rate"]))
      }
      const { rate: _, ...cost } = figures
      const [one = 0, four = 0] = rates
      return {
        "at 150 ms latency, one chunk in flight a worker, one worker (records/s)": short(one),
        "four workers (records/s)": short(four),
        "four workers / one": short(four / one),
        ...cost
      }
    } finally {
      await database.stop()
    }
  })

/** A harvest from its start until it has ended, and what it has left in the database. */
const harvested = (run: Run & { readonly database: string }) =>
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
    // From the first chunk that was kept to the last: not how long workers take to find a harvest.
    const [kept] = yield* sql<{ first: unknown; last: unknown }>`
      SELECT min(done_at) AS first, max(done_at) AS last FROM chemstream_progress`
    const seconds = (Number(kept?.last) - Number(kept?.first)) / 1000
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
    // Its chunks and its name are free for the next.
    yield* Harvest.delete(name)
    yield* sql`DROP TABLE harvest, harvest_outcomes, harvest_surplus, harvest_chunks, harvest_harvest`
    return {
      rate,
      "a chunk of 1,000 leaves in the engine's tables (KiB)": short(engine / 1024),
      "in the tables of harvests (KiB)": short(chemstream / 1024),
      "in the sink, small records (KiB)": short(sink / 1024),
      "in the log of Postgres, before it is reused (KiB)": short(written / chunks / 1024),
      "messages of the engine a chunk": short(rows / chunks),
      "on paper, 100 million: engine and harvests (GiB)": short(
        ((engine + chemstream) * paper) / run.chunk / 2 ** 30
      ),
      "on paper, 100 million: sink, small records (GiB)": short((sink * paper) / run.chunk / 2 ** 30),
      "on paper, 100 million at this rate (hours)": short(paper / rate / 3600),
      "rows a second in the sink at this rate": short(rate)
    }
  })

const using = <A, E>(url: string, body: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  body.pipe(
    Effect.provide(Database.withTables(PgClient.layer({ url: Redacted.make(url) }))),
    Effect.provideService(Sinks.Addresses, [Redacted.make(url)]),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )
