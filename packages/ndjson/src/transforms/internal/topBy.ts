/** Selects the first records of each key in an order: `topBy`. */
import type * as Stream from "effect/Stream"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import { feed } from "../../streams/internal/pushParser.ts"
import { copyOf } from "./copiedRecords.ts"
import { weigh } from "./recordFields.ts"
import { type Keys, keyName, keyReader } from "./recordKey.ts"
import { comparison, criteria, type Order, type SortKey, sortKeyReader } from "./sort/sortOrder.ts"
import { failure, TransformError } from "./transformError.ts"

/** The default of `maxBytes` of `topBy`: 256 MiB. */
export const MAX_TOP_BYTES: number = 256 * 1024 * 1024

// The overhead of a record in memory, in bytes, besides its size: keys, position, buffer.
const ITEM_BYTES = 192

// The overhead of a key, in bytes.
const KEY_BYTES = 128

/** The options of `topBy`. */
export interface TopOptions<A> {
  /** The most records of each key. */
  readonly count: number
  /** The order, as in `sortBy`: ascending by default, and records without a value last. */
  readonly order: Order<A>
  /** The key of a record. Records without a key are all kept. Default: all records have the same key. */
  readonly per?: Keys<A> | undefined
  /**
   * The largest memory for kept records, in bytes. A record counts approximately the bytes of its text plus 256, and
   * a key 128 and two for each character. More fail with `too-large`. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined
}

interface Item<A> {
  readonly record: A
  readonly keys: ReadonlyArray<SortKey>
  readonly bytes: number
}

/**
 * Keeps the first records of each key in an order, e.g. the lowest dose of each chemical. Keys come in the order of
 * their first record, and the records of a key in the order of `order`. Of equal records, the earlier one is kept.
 *
 * Reads the whole stream before it emits, and holds only the records that it may keep. Fails with `too-large` if they
 * exceed `maxBytes`, and with `not-a-key` and `malformed` as `uniqueBy` does.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const doses = Stream.make({ id: "a", dose: 3 }, { id: "b", dose: null }, { id: "a", dose: 1 })
 * const lowest = doses.pipe(Transform.topBy({ count: 1, order: "dose", per: "id" }), Stream.runCollect)
 * await Effect.runPromise(lowest) // => [{ id: "a", dose: 1 }, { id: "b", dose: null }]
 * ```
 */
export const topBy = <A extends object>(
  options: TopOptions<A>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | TransformError, R>) => {
  knownOptions("topBy", options, { count: true, order: true, per: true, maxBytes: true }, true)
  const count = atLeastOne("count", options.count)
  const maxBytes = atLeastOne("maxBytes", options.maxBytes ?? MAX_TOP_BYTES)
  const order = criteria(options.order)
  const compare = comparison(order)
  const readOrder = sortKeyReader("topBy", order)
  const readKey = options.per === undefined ? () => [true] : keyReader("topBy", options.per)
  return feed<A, A, TransformError>(() => {
    // A record without a key is a group of its own.
    const groups = new Map<string | number, Array<Item<A>>>()
    let index = 0
    let bytes = 0
    return {
      push: (record) => {
        const scalars = readKey(record, index)
        if (scalars instanceof TransformError) return scalars
        const keys = readOrder(record, index)
        if (keys instanceof TransformError) return keys
        const name = keyName(scalars) ?? index
        let group = groups.get(name)
        if (group === undefined) {
          group = []
          groups.set(name, group)
          bytes += KEY_BYTES + 2 * String(name).length
        }
        const at = placeIn(group, keys, compare)
        if (at < count) {
          const item = { record: copyOf(record), keys, bytes: weigh(record).bytes + ITEM_BYTES }
          group.splice(at, 0, item)
          bytes += item.bytes - (group.length > count ? (group.pop()?.bytes ?? 0) : 0)
        }
        if (bytes > maxBytes) return tooLarge(index, groups.size, maxBytes)
        index++
        return undefined
      },
      end: (out) => {
        for (const group of groups.values()) for (const { record } of group) out.push(record)
        return undefined
      }
    }
  })
}

/** Returns the place of keys in a sorted group, after equal ones. */
const placeIn = <A>(
  group: ReadonlyArray<Item<A>>,
  keys: ReadonlyArray<SortKey>,
  compare: ReturnType<typeof comparison>
): number => {
  let low = 0
  let high = group.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare((group[middle] as Item<A>).keys, keys) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

const tooLarge = (index: number, keys: number, maxBytes: number): TransformError =>
  failure(
    "topBy",
    "too-large",
    `the kept records exceed ${maxBytes} bytes at record ${index}, after ${keys} keys. Raise maxBytes, pick the needed fields first, or keep fewer records of a key`,
    { index }
  )
