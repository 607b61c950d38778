/**
 * Runs workers. A worker fetches a share of every harvest of its database as long as it lives.
 *
 * Chunks are divided among shards, and a worker holds some of the shards (`shardPlacement.ts`). The shards of a dead
 * worker go to the others. The loop of a worker (`workerLoop.ts`) records its signs of life; if it fails, the worker
 * releases its shards and reports the reason (`failure`). `Harvest` starts, pauses and resumes harvests.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { ChemClient, Options as Declared, type InvalidOption, MonotonicClock } from "@chemstream/client"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import {
  Cause,
  Context,
  Data,
  Deferred,
  Duration,
  Effect,
  Exit,
  type FileSystem,
  Layer,
  Option,
  type Path,
  References,
  Scope
} from "effect"
import {
  ClusterWorkflowEngine,
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SqlMessageStorage
} from "effect/cluster"
import { SqlClient, SqlError } from "effect/sql"
import * as Harvest from "./Harvest.ts"
import { releaseWithin } from "./internal/database/releaseWithin.ts"
import { withLimits } from "./internal/database/transaction.ts"
import { layer as chunksLayer } from "./internal/worker/chunkSteps.ts"
import { completionLayer, shardLayer } from "./internal/worker/harvestWorkflows.ts"
import { logWaits } from "./internal/worker/logWaits.ts"
import * as leases from "./internal/worker/shardLeases.ts"
import { clusterShards } from "./internal/worker/shardPlacement.ts"
import { firstPeer, type Peer, refuseOthers } from "./internal/worker/sharedSettings.ts"
import { UnfinishedHarvests, layer as unfinishedLayer } from "./internal/worker/unfinishedHarvests.ts"
import { WorkerSetup, watch } from "./internal/worker/workerLoop.ts"

/** The most chunks that a worker fetches at once, if `concurrency` is not given: 4. */
export const defaultConcurrency = 4

/** How long a silent worker keeps its shards, if `lease` is not given: 15 seconds. */
export const defaultLease: Duration.Input = leases.defaultLease

/** How long a worker may take to release its shards. Those that it keeps go to others after its lease. */
const longestRelease: Duration.Input = "10 seconds"

/** Returns the settings that running workers share, of the one that started first. Undefined: no worker runs. */
export const running: Effect.Effect<Peer | undefined, SqlError.SqlError, SqlClient.SqlClient> = firstPeer

/** How much a worker fetches at once, how long it keeps its shards, and when it ends. */
export interface Options {
  /** Its name in the status of a harvest. Default: host and process. */
  readonly name?: string | undefined
  /** The number of concurrent chunks. Default: 4. */
  readonly concurrency?: number | undefined
  /**
   * How long a silent worker of another machine keeps its shards. A dead process on the same machine loses them at
   * once. All workers of a database share it. Default: that of the running workers, else 15 seconds.
   */
  readonly lease?: Duration.Input | undefined
  /**
   * The limit of its client in requests per second, which is recorded for other workers; `Infinity`: no limit. All
   * workers of a database that share their rate need the same value. Default: not recorded.
   */
  readonly rate?: number | undefined
  /**
   * How long to wait for an unavailable service before its harvests are paused. A time that the service asks to wait
   * does not count. Default: forever.
   */
  readonly wait?: Duration.Input | undefined
}

/** The declaration of the options. */
export const optionSet = Declared.set<Options>()({
  name: Declared.text,
  concurrency: Declared.withDefault(Declared.count, defaultConcurrency),
  lease: Declared.time("positive"),
  rate: Declared.kind<number>("a number above 0", (value) => typeof value === "number" && value > 0),
  wait: Declared.time("infinite")
})

/** The loop of a worker failed. Its shards go to the others. */
export class WorkerFailed extends Data.TaggedError("WorkerFailed")<{
  readonly name: string
  readonly message: string
  readonly cause: unknown
}> {}

