/**
 * Which shard of a harvest a chunk belongs to, and on which shard of the cluster that one lives.
 *
 * Chunks are dealt out in turn. The engine places a workflow by a digest of its key, which spreads a few dozen of them
 * unevenly; so the key of a shard carries a number, and of the numbers those are taken that lie on different shards of the
 * cluster, of which every worker holds as many as the others.
 */
import { Effect } from "effect"

/** Shards of the cluster, and the most that a harvest has. The same for all workers of a database. */
export const clusterShards = 64

/** How many shards a harvest of so many chunks has. */
export const shardCount = (chunks: number): number => Math.min(chunks, clusterShards)

/** How many chunks a shard has. */
export const chunkCount = (shard: number, chunks: number): number =>
  Math.floor((chunks - 1 - shard) / shardCount(chunks)) + 1

/** The chunks of a shard, in their order. */
export const chunksOf = (shard: number, chunks: number): ReadonlyArray<number> =>
  Array.from({ length: chunkCount(shard, chunks) }, (_, turn) => shard + turn * shardCount(chunks))

/** The number in the key of a shard, and the shard of the cluster where that puts it. */
export interface Salt {
  readonly salt: number
  readonly place: number
}

/**
 * A number for each of so many shards, so that no two of them lie on the same shard of the cluster; `placeOf` says where a
 * number puts a shard. All 64 are there after some three hundred numbers.
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
      // Each is a visit to another thread, where many go together.
      const places = yield* Effect.forEach(some, placeOf, { concurrency: "unbounded" })
      for (const [n, place] of places.entries()) {
        if (taken.has(place) || found.length === count) continue
        taken.add(place)
        found.push({ salt: tried + n, place })
      }
    }
    return found
  })
