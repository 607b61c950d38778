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
import { chunksOf, salts, shardCount } from "./place.ts"
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
  idempotencyKey: ({ harvest, salt }) => `${harvest}/${salt}`
})

/**
 * The salts of the harvests that go on here: some hundred digests each, and the workflow of a harvest is replayed
 * whenever one of its shards ends.
 */
const saltsOf = new Map<string, ReadonlyArray<number>>()

export const harvestLayer = HarvestWorkflow.toLayer(({ chunks, harvest }) =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const placeOf = (salt: number) =>
      Effect.map(
        ShardWorkflow.executionId({ harvest, chunks, shard: 0, salt }),
        (id) => sharding.getShardId(id as never, "default").id
      )
    const known = saltsOf.get(harvest) ?? (yield* salts(shardCount(chunks), placeOf))
    saltsOf.set(harvest, known)
    const ends = yield* Effect.forEach(
      known,
      (salt, shard) => steadily(ShardWorkflow.execute({ harvest, chunks, shard, salt })),
      { concurrency: "unbounded" }
    )
    saltsOf.delete(harvest)
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