/** A running worker. */
export class Worker extends Context.Service<
  Worker,
  {
    /** Fails when the loop of the worker has failed and its shards are released. */
    readonly failure: Effect.Effect<never, WorkerFailed>
    /** Whether it can work: its loop repeats in time, and the database accepts its signs of life. */
    readonly isReady: Effect.Effect<boolean>
    /**
     * Logs why its harvests wait or are paused, each reason once, until it is interrupted. `run` does this. Without it,
     * only the status of a harvest has the reason.
     */
    readonly logWaits: Effect.Effect<never>
  }
>()("@chemstream/workflow/Worker") {}

/**
 * Runs a worker as long as the layer lives.
 *
 * It works only on harvests of its client's service and dialect. Fails with `ServiceMismatch` if an unfinished
 * harvest uses another service or dialect, and with `InvalidOption` if an option cannot be used, or `lease` or `rate`
 * differ from those of a running worker. If a harvest of
 * another service starts later, the worker pauses it.
 */
export const layer = (
  options: Options = {}
): Layer.Layer<
  Worker,
  Harvest.ServiceMismatch | InvalidOption.InvalidOption | SqlError.SqlError,
  SqlClient.SqlClient | ChemClient.ChemClient | FileSystem.FileSystem | Path.Path
> =>
  Layer.effect(
    Worker,
    Effect.gen(function* () {
      yield* Declared.check(optionSet, options)
      const { baseUrl, dialect } = yield* ChemClient.ChemClient
      yield* Harvest.refuseOtherTarget({ service: baseUrl, dialect })
      const name = options.name ?? `${hostname()}:${process.pid}`
      const peer = yield* firstPeer
      if (peer !== undefined) yield* refuseOthers(peer, options)
      const lease = peer?.lease ?? Duration.fromInputUnsafe(options.lease ?? defaultLease)
      const { isWritable, ...turns } = yield* trackLoop(Duration.toMillis(lease))
      const failed = yield* Deferred.make<never, WorkerFailed>()
      const scope = yield* Scope.make()
      const release = (exit: Exit.Exit<unknown, unknown>) =>
        releaseWithin(longestRelease, Scope.close(scope, exit))
      yield* Effect.addFinalizer(release)
      const services = yield* Layer.buildWithScope(
        engine({
          name,
          concurrency: options.concurrency ?? defaultConcurrency,
          lease,
          rate: options.rate ?? peer?.rate,
          wait: Duration.fromInputUnsafe(options.wait ?? Duration.infinity),
          ...turns,
          // New for each worker, so that it does not inherit the shards of a dead one.
          address: RunnerAddress.make(`${hostname()}-${randomUUID()}`, process.pid)
        }),
        scope
      ).pipe(
        // The engine creates its tables, and dies if it cannot.
        Effect.catchDefect((defect) =>
          SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
        )
      )
      const loop = yield* watch.pipe(
        Effect.provideContext(services),
        Effect.provideService(Scope.Scope, scope)
      )
      yield* Effect.forkScoped(
        Effect.catchCause(loop, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(release(Exit.failCause(cause)), Deferred.fail(failed, workerFailed(name, cause)))
        )
      )
      return Worker.of({
        failure: Deferred.await(failed),
        isReady: Effect.map(turns.isTurning, (isTurning) => isTurning && isWritable()),
        logWaits: logWaits(Context.get(services, UnfinishedHarvests).unfinished)
      })
    })
  )

/**
 * Tracks whether the loop of a worker has started or finished a turn within this time, in milliseconds, and whether the
 * database is writable.
 */
const trackLoop = (
  within: number
): Effect.Effect<
  Pick<
    WorkerSetup["Service"],
    "isIdle" | "isTurning" | "outageAt" | "recordDatabase" | "recordOutage" | "recordTurn"
  > & {
    readonly isWritable: () => boolean
  }
