/**
 * Records in an order, however many there are: `sortBy`, a stable external merge sort.
 *
 * What fits in memory is sorted there. What does not is written to temporary files in sorted runs (`runs.ts`), which are
 * merged, so many at a time, until one merge is left: that is the stream. The order is `order.ts`'s.
 */
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { atLeastOne } from "../../../internal/bounds.ts"
import { Arena } from "../arena.ts"
import { weigh } from "../record.ts"
import { TransformError } from "../transformError.ts"
import { comparison, criteria, type Order, type ReadSortKeys, sortKeyReader } from "./order.ts"
import { type Item, makeRuns, type Runs } from "./runs.ts"

/** The default of `sortBy`'s `maxBytes`: 64 MiB. */
export const MAX_SORT_BYTES: number = 64 * 1024 * 1024

/** The default of `sortBy`'s `ways`. */
export const SORT_WAYS: number = 16

/** How records are sorted, and the bound of memory. */
export interface SortOptions {
  /**
   * The most records to hold in memory before they are written to a file: each counts about the bytes of its text, 192 for
   * itself and, in an object, 64 for each field and item. Default 64 MiB.
   */
  readonly maxBytes?: number | undefined
  /** How many files are read at once, each with 256 KiB or one record in memory; at least 2. Default 16. */
  readonly ways?: number | undefined
  /** Where the temporary folder is made; it has to hold the text of all records twice. Default: the system's. */
  readonly directory?: string | undefined
}

// What a record costs while it is sorted, besides its weight: its keys, its place, and a view if it is raw.
const ITEM_BYTES = 128

// Records a chunk of the output.
const CHUNK_RECORDS = 1024

/**
 * The records in the order of one or several fields or functions, each ascending unless it says otherwise; records with
 * equal keys stay in their order. Booleans come before numbers, and these before strings. Numbers are ordered by value, in
 * raw records with all of their digits; strings by code point, which is the order of their UTF-8 bytes. Records without a
 * key (`null`, absent, `NaN`) come last, or first with `missing: "first"`, whatever the direction.
 *
 * Reads the stream to its end before it emits. Needs a `FileSystem` for what does not fit in `maxBytes`; its temporary
 * folder is removed at the end, also after a failure or an interruption. Raw records come back byte for byte. Objects
 * are written as JSON, so what JSON would change (a `Date`, a class, `undefined`) fails with `not-json` when it has to
 * wait in a file. Functions are called again on what comes back.
 *
 * Fails besides with `files`, and with `not-a-key` and `malformed` as `uniqueBy` does.
 *
 * @example
 * ```ts
 * import { NodeFileSystem } from "@effect/platform-node"
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const hits = Stream.make({ id: "b", n: 1 }, { id: "a", n: 2 }, { id: "c", n: 2 }, { id: "d", n: null })
 * const sorted = hits.pipe(Transform.sortBy([{ by: "n", direction: "descending" }, "id"]), Transform.pick("id"))
 * await Effect.runPromise(sorted.pipe(Stream.runCollect, Effect.provide(NodeFileSystem.layer)))
 * // => [{ id: "a" }, { id: "c" }, { id: "b" }, { id: "d" }]
 * ```
 */
export const sortBy = <A extends object>(
  order: Order<A>,
  options?: SortOptions
): (<E, R>(
  self: Stream.Stream<A, E, R>
) => Stream.Stream<A, E | TransformError, R | FileSystem.FileSystem>) => {
  const maxBytes = atLeastOne("maxBytes", options?.maxBytes ?? MAX_SORT_BYTES)
  const ways = options?.ways ?? SORT_WAYS
  if (!Number.isInteger(ways) || ways < 2)
    throw new RangeError(`ways must be a whole number of at least 2, got ${ways}`)
  const all = criteria(order)
  const read = sortKeyReader(all)
  const compareKeys = comparison(all)
  const compare = (a: Item<A>, b: Item<A>): number => compareKeys(a.keys, b.keys)
  return (self) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const runs = yield* makeRuns<A>({ files, compare, read, ways, directory: options?.directory })
        const rest = yield* collect(self, runs, { read, maxBytes })
        if (runs.count() === 0) {
          rest.sort(compare)
          return Stream.fromIterable(rest, { chunkSize: CHUNK_RECORDS }).pipe(
            Stream.map(({ record }) => record)
          )
        }
        yield* runs.add(rest)
        return yield* runs.records(CHUNK_RECORDS)
      })
    )
}

interface CollectOptions<A> {
  readonly read: ReadSortKeys<A>
  readonly maxBytes: number
}

/** Reads the stream to its end into runs; gives the last records, which fit in memory. */
const collect = <A, E, R>(
  self: Stream.Stream<A, E, R>,
  runs: Runs<A>,
  { read, maxBytes }: CollectOptions<A>
): Effect.Effect<Array<Item<A>>, E | TransformError, R | Scope.Scope> =>
  Effect.suspend(() => {
    let items: Array<Item<A>> = []
    const arena = new Arena()
    let bytes = 0
    let index = 0
    const take = Effect.fnUntraced(function* (records: ReadonlyArray<A>) {
      for (const record of records) {
        const keys = read(record, index)
        if (keys instanceof TransformError) return yield* keys
        const { bytes: size, text } = weigh(record)
        if (items.length > 0 && bytes + size + ITEM_BYTES > maxBytes) {
          yield* runs.add(items)
          items = []
          arena.clear()
          bytes = 0
        }
        bytes += size + ITEM_BYTES
        items.push({ keys, record: arena.keep(record), index, text })
        index++
      }
    })
    return Effect.map(Stream.runForEachArray(self, take), () => items)
  })
