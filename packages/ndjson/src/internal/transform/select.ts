/**
 * Which records of a stream are kept, of either kind: `records`, `filter`, `head`, `skip`.
 */
import * as Stream from "effect/Stream"
import { each } from "./each.ts"
import { type Malformed, TransformError } from "./error.ts"
import { type Field, fieldValue, isRaw, type Value } from "./record.ts"

/**
 * Takes decoded values for records: the step from `Ndjson.decode`, whose values can be anything.
 *
 * Fails with `not-an-object` on the first value that is an array, a string, a number, a boolean or `null`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson, Transform } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"id":1,"mass":2}\n[1]\n').pipe(Stream.encodeText)
 * const ids = bytes.pipe(Ndjson.decode(), Transform.records(), Transform.pick("id"))
 * await Effect.runPromise(ids.pipe(Stream.take(1), Stream.runCollect)) // => [{ id: 1 }]
 * const error = await Effect.runPromise(ids.pipe(Stream.runDrain, Effect.flip))
 * console.log(error.message)
 * // records: value 1 is an array, not an object. Remove it, or make it an object
 * ```
 */
export const records = (): (<E, R>(
  self: Stream.Stream<unknown, E, R>
) => Stream.Stream<Record<string, unknown>, E | TransformError, R>) =>
  each<unknown, Record<string, unknown>>(() => (value, index, out) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value)) {
      out.push(value as Record<string, unknown>)
      return undefined
    }
    const kind = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`
    const what = isRaw(value) ? "a raw record" : kind
    return new TransformError({
      reason: "not-an-object",
      transform: "records",
      index,
      message: `records: value ${index} is ${what}, not an object. Remove it, or make it an object`
    })
  })

/**
 * The records a predicate holds for: of the whole record, or of what one field holds, which for a raw record is what
 * `RawRecord.value` gives: an absent field is `undefined`.
 *
 * With a field, fails on a raw record whose fields cannot be read (`malformed`), rather than taking it for one without.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawRecord, Transform } from "@chemstream/ndjson"
 *
 * const values = Stream.make({ id: 1, mass: 228 }, { id: 2, mass: 90 })
 * await Effect.runPromise(values.pipe(Transform.filter((record) => record.mass > 200), Stream.runCollect))
 * // => [{ id: 1, mass: 228 }]
 *
 * const raw = Stream.make('{"mass":1.50}', "{}").pipe(Stream.map(RawRecord.fromText))
 * const some = raw.pipe(Transform.filter("mass", (mass) => mass !== undefined), Stream.map(String))
 * await Effect.runPromise(Stream.runCollect(some)) // => ['{"mass":1.50}']
 * ```
 */
export const filter: {
  <A, B extends A>(
    refinement: (record: NoInfer<A>) => record is B
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<B, E, R>
  <A>(
    predicate: (record: NoInfer<A>) => boolean
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>
  <A extends object, const F extends Field<A>>(
    field: F,
    predicate: (value: Value<NoInfer<A>, F>) => boolean
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | Malformed<A>, R>
} = (...args: [(record: never) => boolean] | [string, (value: never) => boolean]): never => {
  if (args.length === 1) return Stream.filter(args[0] as (record: unknown) => boolean) as never
  const [field, predicate] = args
  return each<unknown, unknown>(() => (record, index, out) => {
    const found = fieldValue("filter", record, index, field)
    if (found instanceof TransformError) return found
    if (predicate(found.value as never)) out.push(record)
    return undefined
  }) as never
}

/**
 * The first `count` records; no more are asked for. A whole number, or it throws a `RangeError`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * await Effect.runPromise(Stream.make("a", "b", "c").pipe(Transform.head(2), Stream.runCollect)) // => ["a", "b"]
 * ```
 */
export const head = (count: number): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>) =>
  Stream.take(whole("head", count))

/**
 * All records but the first `count`. A whole number, or it throws a `RangeError`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * await Effect.runPromise(Stream.make("a", "b", "c").pipe(Transform.skip(2), Stream.runCollect)) // => ["c"]
 * ```
 */
export const skip = (count: number): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E, R>) =>
  Stream.drop(whole("skip", count))

const whole = (name: string, count: number): number => {
  if (Number.isInteger(count) && count >= 0) return count
  throw new RangeError(`${name} takes a whole number of records, got ${count}`)
}
