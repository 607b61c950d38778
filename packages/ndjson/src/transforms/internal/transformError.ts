/** Defines the error of all transforms: which transform, which record, which field, and what to do. */
import * as Data from "effect/Data"
import type { RawRecord } from "../../raw/RawRecord.ts"

/**
 * Why a transform failed.
 *
 * - `malformed`: a raw record is not well-formed JSON; `cause` is the `RawJsonError`.
 * - `not-a-key`: the key is an array, an object, or another value that is not a JSON scalar.
 * - `not-an-array`: the field to unnest is not an array.
 * - `field-taken`: two fields of one record would get the same name.
 * - `no-name`: a value has no name for its column.
 * - `too-large`: the data in memory would exceed the limit.
 * - `not-json`: JSON cannot encode a derived value, or cannot store a record exactly in a temporary file.
 * - `files`: a temporary file cannot be written or read; `cause` is the `PlatformError`.
 */
export type TransformReason =
  | "malformed"
  | "not-a-key"
  | "not-an-array"
  | "field-taken"
  | "no-name"
  | "too-large"
  | "not-json"
  | "files"

/**
 * A transform failed. `transform` is its name, `index` the number of the refused record in its input, from 0, and
 * `field` the field. Earlier records are emitted, except by transforms that emit at the end.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const renamed = Stream.make({ a: 1, b: 2 }).pipe(Transform.rename({ a: "b" }))
 * const error = await Effect.runPromise(renamed.pipe(Stream.runDrain, Effect.flip))
 * console.log(error.message)
 * // rename: record 0 already has a field "b". Pick one of the two, or choose another name
 * ```
 */
export class TransformError extends Data.TaggedError("TransformError")<{
  readonly reason: TransformReason
  readonly transform: string
  readonly index?: number | undefined
  readonly field?: string | undefined
  readonly message: string
  readonly cause?: unknown
}> {}

/** The error of a transform that fails only for raw records. For objects: `never`. */
export type RawFailure<A> = A extends RawRecord ? TransformError : never

/** Makes the error of a transform. Its message begins with the name of the transform. */
export const failure = (
  transform: string,
  reason: TransformReason,
  message: string,
  place: Partial<Pick<TransformError, "cause" | "field" | "index">> = {}
): TransformError => new TransformError({ reason, transform, ...place, message: `${transform}: ${message}` })
