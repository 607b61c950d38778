/**
 * Makes a function on async iterables of any function on `Stream`, for `for await` and for Node's `pipeline` and
 * `compose`.
 *
 * The output of one input comes before the next input is read. `WebStream` makes web streams, `NodeStream` of
 * `@chemstream/ndjson/node` Node streams.
 */
import * as Stream from "effect/Stream"
import { InvalidOption } from "../InvalidOption.ts"
import { apply, type Transform } from "./internal/pushPullTransform.ts"

/**
 * Applies a transform to inputs: a file, a body, an array, an async generator. Each iteration runs it again.
 *
 * Throws the errors of the transform and of the inputs, after the values before them. If the loop or the transform
 * ends early, the inputs are closed (`return`) and all resources released.
 *
 * @example
 * ```ts
 * import { AsyncIteration, Csv } from "@chemstream/ndjson"
 *
 * const rows = AsyncIteration.make(Csv.decode())
 * const body = new Blob(["id,mass\nx,3850.0\ny,12\n"]).stream()
 * const masses = []
 * for await (const { mass } of rows(body)) masses.push(mass)
 * masses // => ["3850.0", "12"]
 * ```
 */
export const make =
  <In, Out>(
    transform: Transform<In, Out>
  ): ((inputs: AsyncIterable<In> | Iterable<In>) => AsyncIterable<Out>) =>
  (inputs) =>
    Stream.toAsyncIterable(
      // An error of the inputs passes as a defect and is thrown unchanged.
      apply(transform, Stream.orDie(Stream.fromAsyncIterable(asyncInputs(inputs), (error) => error)))
    )

const asyncInputs = <In>(inputs: AsyncIterable<In> | Iterable<In>): AsyncIterable<In> => {
  if (typeof inputs === "object" && inputs !== null) {
    if (Symbol.asyncIterator in inputs) return inputs
    if (Symbol.iterator in inputs) return toAsync(inputs)
  }
  throw new InvalidOption(
    "the inputs",
    "must be an iterable of chunks, e.g. a list, a file or a body",
    inputs
  )
}

async function* toAsync<In>(inputs: Iterable<In>): AsyncGenerator<In, void, undefined> {
  yield* inputs
}
