/**
 * Any function on `Stream` as a function on async iterables, for `for await` and for Node's `pipeline` and `compose`: a
 * codec, a transform, or several in a row.
 *
 * What one input gives is given before the next one is asked for. Streams of the web are `WebStream`; Node's own are
 * `NodeStream` of `@chemstream/ndjson/node`.
 */
import * as Stream from "effect/Stream"
import type { Transform } from "./internal/transfer.ts"

/**
 * What a transform makes of inputs that are at hand or arrive: of a file, a body, an array, an async generator. Each
 * iteration runs it anew.
 *
 * Throws what the transform fails with and what the inputs throw, as it is, after what came before it. Where the loop is
 * left, or the transform ends before its input, the inputs are told (`return`) and all that it holds is released.
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
      // An error of the inputs is none of the transform's: it passes as a defect, and is thrown as it is.
      transform(Stream.orDie(Stream.fromAsyncIterable(arriving(inputs), (error) => error)))
    )

const arriving = <In>(inputs: AsyncIterable<In> | Iterable<In>): AsyncIterable<In> =>
  Symbol.asyncIterator in inputs ? inputs : asAsync(inputs)

async function* asAsync<In>(inputs: Iterable<In>): AsyncGenerator<In, void, undefined> {
  yield* inputs
}
