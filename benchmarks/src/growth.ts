/**
 * Measures how the time, the transactions and the size of a harvest into Postgres grow with its identifiers. Fetching ends when the last
 * chunk is stored, and finishing when the harvest has ended. All times come from the clock of the server.
 */
import { loadavg } from "node:os"
import { Database, Harvest, Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../packages/workflow/test/postgres.ts"
import * as child from "./child.ts"
import { dtxsids } from "./identifiers.ts"
import { log } from "./log.ts"
import { withRecordsService } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { short, slope } from "./statistics.ts"
import type { Options } from "./workflowProcess.ts"
import { name, start } from "./workflowRun.ts"

const sizes = [10_000, 100_000, 1_000_000]

/** The last size if the largest one would take longer than `patience`. */
const smaller = 300_000

/** The longest that a harvest may take, in seconds. */
const patience = 900

const chunk = 200

interface Growth {
  readonly fetching: number
  readonly finishing: number
  readonly transactions: number
  readonly mebibytes: number
}

/** Runs the benchmark, and reports its progress on standard error. */
export const measureGrowth = async (): Promise<Figures> => {
  const [load = 0] = loadavg()
  const grown: Array<readonly [identifiers: number, Growth]> = []
  for (const size of sizes) {
    const [before, growth] = grown.at(-1) ?? [size, undefined]
    const estimate = ((growth?.fetching ?? 0) * size) / before
    const count = estimate > patience ? smaller : size
    log(`${count} identifiers`)
    grown.push([count, await measure(count)])
  }
  const exponent = (of: keyof Growth): number =>
    short(slope(grown.map(([size, growth]) => [size, growth[of]])))
  return {
    ...Object.assign({}, ...grown.map(([size, growth]) => figuresOf(size, growth))),
    "growth exponent of fetching": exponent("fetching"),
    "growth exponent of finishing": exponent("finishing"),
    "growth exponent of the transactions": exponent("transactions"),
    "growth exponent of the size": exponent("mebibytes"),
    "largest finishing / fetching": short(
      Math.max(...grown.map(([, { fetching, finishing }]) => finishing / fetching))
    ),
    "load of the machine before": short(load)
  }
}

const figuresOf = (size: number, { fetching, finishing, mebibytes, transactions }: Growth): Figures => {
  const of = `${size.toLocaleString("en")} identifiers`
  return {
    [`${of}: fetching (s)`]: short(fetching),
    [`${of}: finishing (s)`]: short(finishing),
    [`${of}: finishing / fetching`]: short(finishing / fetching),
    [`${of}: transactions`]: transactions,
    [`${of}: size of the database (MiB)`]: short(mebibytes)
  }
}

/** Runs a harvest of small records with one worker, on a new Postgres. */
const measure = (count: number): Promise<Growth> =>
  withRecordsService({ records: "small", latency: 0 }, async (url) => {
    const postgres = await Postgres.start()
    try {
      const options: Options = { url, database: postgres.url, concurrency: 4 }
      const { child: worker } = await child.start<string>("./workflowProcess.ts", options)
      try {
        return await Effect.runPromise(
          harvest({ url, count, chunk, concurrency: 4, ids: dtxsids }, postgres.url).pipe(
            Effect.provide(Database.layerPostgres({ url: Redacted.make(postgres.url) })),
            Effect.provideService(Sinks.Addresses, [Redacted.make(postgres.url)]),
            Effect.provide(NodeServices.layer)
          )
        )
      } finally {
        await child.stop(worker)
      }
    } finally {
      await postgres.stop()
    }
  })

const harvest = (run: Parameters<typeof start>[0], database: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const transactions = Effect.map(
      sql<{
        n: number
      }>`SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()`,
      ([row]) => row?.n ?? 0
    )
    const before = yield* transactions
    yield* start(run, { _tag: "Table", target: `${database}#harvest` })
    const { endedAt, reason, state, tally } = yield* Harvest.awaitHalt(name, "250 millis")
    if (state !== "finished" || tally.records !== run.count)
      return yield* Effect.die(new Error(`${state} with ${tally.records} records of ${run.count}: ${reason}`))
    // Without the transactions of `awaitHalt` and its last status, they differ by less than ten a second.
    const after = yield* transactions
    const [stored] = yield* sql<{ first: unknown; last: unknown; bytes: unknown }>`
      SELECT min(done_at - millis) AS first, max(done_at) AS last, pg_database_size(current_database()) AS bytes
      FROM chemstream_progress`
    return {
      fetching: (Number(stored?.last) - Number(stored?.first)) / 1000,
      finishing: ((endedAt ?? Number.NaN) - Number(stored?.last)) / 1000,
      transactions: after - before,
      mebibytes: Number(stored?.bytes) / 2 ** 20
    }
  })
