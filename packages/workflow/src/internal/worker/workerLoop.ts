/**
 * The loop of a worker: twice a second it records a sign of life, and starts the shards of harvests that it holds. A turn is
 * one pass of the loop.
 *
 * The worker releases its shards if it cannot do an unfinished harvest and another worker can do all of them. It stops
 * if the engine gets no shard after an outage of the database, or if the loop hangs. It also reports an unavailable service,
 * and pauses the harvests that have waited too long for it.
 */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Context, Deferred, Duration, Effect, type Scope } from "effect"
import { MessageStorage, type RunnerAddress, RunnerStorage, ShardId, Sharding } from "effect/cluster"
import { SqlClient, type SqlError } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import { databaseTime } from "../database/databaseTime.ts"
import { insertRow } from "../database/insertRow.ts"
import * as waitReasons from "../harvest/waitReasons.ts"
import { Chunks } from "./chunkSteps.ts"
import { type Part, parts } from "./harvestWorkflows.ts"
import { clusterShards } from "./shardPlacement.ts"
import { recordingFailure } from "./stepRetry.ts"
import { type RunnableHarvest, UnfinishedHarvests } from "./unfinishedHarvests.ts"
import * as metrics from "./workerMetrics.ts"

/** How long a silent worker stays in the table, in milliseconds. */
const forgetMillis = 600_000

/** The bounds of the interval at which the progress of the unfinished harvests is summed, in milliseconds. */
const sumMillis = { minimum: 1000, maximum: 60_000 }

/** The interval at which messages that were read but not processed are delivered again, in milliseconds. */
const redeliverMillis = 5000

/** The settings of a worker. */
export class WorkerSetup extends Context.Service<
  WorkerSetup,
  {
    readonly name: string
    readonly concurrency: number
    readonly lease: Duration.Duration
    /** Requests per second, as recorded for other workers. */
    readonly rate: number | undefined
    /** How long to wait for an unavailable service. */
    readonly wait: Duration.Duration
    readonly address: RunnerAddress.RunnerAddress
    /** Records that the loop has turned once, with this number of unfinished harvests. */
    readonly recordTurn: (unfinished: number) => Effect.Effect<void>
    /** Records whether the database has accepted the last sign of life. */
    readonly recordDatabase: (isWritable: boolean) => void
    /** Records that a write has failed, e.g. of a lease, so that the worker could not hold a shard. */
    readonly recordOutage: Effect.Effect<void>
    /** When that was last, in milliseconds of the monotonic clock. */
    readonly outageAt: () => number
    /** Whether the loop has turned within a lease. */
    readonly isTurning: Effect.Effect<boolean>
    /** Whether no harvest is unfinished, as last read. */
    readonly isIdle: () => boolean
  }
>()("@chemstream/workflow/internal/WorkerSetup") {}

/** Starts the loop, which runs as long as the scope. Returns an effect that waits for its failure, which is a defect. */
export const watch: Effect.Effect<
  Effect.Effect<never>,
  never,
  | WorkerSetup
  | SqlClient.SqlClient
  | Chunks
  | UnfinishedHarvests
  | Sharding.Sharding
  | MessageStorage.MessageStorage
  | RunnerStorage.RunnerStorage
  | WorkflowEngine.WorkflowEngine
  | Scope.Scope
> = Effect.gen(function* () {
  const harvests = yield* UnfinishedHarvests
  const recordSignOfLife = yield* reporter
  const decideShards = yield* shardRelease
  const startParts = yield* partStarter
  const watchAvailability = yield* availabilityWatch
  const redeliver = yield* redelivery
  const watchHang = yield* hangWatch
  const services = yield* Effect.context<Sharding.Sharding>()
  const { lease, recordDatabase, recordOutage, recordTurn } = yield* WorkerSetup
  const reportFailure = (error: SqlError.SqlError) =>
    Effect.gen(function* () {
      recordDatabase(false)
      yield* recordOutage
      yield* harvests.outages.note("writes", error)
    })
  const decideRelease = Effect.suspend(() => {
    recordDatabase(true)
    return Effect.andThen(harvests.outages.end("writes"), Effect.ignore(decideShards))
  })
  const turn = (unfinished: ReadonlyArray<RunnableHarvest>) =>
    Effect.matchEffect(recordSignOfLife, { onSuccess: () => decideRelease, onFailure: reportFailure }).pipe(
      Effect.andThen(watchAvailability(unfinished)),
      Effect.andThen(startParts(unfinished)),
      Effect.andThen(unfinished.length === 0 ? Effect.void : redeliver),
      Effect.andThen(recordTurn(unfinished.length)),
      Effect.provideContext(services)
    )
  // The leases are renewed only if the loop turns within one.
  const loop = harvests.watch(turn, Duration.toMillis(lease))
  const failed = yield* Deferred.make<never>()
  // A loop that hangs may not be interruptible, so nothing waits for its fiber.
  for (const watched of [loop, watchHang])
    yield* Effect.forkScoped(Effect.onError(watched, (cause) => Deferred.failCause(failed, cause)))
  return Deferred.await(failed)
})

