/** The modes of use without Effect: a transform as an async iterable, a web stream and a Node stream. */
import { Readable } from "node:stream"
import { AsyncIteration, WebStream } from "@chemstream/ndjson"
import { NodeStream } from "@chemstream/ndjson/node"
import type { Stream } from "effect"

export type Mode = <In, Out>(
  transform: (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>
) => (inputs: AsyncIterable<In>) => AsyncIterable<Out>

/** Returns a web stream that pulls one input at a time, and buffers none. */
export const readableOf = <A>(inputs: AsyncIterable<A> | Iterable<A>): ReadableStream<A> => {
  const items = (async function* () {
    yield* inputs
  })()
  return new ReadableStream<A>(
    {
      pull: async (controller) => {
        const { done, value } = await items.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await items.return()
      }
    },
    { highWaterMark: 0 }
  )
}

export const modes: ReadonlyArray<readonly [string, Mode]> = [
  ["an async iterable", (transform) => AsyncIteration.make(transform)],
  [
    "a web stream",
    <In, Out>(transform: (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>) =>
      (inputs: AsyncIterable<In>) =>
        readableOf(inputs).pipeThrough<Out>(WebStream.make(transform) as ReadableWritablePair<Out, In>)
  ],
  [
    "a Node stream",
    (transform) => (inputs) => Readable.from(inputs, { highWaterMark: 1 }).compose(NodeStream.make(transform))
  ]
]

/** Collects the items until the end or the error, and the error. */
export const collected = async <A>(
  items: AsyncIterable<A>
): Promise<{ readonly items: ReadonlyArray<A>; readonly error?: unknown }> => {
  const out: Array<A> = []
  try {
    for await (const item of items) out.push(item)
    return { items: out }
  } catch (error) {
    return { items: out, error }
  }
}

/** A source of inputs that counts the inputs taken, and records whether it was released. */
export class Source<A> {
  taken = 0
  readonly released = Promise.withResolvers<void>()
  readonly #inputs: Iterable<A>

  constructor(inputs: Iterable<A>) {
    this.#inputs = inputs
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    try {
      for (const input of this.#inputs) {
        this.taken++
        yield input
      }
    } finally {
      this.released.resolve()
    }
  }
}
