/**
 * The one error of the transforms: which transform, which record, which field, and what to do now.
 */
import * as Data from "effect/Data"
import type { RawRecord } from "../../raw/RawRecord.ts"

/**
 * Why a transform ended.
 *
 * - `malformed`: a raw record whose fields cannot be read; `cause` is the `RawJsonError`.
 * - `not-a-key`: the field to compare by is an array, an object, or something else JSON has no scalar for.
 * - `not-an-array`: the field to unnest holds something else.
 * - `field-taken`: two fields of one record would get the same name.
 * - `too-large`: more has to be held in memory than the bound allows.
 * - `not-json`: a derived value that JSON cannot carry, or a record that would not come back from a file as it was.
 * - `files`: a temporary file could not be written or read; `cause` is the `PlatformError`.
 */
export type TransformReason =
  | "malformed"
  | "not-a-key"
  | "not-an-array"
  | "field-taken"
  | "too-large"
  | "not-json"
  | "files"

/**
 * What ended a transform: `transform` is its name, `index` the record it refused (from 0, among those that reached it),
 * `field` the field meant. Records before it have been emitted, except by those that emit at the end.
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

/** What a transform that fails only on raw records adds to the failures of a stream. */
export type RawFailure<A> = A extends RawRecord ? TransformError : never
