/**
 * Runs a transform that handles one record at a time, on whole chunks. Records before a refused one are emitted
 * first.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { feed } from "../../streams/internal/pushParser.ts"
import type { TransformError } from "./transformError.ts"

/** Handles a record: adds its results to `out`. Returns the error that fails the stream. */
export type Step<A, B> = (record: A, index: number, out: Array<B>) => TransformError | undefined

/** Runs a step for each record. `make` makes a new step for each run. */
export const runStep = <A, B>(
  make: () => Step<A, B>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<B, E | TransformError, R>) =>
  feed<A, B, TransformError>(() => {
    const step = make()
    let index = 0
    return { push: (record, out) => step(record, index++, out), end: () => undefined }
  })

/** Runs a function for each record, and fails with the error that it returns. */
export const runEach = <A, E, R>(
  self: Stream.Stream<A, E, R>,
  add: (record: A) => TransformError | undefined
): Effect.Effect<void, E | TransformError, R> =>
  Stream.runForEachArray(self, (records): Effect.Effect<void, TransformError> => {
    for (const record of records) {
      const error = add(record)
      if (error !== undefined) return Effect.fail(error)
    }
    return Effect.void
  })
