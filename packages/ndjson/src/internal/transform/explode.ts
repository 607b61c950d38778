/**
 * One record for each item of an array field: `explode`.
 */
import type { Stream } from "effect"
import { each } from "./each.ts"
import { TransformError } from "./error.ts"
import { own, type Plain, put, type Simple } from "./record.ts"

/** What is exploded, and how. */
export interface ExplodeOptions {
  /**
   * What becomes of a record whose field is an empty array, `null` or absent: no record (`omit`, the default), or one with
   * `null` in the field.
   */
  readonly empty?: "omit" | "null" | undefined
}

type Item<V> = V extends ReadonlyArray<infer I> ? I : never

/** A record with one item in the place of the array. */
export type Exploded<A, F, O extends ExplodeOptions> = Simple<
  Omit<A, F & PropertyKey> & {
    [K in keyof Pick<A, F & keyof A>]-?: Item<A[K]> | ("null" extends O["empty"] ? null : never)
  }
>

/**
 * One record for each item of the array in a field, the item in its place; the other fields as they are, in their order.
 *
 * Fails with `not-an-array` where the field holds anything else but `null`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const rows = Stream.make({ id: 1, hit: ["a", "b"] }, { id: 2, hit: [] })
 * await Effect.runPromise(rows.pipe(Transform.explode("hit"), Stream.runCollect))
 * // => [{ id: 1, hit: "a" }, { id: 1, hit: "b" }]
 * await Effect.runPromise(rows.pipe(Transform.skip(1), Transform.explode("hit", { empty: "null" }), Stream.runCollect))
 * // => [{ id: 2, hit: null }]
 * ```
 */
export const explode = <
  A extends Plain,
  const F extends keyof A & string,
  const O extends ExplodeOptions = { readonly empty: "omit" }
>(
  field: F,
  options?: O
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Exploded<A, F, O>, E | TransformError, R>) => {
  const keep = options?.empty === "null"
  return each<A, Exploded<A, F, O>>(() => (record, index, out) => {
    const items = own(record, field) ?? []
    if (!Array.isArray(items)) {
      return new TransformError({
        reason: "not-an-array",
        transform: "explode",
        index,
        field,
        message: `explode: field ${JSON.stringify(field)} of record ${index} is no array. Filter such records out first, or derive an array`
      })
    }
    if (items.length > 0) for (const item of items) out.push(withItem(record, field, item))
    else if (keep) out.push(withItem(record, field, null))
    return undefined
  })
}

const withItem = <B>(record: object, field: string, item: unknown): B => {
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(record)) put(out, key, key === field ? item : own(record, key))
  if (!Object.hasOwn(out, field)) put(out, field, item)
  return out as B
}
