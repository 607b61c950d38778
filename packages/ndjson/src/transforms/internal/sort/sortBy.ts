/**
 * Sorts any number of records: `sortBy`, a stable external merge sort.
 *
 * Records that fit in memory are sorted there. Others are written to temporary files as sorted runs (`sortedRuns.ts`),
 * which are merged in groups until one merge is left: the output. `sortOrder.ts` compares keys.
 */
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { InvalidOption } from "../../../InvalidOption.ts"
import { atLeastOne, knownOptions } from "../../../internal/optionChecks.ts"
import { Arena } from "../copiedRecords.ts"
import { weigh } from "../recordFields.ts"
import { TransformError } from "../transformError.ts"
import { type Item, makeRuns, type Runs } from "./sortedRuns.ts"
import { comparison, criteria, type Order, type ReadSortKeys, sortKeyReader } from "./sortOrder.ts"

/** The default of `maxBytes` of `sortBy`: 64 MiB. */
export const MAX_SORT_BYTES: number = 64 * 1024 * 1024

/** The files that `sortBy` merges at once, if `ways` is not given: 16. */
export const SORT_WAYS: number = 16

/** The options of `sortBy`. */
export interface SortOptions {
  /**
   * The largest memory for records, in bytes, before they are written to a file. A record counts approximately the
   * bytes of its text plus 192. An object also counts 64 for each field and item. Default: 64 MiB.
   */
  readonly maxBytes?: number | undefined
  /**
   * The number of files that are read at once, at least 2. Each needs 256 KiB, or one record, in memory. Default: 16.
   */
  readonly ways?: number | undefined
  /**
   * The parent of the temporary folder. It needs space for the text of all records twice. Default: the folder of the
   * system.
   */
  readonly directory?: string | undefined
}

// The overhead of a record during the sort, in bytes, besides its size: keys, position, and the view of a raw record.
const ITEM_BYTES = 128

// The number of records in a chunk of the output.
const CHUNK_RECORDS = 1024

/**
 * Sorts records by one or several fields or functions, ascending by default. Records with equal keys keep their
 * order.
 *
 * Booleans come before numbers, and numbers before strings. Numbers are ordered by value, in raw records with all
 * digits; strings by code point, the order of their UTF-8 bytes. Records without a key (`null`, absent, `NaN`) come
 * last, or first with `missing: "first"`, in both directions.
 *
 * Reads the whole stream before it emits. Records beyond `maxBytes` need a `FileSystem`; the temporary folder is
 * always removed, also after a failure or an interruption. Raw records are restored byte for byte. Objects are stored
 * as JSON. A value that JSON would change (a `Date`, a class, `undefined`) fails with `not-json` if it must be
 * stored. Functions are called again for restored records.
 *
 * Also fails with `files`, and with `not-a-key` and `malformed` as `uniqueBy` does.
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
  knownOptions("sortBy", options, { maxBytes: true, ways: true, directory: true })
  const maxBytes = atLeastOne("maxBytes", options?.maxBytes ?? MAX_SORT_BYTES)
  const ways = options?.ways ?? SORT_WAYS
  if (!Number.isInteger(ways) || ways < 2)
    throw new InvalidOption("ways", "must be a whole number of at least 2", ways)
  const all = criteria(order)
  const read = sortKeyReader("sortBy", all)
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

/** Reads the whole stream into runs. Returns the last records, which fit in memory. */
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
