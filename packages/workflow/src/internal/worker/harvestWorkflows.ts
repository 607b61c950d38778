/**
 * The two workflows of a harvest: one per shard, and its completion. `chunkSteps.ts` fetches chunks.
 *
 * A shard fetches its chunks one after the other, and skips those in the table of progress. Chunks are not activities,
 * because the engine would record them a second time. The last shard completes the sink. No workflow controls the
 * shards. Such a workflow would run again whenever a shard ends, and the engine could not move it during an outage of
 * the database. Instead, each worker starts the parts on the cluster shards that it holds.
 */
import { Effect, Schema } from "effect"
import { EntityId, ShardId, Sharding } from "effect/cluster"
import { Workflow, type WorkflowEngine } from "effect/workflow"
import { Chunks } from "./chunkSteps.ts"
import { chunksOf, salts, shardCount } from "./shardPlacement.ts"
import { retryUntilRecorded } from "./stepRetry.ts"

/** How a workflow ended: it is done, or the harvest was cancelled. */
const End = Schema.Literals(["done", "cancelled"])

/** The engine's name of the group of shards for workflows. */
const group = "default"

const ShardWorkflow = Workflow.make("chemstream/HarvestShard", {
  payload: {
    harvest: Schema.String,
    chunks: Schema.Int,
    round: Schema.Int,
    shard: Schema.Int,
    salt: Schema.Int
  },
  success: End,
  idempotencyKey: ({ harvest, round, salt }) => `${harvest}/${round}/${salt}`
})

const CompletionWorkflow = Workflow.make("chemstream/HarvestCompletion", {
  payload: { harvest: Schema.String, chunks: Schema.Int, round: Schema.Int },
  success: End,
  idempotencyKey: ({ harvest, round }) => `${harvest}/${round}`
})

/** A part of a harvest that a worker starts: a shard or, without chunks, the completion. `start` starts it once. */
export interface Part {
  readonly clusterShard: ShardId.ShardId
  readonly start: Effect.Effect<unknown, never, WorkflowEngine.WorkflowEngine>
}

/**
 * Returns the parts of a harvest in a round; each round has its own workflows. A harvest without chunks has one part, its
 * completion.
 */
export const parts = (
  harvest: string,
  chunks: number,
  round: number
): Effect.Effect<ReadonlyArray<Part>, never, Sharding.Sharding> =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const clusterShardOf = (executionId: string) => sharding.getShardId(EntityId.make(executionId), group)
    const placed = yield* salts(shardCount(chunks), (salt) =>
      Effect.map(
        ShardWorkflow.executionId({ harvest, chunks, round, shard: 0, salt }),
        (id) => clusterShardOf(id).id
      )
    )
    if (chunks === 0) {
      const clusterShard = clusterShardOf(yield* CompletionWorkflow.executionId({ harvest, chunks, round }))
      return [{ clusterShard, start: complete(harvest, chunks, round) }]
    }
    return placed.map(({ clusterShard, salt }, shard) => ({
      clusterShard: ShardId.make(group, clusterShard),
      start: ShardWorkflow.execute({ harvest, chunks, round, shard, salt }, { discard: true })
    }))
  })

const complete = (harvest: string, chunks: number, round: number) =>
  CompletionWorkflow.execute({ harvest, chunks, round }, { discard: true, detached: true })

export const shardLayer = ShardWorkflow.toLayer(({ chunks, harvest, round, shard }) =>
  Effect.gen(function* () {
    const { countRecorded, recordedChunks, fetch, isOutdated } = yield* Chunks
    const before = yield* recordedChunks(harvest)
    for (const index of chunksOf(shard, chunks)) {
      if (before.has(index)) continue
      if (isOutdated(harvest, round)) return "done"
      const end = yield* fetch(harvest, index)
      if (end === "cancelled") return end
    }
    if ((yield* countRecorded(harvest)) === chunks)
      yield* retryUntilRecorded(complete(harvest, chunks, round))
    return "done"
  })
)

export const completionLayer = CompletionWorkflow.toLayer(({ chunks, harvest, round }) =>
  Effect.flatMap(Chunks, (service) => service.complete(harvest, chunks, round))
)
