/**
 * A transform of one record at a time, as a function on a stream: whole arrays of records, each with its index, and what
 * came before a refused record first.
 */
import type { Stream } from "effect"
import { feed } from "../../streams/internal/feeder.ts"
import type { TransformError } from "./transformError.ts"

/** Takes a record, adds what it becomes to `out`, and returns the error that ends the stream. */
export type Step<A, B> = (record: A, index: number, out: Array<B>) => TransformError | undefined

/** The stream of what a step makes of each record; a fresh step for each run. */
export const runStep = <A, B>(
  make: () => Step<A, B>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<B, E | TransformError, R>) =>
  feed<A, B, TransformError>(() => {
    const step = make()
    let index = 0
    return { push: (record, out) => step(record, index++, out), end: () => undefined }
  })
