/** Selects records with a predicate: `filter`. */
import * as Stream from "effect/Stream"
import { InvalidOption } from "../../InvalidOption.ts"
import type { HasField, RawRecord } from "../../raw/RawRecord.ts"
import { type Field, fieldValue, type Parsed, type Value } from "./recordFields.ts"
import { runStep } from "./recordStep.ts"
import { type RawFailure, TransformError } from "./transformError.ts"

/** A record whose field `F` has type `B`. */
export type Narrowed<A, F extends string, B> =
  A extends RawRecord<infer V>
    ? unknown extends V
      ? A
      : RawRecord<V & { readonly [K in F]: Parsed<B> } & HasField<F>>
    : A & { readonly [K in F]: B }

/**
 * Keeps the records that a predicate accepts. It gets the whole record, or the value of one field: undefined if
 * absent, for a raw record as `RawRecord.value` returns it.
 *
 * A type guard narrows the type of the record or field.
 *
 * With a field, fails for a malformed raw record (`malformed`).
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
  <A extends object, const F extends Field<A>, B extends Value<A, F>>(
    field: F,
    refinement: (value: Value<NoInfer<A>, F>) => value is B
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Narrowed<A, F, B>, E | RawFailure<A>, R>
  <A extends object, const F extends Field<A>>(
    field: F,
    predicate: (value: Value<NoInfer<A>, F>) => boolean
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | RawFailure<A>, R>
} = (...args: [(record: never) => boolean] | [string, (value: never) => boolean]): never => {
  const given: unknown = args.at(-1)
  if (typeof given !== "function")
    throw new InvalidOption("the predicate of filter", "must be a function", given)
  if (args.length === 1) return Stream.filter(args[0] as (record: unknown) => boolean) as never
  const [field, predicate] = args
  return runStep<unknown, unknown>(() => (record, index, out) => {
    const result = fieldValue("filter", record, index, field)
    if (result instanceof TransformError) return result
    if (predicate(result.value as never)) out.push(record)
    return undefined
  }) as never
}
