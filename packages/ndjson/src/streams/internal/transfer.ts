/**
 * A transform between a writer and a reader that know nothing of Effect: chunks are pushed in, batches are pulled out.
 *
 * What both kinds of streams, the web's and Node's, are made of. Nothing runs before the first `read`. Back-pressure
 * is the promises: `write` settles when the transform has taken the chunks, and that goes on only as far as it is read.
 */
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"

/** A function on `Stream` that needs no services; what it fails with ends the streams. */
export type Transform<In, Out> = (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>

export interface Transfer<In, Out> {
  /** Hands chunks in. Rejects with what ended the transform where it ended before it took them. One call at a time. */
  readonly write: (chunks: Arr.NonEmptyReadonlyArray<In>) => Promise<void>
  /** There are no more chunks. Settles when the transform is over, as it does: rejects with what ended it. */
  readonly end: () => Promise<void>
  /** The next values, at least one; undefined at the end. Rejects with what ended the transform. One call at a time. */
  readonly read: () => Promise<Arr.NonEmptyReadonlyArray<Out> | undefined>
  /** Ends the transform for a reason, and interrupts it; settles when all it holds is released. */
  readonly abort: (reason: unknown) => Promise<void>
}

export const make = <In, Out>(transform: Transform<In, Out>): Transfer<In, Out> => {
  const inlet = new Inlet<In>()
  const values = Stream.toAsyncIterable(Stream.chunks(transform(inlet.stream)))[Symbol.asyncIterator]()
  const ended = Promise.withResolvers<undefined>()
  // Whoever writes or reads is told; nobody has to.
  ended.promise.catch(() => {})
  let isAborted = false

  return {
    write: (chunks) => inlet.write(chunks),
    end: () => {
      inlet.end()
      return ended.promise
    },
    read: async () => {
      try {
        const next = await values.next()
        if (!isAborted && next.done !== true) return next.value
      } catch (error) {
        ended.reject(error)
      }
      ended.resolve(undefined)
      inlet.close(ended.promise)
      return ended.promise
    },
    abort: async (reason) => {
      isAborted = true
      ended.reject(reason)
      inlet.close(ended.promise)
      await values.return?.()
    }
  }
}

type Chunks<In> = Pull.Pull<Arr.NonEmptyReadonlyArray<In>>

interface Offer<In> {
  readonly chunks: Arr.NonEmptyReadonlyArray<In>
  readonly settle: (taken: Promise<void> | undefined) => void
}

/** Chunks change hands when they are both written and asked for: nothing is queued. */
class Inlet<In> {
  #offer: Offer<In> | undefined
  #asked: ((chunks: Chunks<In>) => void) | undefined
  #isOver = false
  #closed: Promise<void> | undefined

  readonly stream: Stream.Stream<In> = Stream.fromPull(
    Effect.succeed(
      Effect.suspend(
        () =>
          this.#next() ??
          Effect.callback<Arr.NonEmptyReadonlyArray<In>, Cause.Done>((resume) => {
            this.#asked = resume
            return Effect.sync(() => {
              this.#asked = undefined
            })
          })
      )
    )
  )

  /** Settles when the stream has taken the chunks, or as `closed` does. */
  write(chunks: Arr.NonEmptyReadonlyArray<In>): Promise<void> {
    if (this.#closed !== undefined) return this.#closed
    return new Promise((settle) => {
      this.#offer = { chunks, settle }
      this.#answer()
    })
  }

  end(): void {
    this.#isOver = true
    this.#answer()
  }

  /** Nothing is asked for any more. */
  close(closed: Promise<void>): void {
    this.#closed = closed
    this.#offer?.settle(closed)
    this.#offer = undefined
  }

  #answer(): void {
    const asked = this.#asked
    const chunks = asked === undefined ? undefined : this.#next()
    if (chunks === undefined) return
    this.#asked = undefined
    asked?.(chunks)
  }

  #next(): Chunks<In> | undefined {
    if (this.#offer === undefined) return this.#isOver ? Cause.done() : undefined
    const { chunks, settle } = this.#offer
    this.#offer = undefined
    settle(undefined)
    return Effect.succeed(chunks)
  }
}
