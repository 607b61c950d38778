/**
 * Stores which worker holds which shard of the cluster, as leases that expire: the engine's `RunnerStorage` for
 * SQLite and Postgres. Its constants decide how soon the shards and chunks of a dead worker go to others.
 *
 * A worker whose lease has expired may still store a chunk. That is harmless: the sinks keep the one that was stored first
 * (`sinks/tableSink.ts`, `sinks/folderParts.ts`). `deadWorkers.ts` recognises a dead worker of this machine, which loses its leases at once.
 * docs/decisions/0002-beside-the-engine.md explains why Effect's own storage is not used.
 */
import { hostname } from "node:os"
import { MonotonicClock } from "@chemstream/client"
import { Array as Arr, Effect, Fiber, Layer, type Scope } from "effect"
import { ClusterError, RunnerStorage } from "effect/cluster"
import { SqlClient, type Statement } from "effect/sql"
import { databaseTime } from "../database/databaseTime.ts"
import { insertRow } from "../database/insertRow.ts"
import { transaction } from "../database/transaction.ts"
import * as deadWorkers from "./deadWorkers.ts"

/** How long a silent worker of another machine keeps its shards, if the option `lease` is not given. */
export const defaultLease = "15 seconds"

/**
 * The interval of refreshing leases, and the timeout of a statement, as a share of their length. If one refresh takes longer, the worker
 * releases all its shards.
 */
export const refreshShare = 1 / 3

/** How often a worker divides the shards anew: how soon those of a dead process of its machine go to others. */
export const assignmentInterval = "400 millis"

/**
 * How long the engine waits for the workflow of a shard that moves to another worker, which rarely ends in time. Interrupted steps run
 * again.
 */
export const longestTermination = "1 second"

/** The address in the row of a free shard. */
const noAddress = ""

/** What leases need to know about their worker. */
export interface Loop {
  /** Whether the loop of this worker repeats in time. Otherwise its leases are not renewed, so that others get its shards. */
  readonly isAlive: Effect.Effect<boolean>
  /** Whether no harvest is unfinished. Then dead workers need no quick detection. */
  readonly isIdle: () => boolean
  /** Records that the database did not accept a change of leases. */
  readonly recordOutage: Effect.Effect<void>
}

/** How long an idle worker uses the list of workers again, in milliseconds. */
const idleMillis = 5000

/** The leases of the workers of a database, each of this length in milliseconds. */
export const layer = (
  lease: number,
  loop: Loop
): Layer.Layer<RunnerStorage.RunnerStorage, never, SqlClient.SqlClient> =>
  Layer.effect(RunnerStorage.RunnerStorage, make(lease, loop))

const make = (
  lease: number,
  { isAlive, isIdle, recordOutage }: Loop
): Effect.Effect<RunnerStorage.RunnerStorage["Service"], never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const socket = yield* deadWorkers.announce
    let last: { readonly at: number; readonly found: Array<readonly [string, boolean]> } | undefined
    const leases = { sql, lease, now: databaseTime(sql) }

    /** Fails a hanging statement in time, even if it cannot be interrupted. */
    const withDeadline = <A, E>(statement: Effect.Effect<A, E>) =>
      Effect.forkIn(statement, scope, { startImmediately: true }).pipe(
        Effect.flatMap((fiber) =>
          Effect.onError(Effect.timeout(Fiber.join(fiber), lease * refreshShare), () =>
            Effect.forkIn(Fiber.interrupt(fiber), scope)
          )
        ),
        Effect.tapError(() => recordOutage),
        ClusterError.PersistenceError.refail
      )
    // With an empty list, the worker acquires nothing, and gives up what it holds.
    const whileAlive = <E>(holding: Effect.Effect<Array<string>, E>) =>
      Effect.flatMap(isAlive, (alive) => (alive ? holding : Effect.succeed([])))
    const execute = (statement: Statement.Statement<object>) => Effect.asVoid(withDeadline(statement))
    const release = (address: string, which: Statement.Fragment) =>
      execute(sql`
        UPDATE chemstream_leases SET address = ${noAddress}, until = 0 WHERE address = ${address} AND ${which}`)

    return RunnerStorage.makeEncoded({
      register: (address, runner, healthy) =>
        withDeadline(
          transaction(sql, register(leases, { address, runner, healthy: Number(healthy), socket }))
        ),
      unregister: (address) => execute(sql`DELETE FROM chemstream_runners WHERE address = ${address}`),
      getRunners: Effect.gen(function* () {
        const at = yield* MonotonicClock.currentMillis
        if (isIdle() && last !== undefined && at - last.at < idleMillis) return last.found
        last = { at, found: yield* withDeadline(runners(leases, socket)) }
        return last.found
      }),
      setRunnerHealth: (address, healthy) =>
        execute(sql`UPDATE chemstream_runners SET healthy = ${Number(healthy)} WHERE address = ${address}`),
      acquire: (address, shards) => whileAlive(withDeadline(acquire(leases, address, shards))),
      refresh: (address, shards) => whileAlive(withDeadline(refresh(leases, address, shards))),
      release: (address, shard) => release(address, sql`shard = ${shard}`),
      releaseAll: (address) => release(address, sql`TRUE`)
    })
  })