/** Returns the address as leases store it. */
const addressOf = ({ host, port }: RunnerAddress.RunnerAddress): string => `${host}:${port}`

/** The shards of the cluster that this worker holds. */
const heldShards = Effect.map(Sharding.Sharding, (sharding) =>
  Array.from({ length: clusterShards }, (_, shard) => ShardId.make("default", shard + 1)).filter(
    sharding.hasShardId
  )
)

/** Records a sign of life and the current work. The row is removed with the worker. */
const reporter = Effect.gen(function* () {
  const { address, lease, name, rate } = yield* WorkerSetup
  const sql = yield* SqlClient.SqlClient
  const chunks = yield* Chunks
  const harvests = yield* UnfinishedHarvests
  const startedAt = yield* Clock.currentTimeMillis
  const now = databaseTime(sql)
  let forgotAt = Number.NEGATIVE_INFINITY
  let sumsAt = Number.NEGATIVE_INFINITY
  yield* Effect.addFinalizer(() =>
    Effect.ignore(
      sql`DELETE FROM chemstream_workers WHERE name = ${name} AND address = ${addressOf(address)}`
    )
  )
  return Effect.gen(function* () {
    const busy = chunks.inFlight()
    const at = yield* now
    const row = {
      name,
      address: addressOf(address),
      started_at: startedAt,
      seen_at: at,
      lease: Duration.toMillis(lease),
      in_flight: Object.values(busy).reduce((sum, n) => sum + n, 0),
      shards: (yield* heldShards).length,
      busy: JSON.stringify(busy),
      rate: rate === undefined ? null : String(rate),
      unable: JSON.stringify(harvests.obstacles())
    }
    const unfinished = harvests.unfinished()
    yield* metrics.recordState({ inFlight: row.in_flight, shards: row.shards, unfinished })
    yield* sql`
      INSERT INTO chemstream_workers ${insertRow(sql, row)}
      ON CONFLICT (name) DO UPDATE SET address = excluded.address, seen_at = excluded.seen_at,
        lease = excluded.lease, in_flight = excluded.in_flight, shards = excluded.shards, busy = excluded.busy,
        unable = excluded.unable, rate = excluded.rate`
    const turnedAt = yield* MonotonicClock.currentMillis
    if (unfinished.length === 0 || turnedAt >= sumsAt) {
      yield* Effect.provideService(metrics.recordProgress(unfinished), SqlClient.SqlClient, sql)
      // A large harvest has many chunks to sum: at most a hundredth of the time.
      const hundredfold = 100 * ((yield* MonotonicClock.currentMillis) - turnedAt)
      sumsAt = turnedAt + Math.min(sumMillis.maximum, Math.max(sumMillis.minimum, hundredfold))
    }
    if (turnedAt - forgotAt < forgetMillis / 10) return
    forgotAt = turnedAt
    yield* sql`
      DELETE FROM chemstream_workers
      WHERE seen_at < ${at} - ${forgetMillis} OR seen_at > ${at} + ${forgetMillis}`
  })
})

const stuckReason = "it gets no shard of the harvests, although the database responds. Start it again"

/** Dies if the worker gets no shard for this many leases. An engine that was interrupted needs some of them. */
const longestWithoutShard = 4

/** Decides whether the worker releases its shards, and tells the engine. Dies if the engine does not recover. */
const shardRelease = Effect.gen(function* () {
  const { address, lease, outageAt } = yield* WorkerSetup
  const sql = yield* SqlClient.SqlClient
  const harvests = yield* UnfinishedHarvests
  const storage = yield* RunnerStorage.RunnerStorage
  const now = databaseTime(sql)
  let lastHeldAt = yield* MonotonicClock.currentMillis
  let isReleased = false
  /** Whether another worker can do every unfinished harvest. */
  const hasSubstitute = Effect.flatMap(now, (at) =>
    Effect.map(
      sql`
        SELECT name FROM chemstream_workers
        WHERE address <> ${addressOf(address)} AND unable = '{}'
          AND seen_at > ${at} - lease AND seen_at < ${at} + lease`,
      (rows) => rows.length > 0
    )
  )
  /** Whether other workers hold all shards, so that none is left for this one. */
  const isSuperfluous = Effect.flatMap(now, (at) =>
    Effect.map(
      sql`
        SELECT shard FROM chemstream_leases
        WHERE until > ${at} AND address <> '' AND address <> ${addressOf(address)}`,
      (rows) => rows.length >= clusterShards
    )
  )
  // After an outage of the database the engine may wait forever.
  const stopIfStuck = Effect.gen(function* () {
    const at = yield* MonotonicClock.currentMillis
    if ((yield* heldShards).length > 0) lastHeldAt = at
    if (at - Math.max(lastHeldAt, outageAt()) <= longestWithoutShard * Duration.toMillis(lease)) return
    if (!(yield* isSuperfluous)) return yield* Effect.die(new Error(stuckReason))
    lastHeldAt = at
  })
  return Effect.gen(function* () {
    const mustRelease = Object.keys(harvests.obstacles()).length > 0 && (yield* hasSubstitute)
    // A worker that releases its shards holds none, so it is not stuck.
    if (mustRelease) lastHeldAt = yield* MonotonicClock.currentMillis
    else yield* stopIfStuck
    // The engine treats the last worker as healthy in any case.
    if (mustRelease || isReleased) yield* storage.setRunnerHealth(address, !mustRelease)
    isReleased = mustRelease
  })
})

