/**
 * Any function on `Stream` as a pair of web streams, for `pipeThrough`: a codec, a transform, or several in a row.
 *
 * A slow reader holds up the transform and then the writer; what ends the transform errors both sides, after what came
 * before it has been read; cancelling or aborting interrupts it and releases what it holds. Node's own streams are
 * `NodeStream` of `@chemstream/ndjson/node`, async iterables `AsyncIteration`.
 */
import type * as Stream from "effect/Stream"
import { make as transferOf } from "./internal/transfer.ts"

/** A function on `Stream` that needs no services: what it needs is provided inside it. */
export type Transform = (self: Stream.Stream<never>) => Stream.Stream<unknown, unknown>

/** The sides of a transform: what it takes is written, what it gives read. */
export type Pair<F extends Transform> = ReadableWritablePair<
  Stream.Success<ReturnType<F>>,
  Stream.Success<Parameters<F>[0]>
>

/**
 * A pair of web streams: what is written is what the transform takes, what is read what it gives, an item each.
 *
 * Both sides fail with what the transform fails with, as it is, and so does closing the writable one.
 * Where the transform ends before its input (`Stream.take`), the writable side is errored, as by `terminate` of a
 * `TransformStream`: what is piped into it is cancelled.
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
  // The compiler does not see that a function on streams of one kind is what `Pair` says of it.
  pairOf<never, never>(transform as never) as Pair<F>

const pairOf = <In, Out>(
  transform: (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>
): ReadableWritablePair<Out, In> => {
  const run = transferOf(transform)
  let reader: ReadableStreamDefaultController<Out> | undefined
  let writer: WritableStreamDefaultController | undefined
  let isClosing = false

  const end = (reason: unknown): Promise<void> => {
    reader?.error(reason)
    writer?.error(reason)
    return run.abort(reason)
  }

  const readable = new ReadableStream<Out>(
    {
      start: (controller) => {
        reader = controller
      },
      // Called when a read waits and nothing is queued: what is queued then is read before an error shows.
      pull: async (controller) => {
        let batch: ReadonlyArray<Out> | undefined
        try {
          batch = await run.read()
        } catch (error) {
          return end(error)
        }
        if (batch !== undefined) for (const item of batch) controller.enqueue(item)
        else {
          if (!isClosing) writer?.error(new TypeError("nothing is read any more: the transform has ended"))
          controller.close()
        }
      },
      cancel: end
    },
    { highWaterMark: 0 }
  )
  const writable = new WritableStream<In>({
    start: (controller) => {
      writer = controller
    },
    write: (chunk) => run.write([chunk]),
    // Settles as the transform does, so that who closes it hears of a failure.
    close: () => {
      isClosing = true
      return run.end()
    },
    abort: end
  })
  return { readable, writable }
}
