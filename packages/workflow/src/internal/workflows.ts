/**
 * The two workflows of a harvest: each of its shards, and its completion. How a chunk is fetched is `chunk.ts`'s.
 *
 * A shard fetches its chunks one after the other, each an activity that keeps its own record; the last of all has the sink
 * completed. Who holds a shard of the cluster begins what lies there, so that none waits for another: a workflow above the
 * shards would be run again whenever one of them ends, and the engine cannot give it away while it waits for a database that
 * has died.
 */
import { Effect, Schema } from "effect"
import { EntityId, ShardId, Sharding } from "effect/cluster"
import { Activity, Workflow, type WorkflowEngine } from "effect/workflow"
import { Chunks } from "./chunk.ts"
import { ownRecord } from "./ownRecord.ts"
import { chunksOf, salts, shardCount } from "./place.ts"
import { steadily } from "./steadily.ts"

/** How a workflow ended: with everything done, or because the harvest was cancelled. */
const End = Schema.Literals(["done", "cancelled"])

/** The engine's name of the group of shards on which workflows live. */
const group = "default"

const ShardWorkflow = Workflow.make("chemstream/HarvestShard", {
  payload: { harvest: Schema.String, chunks: Schema.Int, shard: Schema.Int, salt: Schema.Int },
  success: End,
  idempotencyKey: ({ harvest, salt }) => `${harvest}/${salt}`
})

const CompletionWorkflow = Workflow.make("chemstream/HarvestCompletion", {
  payload: { harvest: Schema.String, chunks: Schema.Int },
  success: End,
  idempotencyKey: ({ harvest }) => harvest
})

/** A shard of a harvest: where it lies, and how to have it begun unless it has begun. */
export interface Part {
  readonly place: ShardId.ShardId
  readonly begin: Effect.Effect<unknown, never, WorkflowEngine.WorkflowEngine>
}

/** The shards of a harvest. One without chunks has a single part, its completion. */
export const parts = (
  harvest: string,
  chunks: number
): Effect.Effect<ReadonlyArray<Part>, never, Sharding.Sharding> =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const placeOf = (executionId: string) => sharding.getShardId(EntityId.make(executionId), group)
    const found = yield* salts(shardCount(chunks), (salt) =>
      Effect.map(ShardWorkflow.executionId({ harvest, chunks, shard: 0, salt }), (id) => placeOf(id).id)
    )
    if (chunks === 0) {
      const place = placeOf(yield* CompletionWorkflow.executionId({ harvest, chunks }))
      return [{ place, begin: complete(harvest, chunks) }]
    }
    return found.map(({ place, salt }, shard) => ({
      place: ShardId.make(group, place),
      begin: ShardWorkflow.execute({ harvest, chunks, shard, salt }, { discard: true })
    }))
  })

const complete = (harvest: string, chunks: number) =>
  CompletionWorkflow.execute({ harvest, chunks }, { discard: true, detached: true })

export const shardLayer = ShardWorkflow.toLayer(({ chunks, harvest, shard }) =>
  Effect.gen(function* () {
    const { countDone, done, fetch } = yield* Chunks
    // Not to ask the engine one after the other for what it has recorded.
    const before = yield* done(harvest)
    for (const index of chunksOf(shard, chunks)) {
      if (before.has(index)) continue
      const end = yield* ownRecord(activity(`chunk ${index}`, fetch(harvest, index)))
      if (end === "cancelled") return end
    }
    if ((yield* countDone(harvest)) === chunks) yield* steadily(complete(harvest, chunks))
    return "done"
  })
)

export const completionLayer = CompletionWorkflow.toLayer(({ chunks, harvest }) =>
  Effect.flatMap(Chunks, (service) => step("complete", service.complete(harvest, chunks)))
)

/** Taken until the engine has recorded it. */
const step = <R>(name: string, execute: Effect.Effect<typeof End.Type, never, R>) =>
  steadily(activity(name, execute))

const activity = <R>(name: string, execute: Effect.Effect<typeof End.Type, never, R>) =>
  Activity.make({ name, success: End, execute })
