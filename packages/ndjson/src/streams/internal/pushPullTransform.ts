/**
 * Runs a transform between a writer and a reader without Effect: chunks are pushed in, batches are pulled out.
 *
 * Web and Node streams use it. Nothing runs before the first `read`. Back-pressure: `write` settles when the
 * transform has taken the chunks, which happens only as fast as it is read.
 */
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { InvalidOption } from "../../InvalidOption.ts"

/** A function on `Stream` that needs no services. Its error ends both streams. */
export type Transform<In, Out> = (self: Stream.Stream<In>) => Stream.Stream<Out, unknown>

/** Applies a transform. Throws `InvalidOption` if it is none. */
export const apply = <In, Out>(
  transform: Transform<In, Out>,
  self: Stream.Stream<In>
): Stream.Stream<Out, unknown> => {
  const output = typeof transform === "function" ? transform(self) : undefined
  if (output !== undefined && Stream.isStream(output)) return output
  throw new InvalidOption("the transform", "must be a function on streams, e.g. Csv.decode()", transform)
}

/** A running transform: its input is written, its output is read. */
export interface Transfer<In, Out> {
  /** Writes chunks. Rejects if the transform ended before it took them. One call at a time. */
  readonly write: (chunks: Arr.NonEmptyReadonlyArray<In>) => Promise<void>
  /** Ends the input. Settles as the transform does. */
  readonly end: () => Promise<void>
  /**
   * Returns the next values, at least one. Undefined: the end. Rejects with the error of the transform. One call at a
   * time.
   */
  readonly read: () => Promise<Arr.NonEmptyReadonlyArray<Out> | undefined>
  /** Interrupts the transform for a reason. Settles when its resources are released. */
  readonly abort: (reason: unknown) => Promise<void>
}

/** Makes the transfer of a transform, which begins at the first `read`. */
export const make = <In, Out>(transform: Transform<In, Out>): Transfer<In, Out> => {
  const inlet = new Inlet<In>()
  const values = Stream.toAsyncIterable(Stream.chunks(apply(transform, inlet.stream)))[Symbol.asyncIterator]()
  const completion = Promise.withResolvers<undefined>()
  // Writers and readers get the error, so this promise needs no listener.
  completion.promise.catch(() => {})
  let isAborted = false

  return {
    write: (chunks) => inlet.write(chunks),
    end: () => {
      inlet.end()
      return completion.promise
    },
    read: async () => {
      try {
        const next = await values.next()
        if (!isAborted && next.done !== true) return next.value
      } catch (error) {
        completion.reject(error)
      }
      completion.resolve(undefined)
      inlet.close(completion.promise)
      return completion.promise
    },
    abort: async (reason) => {
      isAborted = true
      completion.reject(reason)
      inlet.close(completion.promise)
      await values.return?.()
    }
  }
}

type Chunks<In> = Pull.Pull<Arr.NonEmptyReadonlyArray<In>>

interface Offer<In> {
  readonly chunks: Arr.NonEmptyReadonlyArray<In>
  readonly settle: (taken: Promise<void> | undefined) => void
}

/** Chunks pass when one is written and one is requested. Nothing is queued. */
class Inlet<In> {
  #offer: Offer<In> | undefined
  #request: ((chunks: Chunks<In>) => void) | undefined
  #isOver = false
  #closed: Promise<void> | undefined

  readonly stream: Stream.Stream<In> = Stream.fromPull(
    Effect.succeed(
      Effect.suspend(
        () =>
          this.#next() ??
          Effect.callback<Arr.NonEmptyReadonlyArray<In>, Cause.Done>((resume) => {
            this.#request = resume
            return Effect.sync(() => {
              this.#request = undefined
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
      this.#passOn()
    })
  }

  end(): void {
    this.#isOver = true
    this.#passOn()
  }

  /** No further chunk is requested. */
  close(closed: Promise<void>): void {
    this.#closed = closed
    this.#offer?.settle(closed)
    this.#offer = undefined
  }

  /** Passes the offered chunks, or the end, to a waiting request. */
  #passOn(): void {
    const request = this.#request
    const chunks = request === undefined ? undefined : this.#next()
    if (chunks === undefined) return
    this.#request = undefined
    request?.(chunks)
  }

  #next(): Chunks<In> | undefined {
    if (this.#offer === undefined) return this.#isOver ? Cause.done() : undefined
    const { chunks, settle } = this.#offer
    this.#offer = undefined
    settle(undefined)
    return Effect.succeed(chunks)
  }
}
