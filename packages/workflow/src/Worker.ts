/**
 * A worker: takes its share of the shards of every harvest of its database, as long as it lives.
 *
 * Workers need nothing of each other: what one has begun and does not end, because it died or lost the database, another
 * takes over when its lease has run out. Which harvests there are is `Harvest`'s to say, and whether they go on.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { ChemClient, MonotonicClock } from "@chemstream/client"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Clock, Duration, Effect, type FileSystem, Layer, Option, type Path } from "effect"
import {
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  RunnerStorage,
  Runners,
  ShardId,
  Sharding,
  ShardingConfig,
  SqlMessageStorage
} from "effect/cluster"
import { SqlClient, type SqlError } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import * as Harvest from "./Harvest.ts"
import { Chunks, layer as chunksLayer } from "./internal/chunk.ts"
import { Control, layer as controlLayer } from "./internal/control.ts"
import { layer as leases } from "./internal/leases.ts"
import * as metrics from "./internal/metrics.ts"
import { clusterShards } from "./internal/place.ts"
import { completionLayer, type Part, parts, shardLayer } from "./internal/workflows.ts"

/** Chunks that a worker fetches at the same time when not set. */
export const defaultConcurrency = 4

/** How long a worker that says nothing keeps its shards when not set. */
export const defaultLease: Duration.Input = "15 seconds"

/** How a worker works. */
export interface Options {
  /** Its name in the status of a harvest; host and process when not given. */
  readonly name?: string | undefined
  /** Chunks fetched at the same time; 4 when not given. */
  readonly concurrency?: number | undefined
  /**
   * How long a worker that says nothing, because it died or lost the database, keeps its shards; 15 seconds when not
   * given. The same for all workers of a database.
   */
  readonly lease?: Duration.Input | undefined
}

/**
 * A worker for as long as the layer lives. It asks only for harvests of the service that its client asks: where one of
 * another has not ended it fails with `OtherService`, and one that is started later by others it pauses.
 */
export const layer = (
  options: Options = {}
): Layer.Layer<
  never,
  Harvest.OtherService | SqlError.SqlError,
  SqlClient.SqlClient | ChemClient.ChemClient | FileSystem.FileSystem | Path.Path
> => {
  const name = options.name ?? `${hostname()}:${process.pid}`
  const concurrency = Math.max(1, Math.floor(options.concurrency ?? defaultConcurrency))
  const services = chunksLayer({ worker: name, concurrency }).pipe(Layer.provideMerge(controlLayer))
  const lease = Duration.fromInputUnsafe(options.lease ?? defaultLease)
  // A new one each time: what a worker that died has left is not taken for this one's.
  const address = RunnerAddress.make(`${hostname()}-${randomUUID()}`, process.pid)
  return Layer.mergeAll(completionLayer, shardLayer, watch(name, address, lease)).pipe(
    Layer.provide(ClusterWorkflowEngine.layer),
    Layer.provide(services),
    Layer.provide(cluster(address, lease)),
    Layer.provide(ofOneService)
  )
}

/** Fails where a harvest that has not ended asks another service than the client. */
const ofOneService = Layer.effectDiscard(
  Effect.flatMap(ChemClient.ChemClient, ({ baseUrl }) => Harvest.refuseOtherService(baseUrl))
)

/** The engine's cluster over the database alone: messages are found there, and who is alive is told by leases. */
const cluster = (address: RunnerAddress.RunnerAddress, lease: Duration.Duration) =>
  Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(SqlMessageStorage.layer),
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provideMerge(leases(Duration.toMillis(lease))),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provide(
      ShardingConfig.layer({
        runnerAddress: Option.some(address),
        shardsPerGroup: clusterShards,
        shardLockExpiration: lease,
        // Also how long one refresh may take, before the worker gives up all of its shards.
        shardLockRefreshInterval: Duration.toMillis(lease) / 3,
        refreshAssignmentsInterval: "1 second",
        entityMessagePollInterval: "500 millis",
        entityReplyPollInterval: "500 millis",
        // A shard that moves to another worker stands still for so long: the engine waits for its workflow, which only ends
        // with the shard. What is interrupted then is done again.
        entityTerminationTimeout: "1 second",
        simulateRemoteSerialization: false
      })
    )
  )

/** Begins the shards of every harvest that lie with this worker, unless they have begun, and says that it lives. */
const watch = (name: string, address: RunnerAddress.RunnerAddress, lease: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const control = yield* Control
      const chunks = yield* Chunks
      const sharding = yield* Sharding.Sharding
      const storage = yield* RunnerStorage.RunnerStorage
      const engine = yield* WorkflowEngine.WorkflowEngine
      const startedAt = yield* Clock.currentTimeMillis
      const known = new Map<string, ReadonlyArray<Part>>()
      const begun = new WeakSet<Part>()
      const shards = (): number =>
        Array.from({ length: clusterShards }, (_, shard) => ShardId.make("default", shard + 1)).filter(
          sharding.hasShardId
        ).length
      const live = Effect.gen(function* () {
        const row = {
          name,
          started_at: startedAt,
          seen_at: yield* Clock.currentTimeMillis,
          in_flight: chunks.inFlight(),
          shards: shards()
        }
        yield* metrics.now({ inFlight: row.in_flight, shards: row.shards })
        yield* sql`
          INSERT INTO chemstream_workers ${sql.insert(row)}
          ON CONFLICT (name) DO UPDATE
          SET seen_at = excluded.seen_at, in_flight = excluded.in_flight, shards = excluded.shards`
      })
      const patience = 2 * Duration.toMillis(lease)
      let heldAt = yield* MonotonicClock.currentMillis
      let awayUntil: number | undefined
      // Where the death of the database leaves the engine waiting for ever, others are given the shards that it cannot take.
      // After a while it is given some again, in case that is over.
      const stepBack = Effect.gen(function* () {
        const at = yield* MonotonicClock.currentMillis
        if (shards() > 0) heldAt = at
        const isAway = awayUntil === undefined ? at - heldAt > patience : at < awayUntil
        if (isAway === (awayUntil !== undefined)) return
        yield* storage.setRunnerHealth(address, !isAway)
        heldAt = at
        awayUntil = isAway ? at + 5 * patience : undefined
      })
      const look = Effect.matchEffect(live, {
        onSuccess: () => Effect.ignore(stepBack),
        onFailure: () =>
          Effect.map(MonotonicClock.currentMillis, (at) => {
            heldAt = at
          })
      })
      const partsOf = (harvest: string, chunks: number) =>
        Effect.suspend(() => {
          const found = known.get(harvest)
          if (found !== undefined) return Effect.succeed(found)
          return Effect.tap(
            Effect.provideService(parts(harvest, chunks), Sharding.Sharding, sharding),
            (made) => Effect.sync(() => known.set(harvest, made))
          )
        })
      /** Has what lies on the shards of this worker begun. */
      const begin = (part: Part) =>
        part.begin.pipe(
          Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
          Effect.andThen(Effect.sync(() => begun.add(part))),
          // The database does not answer; the next look tries again.
          Effect.catchDefect(() => Effect.void)
        )
      yield* Effect.forkScoped(
        control.watch((open) =>
          Effect.gen(function* () {
            yield* look
            const ids = new Set(open.map(({ id }) => id))
            for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
            for (const { chunks, id } of open) {
              const own = (yield* partsOf(id, chunks)).filter(
                (part) => !begun.has(part) && sharding.hasShardId(part.place)
              )
              yield* Effect.forEach(own, begin, { discard: true })
            }
          })
        )
      )
    })
  )