> =>
  Effect.map(MonotonicClock.currentMillis, (startedAt) => {
    let turnedAt = startedAt
    let isIdle = false
    let isWritable = false
    let outageAt = Number.NEGATIVE_INFINITY
    return {
      isWritable: () => isWritable,
      recordDatabase: (now) => {
        isWritable = now
      },
      outageAt: () => outageAt,
      recordOutage: Effect.map(MonotonicClock.currentMillis, (at) => {
        outageAt = at
      }),
      recordTurn: (unfinished) =>
        Effect.map(MonotonicClock.currentMillis, (at) => {
          turnedAt = at
          isIdle = unfinished === 0
        }),
      isIdle: () => isIdle,
      isTurning: Effect.map(MonotonicClock.currentMillis, (at) => at - turnedAt < within)
    }
  })

/** Runs a worker until it is interrupted. Fails if the worker cannot start, or its loop fails. */
export const run = (
  options: Options = {}
): Effect.Effect<
  never,
  WorkerFailed | Harvest.ServiceMismatch | InvalidOption.InvalidOption | SqlError.SqlError,
  SqlClient.SqlClient | ChemClient.ChemClient | FileSystem.FileSystem | Path.Path
> =>
  Effect.scoped(
    Effect.flatMap(Layer.build(layer(options)), (context) => {
      const worker = Context.get(context, Worker)
      return Effect.raceFirst(worker.failure, worker.logWaits)
    })
  )

const workerFailed = (name: string, cause: Cause.Cause<unknown>): WorkerFailed => {
  const error = Cause.squash(cause)
  const reason = error instanceof Error ? error.message : String(error)
  return new WorkerFailed({ name, cause: error, message: `the worker ${name} stopped: ${reason}` })
}

const engine = (setup: WorkerSetup["Service"]) => {
  const services = chunksLayer({ worker: setup.name, concurrency: setup.concurrency }).pipe(
    Layer.provideMerge(unfinishedLayer)
  )
  return Layer.mergeAll(completionLayer, shardLayer, Layer.succeed(WorkerSetup, setup)).pipe(
    Layer.provideMerge(ClusterWorkflowEngine.layer),
    Layer.provideMerge(services),
    Layer.provideMerge(cluster(setup))
  )
}

/** The engine's messages. Without an unfinished harvest, the database is not asked for them. */
const messages = (isIdle: () => boolean) =>
  Layer.effect(
    MessageStorage.MessageStorage,
    Effect.map(MessageStorage.MessageStorage, (storage) => ({
      ...storage,
      unprocessedMessages: (shards, options) =>
        isIdle() ? Effect.succeed([]) : storage.unprocessedMessages(shards, options)
    }))
  ).pipe(
    Layer.provide(SqlMessageStorage.layer),
    Layer.provide(Layer.effect(SqlClient.SqlClient, Effect.map(SqlClient.SqlClient, withLimits)))
  )

/**
 * The engine's cluster, over the database alone. The database delivers messages, and its leases show which workers
 * are alive.
 */
const cluster = ({ address, isIdle, isTurning, lease, recordOutage }: WorkerSetup["Service"]) =>
  Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(messages(isIdle)),
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provideMerge(leases.layer(Duration.toMillis(lease), { isAlive: isTurning, isIdle, recordOutage })),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provide(
      ShardingConfig.layer({
        runnerAddress: Option.some(address),
        shardsPerGroup: clusterShards,
        shardLockExpiration: lease,
        shardLockRefreshInterval: Duration.toMillis(lease) * leases.refreshShare,
        refreshAssignmentsInterval: leases.assignmentInterval,
        // Off, because a health check would return released shards to their worker. Leases show which workers are
        // alive.
        runnerHealthCheckInterval: "1000 days",
        entityMessagePollInterval: "500 millis",
        entityReplyPollInterval: "500 millis",
        entityTerminationTimeout: leases.longestTermination,
        simulateRemoteSerialization: false
      })
    ),
    // Users cannot act on the engine's messages, e.g. "No healthy runners available". `workerLoop.ts` reports what
    // harvests wait for.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )
