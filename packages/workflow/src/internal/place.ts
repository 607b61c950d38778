/**
 * Which shard of a harvest a chunk belongs to, and on which shard of the cluster that one lives.
 *
 * Chunks are dealt out in turn. The engine places a workflow by a digest of its key, which spreads a few dozen of them
 * unevenly; so the key of a shard carries a number that is tried until the shard lies where it should: one on each of the
 * cluster, of which every worker holds as many as the others.
 */
import { Effect } from "effect"

/** Shards of the cluster, and the most that a harvest has. The same for all workers of a database. */
export const clusterShards = 64

/** How many shards a harvest of so many chunks has. */
export const shardCount = (chunks: number): number => Math.min(chunks, clusterShards)

/** The shard of a chunk, from 0. */
export const shardOf = (index: number, chunks: number): number => index % shardCount(chunks)

/** The chunks of a shard, in their order. */
export const chunksOf = (shard: number, chunks: number): ReadonlyArray<number> =>
  Array.from(
    { length: Math.floor((chunks - 1 - shard) / shardCount(chunks)) + 1 },
    (_, turn) => shard + turn * shardCount(chunks)
  )

/** The first number that puts a shard where it should be; `placeOf` says where a number puts it. */
export const salt = (
  shard: number,
  placeOf: (salt: number) => Effect.Effect<number>
): Effect.Effect<number> => {
  const search = (tried: number): Effect.Effect<number> =>
    Effect.flatMap(placeOf(tried), (place) =>
      place === (shard % clusterShards) + 1 ? Effect.succeed(tried) : search(tried + 1)
    )
  return search(0)
}