/**
 * Reports in the status and in the log that harvests wait for an unavailable service. Pauses the harvests after
 * `wait`. Chunks run in the engine, which does not log.
 */
const availabilityWatch = Effect.gen(function* () {
  const { wait } = yield* WorkerSetup
  const chunks = yield* Chunks
  const harvests = yield* UnfinishedHarvests
  const waitingHarvests = new Set<string>()
  let unavailableSince: number | undefined
  return (unfinished: ReadonlyArray<RunnableHarvest>) =>
    Effect.gen(function* () {
      if (!(yield* chunks.isUnavailable)) {
        if (unavailableSince !== undefined) yield* Effect.logInfo("the service is available again")
        unavailableSince = undefined
        for (const id of waitingHarvests) yield* harvests.clearWaiting(id, waitReasons.unavailable)
        waitingHarvests.clear()
        return
      }
      const at = yield* MonotonicClock.currentMillis
      if (unavailableSince === undefined) yield* Effect.logWarning(waitReasons.unavailable)
      unavailableSince ??= at
      const isOver = at - unavailableSince > Duration.toMillis(wait)
      if (isOver) {
        unavailableSince = undefined
        yield* chunks.assumeAvailable
      }
      for (const { epoch, id, state } of unfinished) {
        if (state !== "running") continue
        waitingHarvests.add(id)
        yield* isOver
          ? harvests.pause(id, epoch, waitReasons.stayedUnavailable(wait), { tag: "ServiceUnavailable" })
          : harvests.noteWaiting(id, waitReasons.unavailable)
      }
    })
})

/** Starts the parts (shards) of harvests that are on the cluster shards of this worker, each once. */
const partStarter = Effect.gen(function* () {
  const sharding = yield* Sharding.Sharding
  const engine = yield* WorkflowEngine.WorkflowEngine
  const known = new Map<string, ReadonlyArray<Part>>()
  const startedParts = new WeakSet<Part>()
  const partsOf = (key: string, { chunks, id, round }: RunnableHarvest) =>
    Effect.gen(function* () {
      const making = Effect.provideService(parts(id, chunks, round), Sharding.Sharding, sharding)
      const made = known.get(key) ?? (yield* making)
      known.set(key, made)
      return made
    })
  /** Starts a part. Returns whether the database has responded. */
  const startPart = (part: Part): Effect.Effect<boolean> =>
    part.start.pipe(
      Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
      Effect.andThen(Effect.sync(() => startedParts.add(part))),
      Effect.andThen(outages.end("engine")),
      Effect.as(true),
      Effect.catchCause((cause) => {
        const error = recordingFailure(cause)
        return error === undefined ? Effect.failCause(cause) : Effect.as(outages.note("engine", error), false)
      })
    )
  const { recordTurn } = yield* WorkerSetup
  const { outages } = yield* UnfinishedHarvests
  return (unfinished: ReadonlyArray<RunnableHarvest>) =>
    Effect.gen(function* () {
      const byKey = unfinished.map((row): readonly [string, RunnableHarvest] => [
        `${row.id}/${row.round}`,
        row
      ])
      const keys = new Set(byKey.map(([key]) => key))
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
      for (const [key, row] of byKey) {
        const own = (yield* partsOf(key, row)).filter(
          (part) => !startedParts.has(part) && sharding.hasShardId(part.clusterShard)
        )
        for (const part of own) {
          // Without the database, each part takes long to fail. The next turn reports the outage, and retries.
          if (!(yield* startPart(part))) return
          yield* recordTurn(unfinished.length)
        }
      }
    })
})

/**
 * Delivers messages again that the engine has read but does not process. If a connection fails in between, the engine
 * would read them again only after ten minutes. It ignores messages that it already processes.
 */
const redelivery = Effect.gen(function* () {
  const storage = yield* MessageStorage.MessageStorage
  let deliveredAt = yield* MonotonicClock.currentMillis
  return Effect.gen(function* () {
    const at = yield* MonotonicClock.currentMillis
    if (at - deliveredAt < redeliverMillis) return
    deliveredAt = at
    yield* Effect.ignore(storage.resetShards(yield* heldShards))
  })
})

/** Dies if the loop has not turned for this many leases. */
const longestHang = 5

/** Dies if the loop hangs. A process that was suspended gets the time to continue. */
const hangWatch = Effect.gen(function* () {
  const { isTurning, lease } = yield* WorkerSetup
  let hanging = 0
  return Effect.gen(function* () {
    yield* Effect.sleep(lease)
    hanging = (yield* isTurning) ? 0 : hanging + 1
    if (hanging >= longestHang)
      yield* Effect.die(
        new Error(`its loop has hung for ${Duration.format(Duration.times(lease, hanging))}. Start it again`)
      )
  }).pipe(Effect.forever)
})
