/** What the faces are tested with: a transform run through each of them, by those who know nothing of Effect. */
import { Readable } from "node:stream"
import { AsyncIteration, WebStream } from "@chemstream/ndjson"
import { NodeStream } from "@chemstream/ndjson/node"
import type { Stream } from "effect"

export type Face = <In, Out>(
  transform: (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>
) => (inputs: AsyncIterable<In>) => AsyncIterable<Out>

/** Pulls one input after another, and holds none. */
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

export const faces: ReadonlyArray<readonly [string, Face]> = [
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

/** Items until the end or the error, and that error. */
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

/** Inputs that arrive one after another: how many were taken, and whether they were let go of. */
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
