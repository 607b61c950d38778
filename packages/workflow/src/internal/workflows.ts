/**
 * The two workflows of a harvest: the whole, and each of its shards. How a chunk is fetched is `chunk.ts`'s.
 *
 * The whole waits for its shards, then completes the sink. A shard fetches its chunks one after the other, each an
 * activity: what the engine has recorded as done is not done again when the shard moves to another worker.
 */
import { Effect, Schema } from "effect"
import { Sharding } from "effect/cluster"
import { Activity, Workflow } from "effect/workflow"
import { Chunks } from "./chunk.ts"
import { chunksOf, salt, shardCount } from "./place.ts"
import { steadily } from "./steadily.ts"

/** How a workflow ended: with everything done, or because the harvest was cancelled. */
const End = Schema.Literals(["done", "cancelled"])

export const HarvestWorkflow = Workflow.make("chemstream/Harvest", {
  payload: { harvest: Schema.String, chunks: Schema.Int },
  success: End,
  idempotencyKey: ({ harvest }) => harvest
})

const ShardWorkflow = Workflow.make("chemstream/HarvestShard", {
  payload: { harvest: Schema.String, chunks: Schema.Int, shard: Schema.Int, salt: Schema.Int },
  success: End,
  idempotencyKey: ({ harvest, salt, shard }) => `${harvest}/${shard}/${salt}`
})

export const harvestLayer = HarvestWorkflow.toLayer(({ chunks, harvest }) =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const placeOf = (shard: number) => (tried: number) =>
      Effect.map(
        ShardWorkflow.executionId({ harvest, chunks, shard, salt: tried }),
        (id) => sharding.getShardId(id as never, "default").id
      )
    const ends = yield* Effect.forEach(
      Array.from({ length: shardCount(chunks) }, (_, shard) => shard),
      (shard) =>
        Effect.flatMap(salt(shard, placeOf(shard)), (salt) =>
          steadily(ShardWorkflow.execute({ harvest, chunks, shard, salt }))
        ),
      { concurrency: "unbounded" }
    )
    if (ends.includes("cancelled")) return "cancelled"
    return yield* steadily(complete(harvest, chunks))
  })
)

export const shardLayer = ShardWorkflow.toLayer(({ chunks, harvest, shard }) =>
  Effect.gen(function* () {
    const { fetch } = yield* Chunks
    for (const index of chunksOf(shard, chunks)) {
      const end = yield* steadily(
        Activity.make({ name: `chunk ${index}`, success: End, execute: fetch(harvest, index) })
      )
      if (end === "cancelled") return end
    }
    return "done"
  })
)

const complete = (harvest: string, chunks: number) =>
  Activity.make({
    name: "complete",
    success: End,
    execute: Effect.flatMap(Chunks, (service) => service.complete(harvest, chunks))
  })
