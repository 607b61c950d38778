/**
 * Assigns chunks to shards of a harvest, and these shards to shards of the cluster.
 *
 * A shard of a harvest is a share of its chunks, which one worker fetches one after the other. A shard of the cluster is what
 * a worker holds by a lease; it may have shards of several harvests.
 *
 * Chunks are assigned in turn. The engine places a workflow by a digest of its key, which distributes a few dozen of
 * them unevenly. So the key of each shard contains a number. The numbers are chosen so that the shards of a harvest
 * are on different shards of the cluster. The engine gives every worker the same number of them.
 */
import { Effect } from "effect"

/**
 * The number of shards of the cluster, and the largest number of shards of a harvest. All workers of a database need
 * the same number.
 */
export const clusterShards = 64

/** Returns the number of shards of a harvest with this many chunks. */
export const shardCount = (chunks: number): number => Math.min(chunks, clusterShards)

/** Returns the number of chunks of a shard. */
export const chunkCount = (shard: number, chunks: number): number =>
  Math.floor((chunks - 1 - shard) / shardCount(chunks)) + 1

/** Returns the chunks of a shard, in order. */
export const chunksOf = (shard: number, chunks: number): ReadonlyArray<number> =>
  Array.from({ length: chunkCount(shard, chunks) }, (_, turn) => shard + turn * shardCount(chunks))

/** The number in the key of a shard, and its shard of the cluster. */
export interface Salt {
  readonly salt: number
  readonly clusterShard: number
}

/**
 * Finds a number for each shard, so that all of them are on different shards of the cluster.
 *
 * `placeOf` returns the cluster shard of a number. About 300 numbers cover all 64 shards.
 */
export const salts = (
  count: number,
  placeOf: (salt: number) => Effect.Effect<number>
): Effect.Effect<ReadonlyArray<Salt>> =>
  Effect.gen(function* () {
    const found: Array<Salt> = []
    const taken = new Set<number>()
    for (let tried = 0; found.length < count; tried += clusterShards) {
      const some = Array.from({ length: clusterShards }, (_, n) => tried + n)
      // In groups, because each call goes to another thread.
      const places = yield* Effect.forEach(some, placeOf, { concurrency: "unbounded" })
      for (const [n, clusterShard] of places.entries()) {
        if (taken.has(clusterShard) || found.length === count) continue
        taken.add(clusterShard)
        found.push({ salt: tried + n, clusterShard })
      }
    }
    return found
  })
