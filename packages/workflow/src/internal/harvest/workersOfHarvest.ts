/**
 * Counts the live workers of a harvest and its chunks in flight, and chooses the reason why it waits for workers.
 * `waitReasons.ts` has the texts.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { databaseTime } from "../database/databaseTime.ts"
import { releaseDeadOfMachine } from "../worker/deadWorkers.ts"
import * as harvestRow from "./harvestRow.ts"
import * as waitReasons from "./waitReasons.ts"

export interface HarvestWorkers {
  /** The number of its chunks in flight. */
  readonly inFlight: number
  /** The number of live workers that can work on it. */
  readonly working: number
  /** The longest lease of these workers, in milliseconds. 0: there is none. */
  readonly lease: number
  /** When the first of these workers started, in milliseconds since 1970. Undefined: there is none. */
  readonly workingSince: number | undefined
  /** The reason why it waits. */
  readonly waitReason: string | undefined
}

/** A worker without a sign of life for this long is silent, in milliseconds. An idle one gives it every 4 seconds. */
const silentMillis = 5000

interface WorkerRow {
  readonly name: string
  /** JSON: the number of its chunks in flight, by harvest (`Row.id`). */
  readonly busy: string
  /** JSON: the reason why it cannot work on a harvest, by harvest. */
  readonly unable: string
  readonly silent: unknown
  readonly lease: unknown
  readonly started_at: unknown
}

export const workersOf = (
  row: harvestRow.Row
): Effect.Effect<HarvestWorkers, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (!harvestRow.isUnfinished(row))
      return { inFlight: 0, working: 0, lease: 0, workingSince: undefined, waitReason: undefined }
    const sql = yield* SqlClient.SqlClient
    // A reader of the database may not write.
    yield* Effect.ignore(releaseDeadOfMachine(sql))
    const now = yield* databaseTime(sql)
    const rows = yield* sql<WorkerRow>`
      SELECT name, busy, unable, lease, started_at, ${now} - seen_at AS silent FROM chemstream_workers
      WHERE seen_at < ${now} + lease`
    const alive = rows.filter(({ lease, silent }) => Number(silent) < Number(lease))
    const obstacles = alive.flatMap(
      ({ unable }) => (JSON.parse(unable) as Record<string, string>)[row.id] ?? []
    )
    const working = alive.length - obstacles.length
    const inFlight = alive.reduce(
      (sum, { busy }) => sum + ((JSON.parse(busy) as Record<string, number>)[row.id] ?? 0),
      0
    )
    return {
      inFlight,
      working,
      lease: Math.max(0, ...alive.map(({ lease }) => Number(lease))),
      workingSince:
        alive.length === 0 ? undefined : Math.min(...alive.map(({ started_at }) => Number(started_at))),
      waitReason: row.state === "running" ? yield* reasonOf(alive.length, obstacles, now) : undefined
    }
  })

const reasonOf = (
  alive: number,
  obstacles: ReadonlyArray<string>,
  now: Statement.Fragment
): Effect.Effect<string | undefined, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (alive === 0) return (yield* isReadOnly(sql)) ? waitReasons.readOnly : waitReasons.noWorker
    if (obstacles.length === alive) return waitReasons.unable(obstacles[0])
    const [holder] = yield* sql<{ name: string; silent: unknown; remains: unknown }>`
      SELECT w.name, ${now} - w.seen_at AS silent, max(l.until) - ${now} AS remains
      FROM chemstream_leases l JOIN chemstream_workers w ON w.address = l.address
      WHERE l.until > ${now} AND w.seen_at < ${now} - ${silentMillis}
      GROUP BY w.name, w.seen_at ORDER BY w.seen_at`
    if (holder === undefined) return undefined
    return waitReasons.silent(holder.name, Number(holder.silent), Number(holder.remains))
  })

/** Whether a Postgres accepts no writes of this connection, so that workers may run and not say so. */
const isReadOnly = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ mode: string }>`SELECT current_setting('transaction_read_only') AS mode`,
        ([row]) => row?.mode === "on"
      ),
    orElse: () => Effect.succeed(false)
  })
