/**
 * Reads responses whose shape differs between services: an array or a single value, an empty body, nulls in a list.
 *
 * `endpointReaders.ts` chooses the reader of an endpoint.
 */
import type { Outcome } from "@chemstream/batch"
import { Predicate, Result, Schema } from "effect"
import { type BodyFault, type BodyReader, isNothing, json } from "../../BodyReader.ts"

/** Makes a reader that normalises or refuses the value of another reader. */
export const refine =
  <A, B>(
    read: BodyReader<A>,
    next: (value: A, truncated: Outcome.Truncation | undefined) => Result.Result<B, BodyFault>
  ): BodyReader<B> =>
  (body, truncated) =>
    Result.flatMap(read(body, truncated), (value) => next(value, truncated))

/** Reads scalar values, without the nulls that some services put into the list. */
export const scalars = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<ReadonlyArray<A>> =>
  refine(json(Schema.Array(Schema.NullOr(schema))), (list) =>
    Result.succeed(list.filter(Predicate.isNotNull) as ReadonlyArray<A>)
  )

/** Reads identifiers. */
export const identifiers: BodyReader<ReadonlyArray<string>> = scalars(Schema.String)

/** Reads an array, or a single value as an array of one. Undefined: the array is empty. */
export const listOf = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<ReadonlyArray<A> | undefined> =>
  refine(json(Schema.Union([Schema.Array(schema), schema])), (value) => {
    if (!Array.isArray(value)) return Result.succeed([value as A])
    return Result.succeed(value.length === 0 ? undefined : (value as ReadonlyArray<A>))
  })

/** Reads a single value, or an array of one. Undefined: the array is empty. */
export const oneOf = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A | undefined> =>
  refine(listOf(schema), (values) =>
    values !== undefined && values.length > 1
      ? Result.fail({ path: "", reason: `an array of ${values.length} records instead of one record` })
      : Result.succeed(values?.[0])
  )

/** Reads an empty body or `null` as undefined. */
export const orNothing =
  <A>(read: BodyReader<A>): BodyReader<A | undefined> =>
  (body, truncated) =>
    isNothing(body) ? Result.succeed(undefined) : read(body, truncated)
