/**
 * Makes a pair of web streams of any function on `Stream`, for `pipeThrough`: a codec, a transform, or several in a
 * row.
 *
 * A slow reader slows the transform and then the writer. An error of the transform fails both sides after the values
 * before it are read. Cancelling or aborting interrupts the transform and releases its resources. `NodeStream` of
 * `@chemstream/ndjson/node` makes Node streams, `AsyncIteration` async iterables.
 */
import type * as Stream from "effect/Stream"
import { make as transferOf } from "./internal/pushPullTransform.ts"

/** A function on `Stream` that needs no services. */
export type Transform = (self: Stream.Stream<never>) => Stream.Stream<unknown, unknown>

/** The two sides of a transform: its input is written, its output read. */
export type Pair<F extends Transform> = ReadableWritablePair<
  Stream.Success<ReturnType<F>>,
  Stream.Success<Parameters<F>[0]>
>

/**
 * Makes a pair of web streams. Each chunk is one item of the transform's input or output.
 *
 * If the transform fails, both sides fail with its error, and so does closing the writable side. If the transform ends
 * before its input (`Stream.take`), the writable side fails, as after `terminate` of a `TransformStream`, and a piped
 * input is cancelled.
 *
 * @example
 * ```ts
 * import { Csv, Ndjson, Transform, WebStream } from "@chemstream/ndjson"
 * import { flow } from "effect"
 *
 * const body = new Blob(["id,mass\nx,3850.0\ny,12\nx,3850.0\n"]).stream()
 * const lines = body.pipeThrough(WebStream.make(flow(Csv.decode(), Transform.uniqueBy("id"), Ndjson.encode())))
 * await new Response(lines).text() // => '{"id":"x","mass":"3850.0"}\n{"id":"y","mass":"12"}\n'
 * ```
 */
export const make = <F extends Transform>(transform: F): Pair<F> =>
  // The compiler cannot infer that this function has the type of `Pair`.
  pairOf<never, never>(transform as never) as Pair<F>

const pairOf = <In, Out>(
  transform: (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>
): ReadableWritablePair<Out, In> => {
  const run = transferOf(transform)
  let output: ReadableStreamDefaultController<Out> | undefined
  let input: WritableStreamDefaultController | undefined
  let isClosing = false

  const end = (reason: unknown): Promise<void> => {
    output?.error(reason)
    input?.error(reason)
    return run.abort(reason)
  }

  const readable = new ReadableStream<Out>(
    {
      start: (controller) => {
        output = controller
      },
      // Called when a read waits and the queue is empty, so queued values are read before an error.
      pull: async (controller) => {
        let batch: ReadonlyArray<Out> | undefined
        try {
          batch = await run.read()
        } catch (error) {
          return end(error)
        }
        if (batch !== undefined) for (const item of batch) controller.enqueue(item)
        else {
          if (!isClosing) input?.error(new TypeError("nothing is read any more: the transform has ended"))
          controller.close()
        }
      },
      cancel: end
    },
    { highWaterMark: 0 }
  )
  const writable = new WritableStream<In>({
    start: (controller) => {
      input = controller
    },
    write: (chunk) => run.write([chunk]),
    // Settles as the transform does, so that closing reports a failure.
    close: () => {
      isClosing = true
      return run.end()
    },
    abort: end
  })
  return { readable, writable }
}
