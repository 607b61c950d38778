/**
 * Neighbours of the same key in one array: `groupConsecutive`.
 */
import type { Array as Arr, Stream } from "effect"
import { atLeastOne } from "../bound.ts"
import { feed } from "../feed.ts"
import { TransformError } from "./error.ts"
import { type Keys, keyName, keyReader } from "./key.ts"
import { weigh } from "./record.ts"

/** The default of `groupConsecutive`'s `maxBytes`: 64 MiB. */
export const MAX_GROUP_BYTES: number = 64 * 1024 * 1024

/** How groups are told apart, and their bound. */
export interface GroupOptions {
  /**
   * The most memory for one group: each record counts about the bytes of its text, and 64 for each field and item. A
   * record more fails with `too-large`. Default 64 MiB.
   */
  readonly maxBytes?: number | undefined
}

/**
 * Runs of records with the same key, each as one array. A key that comes again later starts another group: sort first to
 * have one group a key. Keys are equal as in `dedupeBy`; neighbours without a key are one group.
 *
 * Fails with `too-large` when a group outgrows `maxBytes`, and with `not-a-key` and `malformed` as `dedupeBy` does;
 * groups that were complete are emitted first.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const hits = Stream.make({ id: "a", n: 1 }, { id: "a", n: 2 }, { id: "b", n: 3 })
 * const counts = hits.pipe(
 *   Transform.groupConsecutive("id"),
 *   Stream.map((group) => ({ id: group[0].id, count: group.length }))
 * )
 * await Effect.runPromise(Stream.runCollect(counts)) // => [{ id: "a", count: 2 }, { id: "b", count: 1 }]
 * ```
 */
export const groupConsecutive = <A extends object>(
  keys: Keys<A>,
  options?: GroupOptions
): (<E, R>(
  self: Stream.Stream<A, E, R>
) => Stream.Stream<Arr.NonEmptyReadonlyArray<A>, E | TransformError, R>) => {
  const maxBytes = atLeastOne("maxBytes", options?.maxBytes ?? MAX_GROUP_BYTES)
  const read = keyReader("groupConsecutive", keys)
  return feed<A, Arr.NonEmptyReadonlyArray<A>, TransformError>(() => {
    let group: Arr.NonEmptyArray<A> | undefined
    let name: string | undefined
    let bytes = 0
    let index = 0
    return {
      push: (record, out) => {
        const scalars = read(record, index)
        if (scalars instanceof TransformError) return scalars
        const next = keyName(scalars)
        const size = weigh(record).bytes
        if (group === undefined || next !== name) {
          if (group !== undefined) out.push(group)
          group = [record]
          name = next
          bytes = size
        } else {
          group.push(record)
          bytes += size
        }
        if (bytes > maxBytes) return tooLarge(index, group.length, maxBytes)
        index++
        return undefined
      },
      end: (out) => {
        if (group !== undefined) out.push(group)
        return undefined
      }
    }
  })
}

const tooLarge = (index: number, count: number, maxBytes: number): TransformError =>
  new TransformError({
    reason: "too-large",
    transform: "groupConsecutive",
    index,
    message: `groupConsecutive: a group of ${count} records, up to record ${index}, does not fit in the ${maxBytes} bytes allowed. Raise maxBytes, pick the fields needed, or group by more fields`
  })