interface Leases {
  readonly sql: SqlClient.SqlClient
  readonly lease: number
  readonly now: Effect.Effect<Statement.Fragment>
}

const register = ({ lease, now, sql }: Leases, runner: Readonly<Record<string, string | number | null>>) =>
  Effect.gen(function* () {
    const at = yield* now
    // A time in the future is from before the last boot, or from before the clock was set back.
    yield* sql`DELETE FROM chemstream_runners WHERE seen_at < ${at} - ${lease} OR seen_at > ${at} + ${lease}`
    const [inserted] = yield* sql<{ machine: unknown }>`
      INSERT INTO chemstream_runners ${insertRow(sql, { ...runner, seen_at: at, host: hostname() })}
      ON CONFLICT (address) DO UPDATE
      SET runner = excluded.runner, healthy = excluded.healthy, seen_at = excluded.seen_at
      RETURNING machine`
    // The number that the engine puts into the identifiers of its messages.
    return Number(inserted?.machine)
  })

interface RunnerRow extends deadWorkers.Neighbour {
  readonly runner: string
  readonly healthy: unknown
  readonly host: string
}

/** Returns the live runners, and releases the shards of dead workers of this machine. */
const runners = ({ lease, now, sql }: Leases, own: string | null) =>
  Effect.gen(function* () {
    const at = yield* now
    const rows = yield* sql<RunnerRow>`
      SELECT address, runner, healthy, host, socket FROM chemstream_runners
      WHERE seen_at > ${at} - ${lease} AND seen_at < ${at} + ${lease}`
    const dead = yield* deadWorkers.releaseDeadAmong(
      sql,
      rows.filter(({ host, socket }) => host === hostname() && socket !== null && socket !== own)
    )
    return rows
      .filter(({ address }) => !dead.has(address))
      .map(({ healthy, runner }) => [runner, Number(healthy) === 1] as const)
  })

/** Renews the leases of a worker, and its sign of life. Returns the shards that it still holds. */
const refresh = ({ lease, now, sql }: Leases, address: string, shards: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const at = yield* now
    const heartbeat = sql`UPDATE chemstream_runners SET seen_at = ${at} WHERE address = ${address}`
    const ordered = [...shards].sort()
    if (!Arr.isArrayNonEmpty(ordered)) return yield* Effect.as(heartbeat, [])
    const renewal = sql<{ shard: string }>`
      UPDATE chemstream_leases SET until = ${at} + ${lease}
      WHERE address = ${address} AND ${sql.in("shard", ordered)} RETURNING shard`
    const renewed = yield* sql.onDialectOrElse({
      pg: () => sql<{ shard: string }>`WITH heartbeat AS (${heartbeat}) ${renewal}`,
      orElse: () => Effect.andThen(heartbeat, renewal)
    })
    return renewed.map(({ shard }) => shard)
  })

/** Acquires the free shards among these for the length of a lease. Returns the shards that the worker then holds. */
const acquire = ({ lease, now, sql }: Leases, address: string, shards: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // Sorted, so that two workers cannot deadlock.
    const ordered = [...shards].sort()
    if (ordered.length === 0) return []
    const at = yield* now
    const rows = sql.csv(ordered.map((shard) => sql`(${shard}, ${address}, ${at} + ${lease})`))
    // A lease that ends far in the future is from before the last boot, or from before the clock was set back.
    const acquired = yield* sql<{ shard: string }>`
      INSERT INTO chemstream_leases (shard, address, until) VALUES ${rows}
      ON CONFLICT (shard) DO UPDATE SET address = excluded.address, until = excluded.until
      WHERE chemstream_leases.address IN (excluded.address, ${noAddress})
        OR chemstream_leases.until < ${at} OR chemstream_leases.until > ${at} + ${2 * lease}
      RETURNING shard`
    return acquired.map(({ shard }) => shard)
  })
