/**
 * Stores which worker holds which shard of the cluster, as leases that expire: the engine's `RunnerStorage` for
 * SQLite and Postgres.
 *
 * `liveness.ts` recognises a dead worker of this machine, which loses its leases at once.
 * docs/decisions/0002-beside-the-engine.md explains why Effect's own storage is not used.
 */
import { hostname } from "node:os"
import { MonotonicClock } from "@chemstream/client"
import { Array as Arr, Effect, Fiber, Layer, type Scope } from "effect"
import { ClusterError, RunnerStorage } from "effect/cluster"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { databaseTime } from "../database/databaseTime.ts"
import { transaction } from "../database/transaction.ts"
import * as liveness from "./liveness.ts"

/** The timeout of a statement, as a share of the length of a lease. */
const deadlineShare = 1 / 3

/** The address in the row of a free shard. */
const noAddress = ""

/** What leases need to know about their worker. */
export interface Loop {
  /** Whether the loop of this worker turns. Otherwise its leases are not renewed, so that others get its shards. */
  readonly isAlive: Effect.Effect<boolean>
  /** Whether no harvest is unfinished. Then dead workers need no quick detection. */
  readonly isIdle: () => boolean
}

/** How long an idle worker uses the list of workers again, in milliseconds. */
const idleMillis = 4000

/** The leases of the workers of a database, each of this length in milliseconds. */
export const layer = (
  lease: number,
  loop: Loop
): Layer.Layer<RunnerStorage.RunnerStorage, never, SqlClient.SqlClient> =>
  Layer.effect(RunnerStorage.RunnerStorage, make(lease, loop))

const make = (
  lease: number,
  { isAlive, isIdle }: Loop
): Effect.Effect<RunnerStorage.RunnerStorage["Service"], never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const socket = yield* liveness.announce
    let last: { readonly at: number; readonly found: Array<readonly [string, boolean]> } | undefined
    const leases = { sql, lease, now: databaseTime(sql) }

    /** Fails a hanging statement in time, even if it cannot be interrupted. */
    const withDeadline = <A, E>(statement: Effect.Effect<A, E>) =>
      Effect.forkIn(statement, scope, { startImmediately: true }).pipe(
        Effect.flatMap((fiber) =>
          Effect.onError(Effect.timeout(Fiber.join(fiber), lease * deadlineShare), () =>
            Effect.forkIn(Fiber.interrupt(fiber), scope)
          )
        ),
        ClusterError.PersistenceError.refail
      )
    const whileAlive = <E>(holding: Effect.Effect<Array<string>, E>) =>
      Effect.flatMap(isAlive, (alive) => (alive ? holding : Effect.succeed([])))
    const release = (address: string, which: Statement.Fragment) =>
      Effect.asVoid(
        withDeadline(sql`
          UPDATE chemstream_leases SET address = ${noAddress}, until = 0 WHERE address = ${address} AND ${which}`)
      )

    return RunnerStorage.makeEncoded({
      register: (address, runner, healthy) =>
        withDeadline(
          transaction(sql, register(leases, { address, runner, healthy: Number(healthy), socket }))
        ),
      unregister: (address) =>
        Effect.asVoid(withDeadline(sql`DELETE FROM chemstream_runners WHERE address = ${address}`)),
      getRunners: Effect.flatMap(MonotonicClock.currentMillis, (at) => {
        if (isIdle() && last !== undefined && at - last.at < idleMillis) return Effect.succeed(last.found)
        return withDeadline(Effect.andThen(liveness.releaseDeadWorkers(sql, socket), runners(leases))).pipe(
          Effect.tap((found) =>
            Effect.sync(() => {
              last = { at, found }
            })
          )
        )
      }),
      setRunnerHealth: (address, healthy) =>
        Effect.asVoid(
          withDeadline(
            sql`UPDATE chemstream_runners SET healthy = ${Number(healthy)} WHERE address = ${address}`
          )
        ),
      acquire: (address, shards) => whileAlive(withDeadline(acquire(leases, address, shards, false))),
      refresh: (address, shards) =>
        whileAlive(
          withDeadline(
            Effect.andThen(recordHeartbeat(leases, address), acquire(leases, address, shards, true))
          )
        ),
      release: (address, shard) => release(address, sql`shard = ${shard}`),
      releaseAll: (address) => release(address, sql`TRUE`)
    })
  })

interface Leases {
  readonly sql: SqlClient.SqlClient
  readonly lease: number
  readonly now: Effect.Effect<number, SqlError.SqlError>
}

const register = ({ lease, now, sql }: Leases, runner: Readonly<Record<string, string | number | null>>) =>
  Effect.gen(function* () {
    const at = yield* now
    yield* sql`DELETE FROM chemstream_runners WHERE seen_at < ${at - lease} OR seen_at > ${at + lease}`
    const [inserted] = yield* sql<{ machine: unknown }>`
      INSERT INTO chemstream_runners ${sql.insert({ ...runner, seen_at: at, host: hostname() })}
      ON CONFLICT (address) DO UPDATE
      SET runner = excluded.runner, healthy = excluded.healthy, seen_at = excluded.seen_at
      RETURNING machine`
    return Number(inserted?.machine)
  })

const runners = ({ lease, now, sql }: Leases) =>
  Effect.gen(function* () {
    const at = yield* now
    const rows = yield* sql<{ runner: string; healthy: unknown }>`
      SELECT runner, healthy FROM chemstream_runners
      WHERE seen_at > ${at - lease} AND seen_at < ${at + lease}`
    return rows.map(({ healthy, runner }) => [runner, Number(healthy) === 1] as const)
  })

const recordHeartbeat = ({ now, sql }: Leases, address: string) =>
  Effect.flatMap(now, (at) => sql`UPDATE chemstream_runners SET seen_at = ${at} WHERE address = ${address}`)

/**
 * Acquires the free shards among these for the length of a lease, and renews those of this worker. Returns the
 * shards it holds.
 */
const acquire = (
  { lease, now, sql }: Leases,
  address: string,
  shards: ReadonlyArray<string>,
  isRenewal: boolean
) =>
  Effect.gen(function* () {
    // Sorted, so that two workers cannot deadlock.
    const ordered = [...shards].sort()
    if (!Arr.isArrayNonEmpty(ordered)) return []
    const at = yield* now
    const rows = Arr.map(ordered, (shard) => ({ shard, address, until: at + lease }))
    const isFree = isRenewal
      ? sql`FALSE`
      : sql`(chemstream_leases.address = ${noAddress} OR chemstream_leases.until < ${at}
          OR chemstream_leases.until > ${at + 2 * lease})`
    const acquired = yield* sql<{ shard: string }>`
      INSERT INTO chemstream_leases ${sql.insert(rows)}
      ON CONFLICT (shard) DO UPDATE SET address = excluded.address, until = excluded.until
      WHERE chemstream_leases.address = excluded.address OR ${isFree}
      RETURNING shard`
    return acquired.map(({ shard }) => shard)
  })
