/**
 * Who holds which shard of the cluster, as rows with a time: the engine's `RunnerStorage`, for SQLite and Postgres
 * alike.
 *
 * The storage that Effect has takes locks of a Postgres session instead: they go whenever the database does, and a
 * worker could live on without shards. And it asks the database before every reply of a workflow whether the shard is
 * still held. A lease says until when that is so; a worker that has just renewed it knows, and asks nobody.
 */
import { MonotonicClock } from "@chemstream/client"
import { Array as Arr, Effect, Fiber, Layer, type Scope } from "effect"
import { ClusterError, RunnerStorage } from "effect/cluster"
import { SqlClient, type Statement } from "effect/sql"
import { databaseTime } from "./databaseTime.ts"
import { transaction } from "./transaction.ts"

/**
 * The part of a lease for which a worker that has renewed it takes its own word: less than a third, when the engine
 * renews it.
 */
const trusted = 0.3

/** The part of a lease that one statement may take. */
const deadline = 1 / 3

/** What a row says of a shard that nobody holds. */
const nobody = ""

/** The leases of the workers of a database, each so many milliseconds long. */
export const layer = (lease: number): Layer.Layer<RunnerStorage.RunnerStorage, never, SqlClient.SqlClient> =>
  Layer.effect(RunnerStorage.RunnerStorage, make(lease))

const make = (
  lease: number
): Effect.Effect<RunnerStorage.RunnerStorage["Service"], never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const now = databaseTime(sql)
    // When this process asked for what it was given, by a clock that goes on while the process stands still.
    const renewed = new Map<string, number>()

    const beat = (address: string) =>
      Effect.flatMap(
        now,
        (at) => sql`UPDATE chemstream_runners SET seen_at = ${at} WHERE address = ${address}`
      )

    /** Of some shards those that are this worker's for the length of a lease: that were so before, or were nobody's. */
    const take = (address: string, shards: ReadonlyArray<string>, isRenewal: boolean) =>
      Effect.gen(function* () {
        // In one order, so that two workers wait for each other and not in a circle.
        const ordered = [...shards].sort()
        if (!Arr.isArrayNonEmpty(ordered)) return []
        const asked = yield* MonotonicClock.currentMillis
        const at = yield* now
        const rows = Arr.map(ordered, (shard) => ({ shard, address, until: at + lease }))
        const isFree = isRenewal
          ? sql`FALSE`
          : sql`(chemstream_leases.address = ${nobody} OR chemstream_leases.until < ${at})`
        const taken = yield* sql<{ shard: string }>`
          INSERT INTO chemstream_leases ${sql.insert(rows)}
          ON CONFLICT (shard) DO UPDATE SET address = excluded.address, until = excluded.until
          WHERE chemstream_leases.address = excluded.address OR ${isFree}
          RETURNING shard`
        for (const { shard } of taken) renewed.set(shard, asked)
        return taken.map(({ shard }) => shard)
      })

    const free = (address: string, which: Statement.Fragment) =>
      sql`UPDATE chemstream_leases SET address = ${nobody}, until = 0 WHERE address = ${address} AND ${which}`

    /** A statement that hangs, even where it cannot be interrupted, fails in time. */
    const persisted = <A, E>(statement: Effect.Effect<A, E>) =>
      Effect.forkIn(statement, scope, { startImmediately: true }).pipe(
        Effect.flatMap((fiber) =>
          Effect.onError(Effect.timeout(Fiber.join(fiber), lease * deadline), () =>
            Effect.forkIn(Fiber.interrupt(fiber), scope)
          )
        ),
        ClusterError.PersistenceError.refail
      )

    return RunnerStorage.makeEncoded({
      register: (address, runner, healthy) =>
        persisted(
          transaction(
            sql,
            Effect.gen(function* () {
              const at = yield* now
              yield* sql`DELETE FROM chemstream_runners WHERE seen_at < ${at - lease}`
              const row = { address, runner, healthy: Number(healthy), seen_at: at }
              const [made] = yield* sql<{ machine: unknown }>`
                INSERT INTO chemstream_runners ${sql.insert(row)}
                ON CONFLICT (address) DO UPDATE
                SET runner = excluded.runner, healthy = excluded.healthy, seen_at = excluded.seen_at
                RETURNING machine`
              return Number(made?.machine)
            })
          )
        ),
      unregister: (address) =>
        Effect.asVoid(persisted(sql`DELETE FROM chemstream_runners WHERE address = ${address}`)),
      getRunners: persisted(
        Effect.flatMap(
          now,
          (at) => sql<{ runner: string; healthy: unknown }>`
            SELECT runner, healthy FROM chemstream_runners WHERE seen_at > ${at - lease}`
        ).pipe(
          Effect.map((rows) => rows.map(({ healthy, runner }) => [runner, Number(healthy) === 1] as const))
        )
      ),
      setRunnerHealth: (address, healthy) =>
        Effect.asVoid(
          persisted(
            sql`UPDATE chemstream_runners SET healthy = ${Number(healthy)} WHERE address = ${address}`
          )
        ),
      acquire: (address, shards) => persisted(take(address, shards, false)),
      refresh: (address, shards) =>
        Effect.gen(function* () {
          const sure = (yield* MonotonicClock.currentMillis) - lease * trusted
          if (
            shards.length > 0 &&
            shards.every((shard) => (renewed.get(shard) ?? Number.NEGATIVE_INFINITY) > sure)
          )
            return shards
          for (const shard of shards) renewed.delete(shard)
          return yield* persisted(Effect.andThen(beat(address), take(address, shards, true)))
        }),
      release: (address, shard) => {
        renewed.delete(shard)
        return Effect.asVoid(persisted(free(address, sql`shard = ${shard}`)))
      },
      releaseAll: (address) => {
        renewed.clear()
        return Effect.asVoid(persisted(free(address, sql`TRUE`)))
      }
    })
  })
