/**
 * Makes a Node stream of any function on `Stream`, for `pipeline` and `pipe`: a codec, a transform, or several in a
 * row.
 *
 * A slow reader slows the transform and then the input. An error of the transform destroys the stream after the
 * values before it are read. Destroying the stream interrupts the transform and releases its resources. `WebStream`
 * makes web streams, `AsyncIteration` async iterables. `NodeStream` of the package `stream` makes the Node streams of runs.
 */
import { Duplex, type DuplexOptions } from "node:stream"
import type * as Stream from "effect/Stream"
import { type Transfer, make as transferOf } from "../streams/internal/pushPullTransform.ts"
import type { Transform } from "../streams/WebStream.ts"

/** A value is null, which means the end in Node streams. */
export class NullItemError extends TypeError {
  readonly _tag = "NullItemError"
  override readonly name: string = "NullItemError"

  constructor(item: null | undefined) {
    super(
      `A value ${item} cannot be an item of a Node stream. Decode such lines with Ndjson.decodeRaw or decodeResults, or read them by AsyncIteration.make`
    )
  }
}

/** The options of both sides, with Node's names. */
export interface Options {
  /** Whether items are written instead of bytes. Default: true; a piece of bytes is then one item. */
  readonly writableObjectMode?: boolean | undefined
  /** Whether items are read instead of bytes. Default: true. */
  readonly readableObjectMode?: boolean | undefined
  /** The number of written items or bytes that may wait; the writer waits above it. Default: Node's. */
  readonly writableHighWaterMark?: number | undefined
  /** The number of unread items or bytes that may wait; the transform waits above it. Default: Node's. */
  readonly readableHighWaterMark?: number | undefined
}

/**
 * Makes a `Duplex`. The transform gets the written values and returns the read ones.
 *
 * Fails with the error of the transform, and with `NullItemError`. If the transform ends before its input
 * (`Stream.take`), later writes are dropped. To stop a long input instead, put `AsyncIteration.make` into the
 * `pipeline`.
 *
 * @example
 * ```ts
 * import { Readable } from "node:stream"
 * import { text } from "node:stream/consumers"
 * import { Ndjson } from "@chemstream/ndjson"
 * import { NodeStream } from "@chemstream/ndjson/node"
 *
 * const lines = Readable.from([{ id: 1 }, { id: 2 }]).pipe(NodeStream.make(Ndjson.encode()))
 * await text(lines) // => '{"id":1}\n{"id":2}\n'
 * ```
 */
export const make = <F extends Transform>(
  transform: F,
  options: Options = {}
): Typed<Stream.Success<Parameters<F>[0]>, Stream.Success<ReturnType<F>>> =>
  new TransformDuplex(transform, duplexOptions(options)) as Typed<
    Stream.Success<Parameters<F>[0]>,
    Stream.Success<ReturnType<F>>
  >

type Done = (error: Error | null | undefined) => void

/**
 * A `Duplex` with the types of written and read values. The types always allow text and bytes, because Node's type for
 * `pipeline` requires it.
 */
export interface Typed<In, Out> extends Duplex {
  /** Writes a chunk. `false`: wait for `drain` before the next one. */
  write(chunk: In | string | Uint8Array, callback?: Done): boolean
  /** Writes a chunk. `false`: wait for `drain` before the next one. */
  write(chunk: In | string | Uint8Array, encoding: BufferEncoding, callback?: Done): boolean
  end(callback?: () => void): this
  end(chunk: In | string | Uint8Array, callback?: () => void): this
  end(chunk: In | string | Uint8Array, encoding?: BufferEncoding, callback?: () => void): this
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  // As Node declares it: `pipeline` takes nothing else.
  // biome-ignore lint/suspicious/noExplicitAny: the declaration of Node
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<any>
}

const duplexOptions = (options: Options): DuplexOptions => ({
  writableObjectMode: options.writableObjectMode ?? true,
  readableObjectMode: options.readableObjectMode ?? true,
  ...(options.writableHighWaterMark === undefined
    ? {}
    : { writableHighWaterMark: options.writableHighWaterMark }),
  ...(options.readableHighWaterMark === undefined
    ? {}
    : { readableHighWaterMark: options.readableHighWaterMark })
})

class TransformDuplex extends Duplex {
  /** The running transform (`pushPullTransform.ts`). */
  readonly #transfer: Transfer<unknown, unknown>
  /** The values that it returned last, and the index of the next one to push. */
  #batch: ReadonlyArray<unknown> = []
  #next = 0
  /** The error of the transform, while values before it are unread. */
  #failure: { readonly error: Error } | undefined

  constructor(transform: Transform, options: DuplexOptions) {
    super(options)
    // Node's streams have no types, so the transform must refuse wrong values.
    this.#transfer = transferOf(
      transform as (self: Stream.Stream<unknown>) => Stream.Stream<unknown, unknown>
    )
  }

  override _write(chunk: unknown, _: string, done: () => void): void {
    this.#take([chunk], done)
  }

  override _writev(chunks: Array<{ readonly chunk: unknown }>, done: () => void): void {
    const [first, ...rest] = chunks.map(({ chunk }) => chunk)
    this.#take([first, ...rest], done)
  }

  // The reader gets the error of a refused chunk, after the values before it.
  #take(chunks: readonly [unknown, ...Array<unknown>], done: () => void): void {
    this.#transfer.write(chunks).then(done, () => {})
  }

  // The stream finishes with the transform, not with the input, because Node ignores errors of a finished stream.
  override _final(done: () => void): void {
    this.#transfer.end().then(done, () => {})
  }

  override _read(): void {
    if (!this.#give()) this.#fetch()
  }

  #fetch(): void {
    this.#transfer.read().then(
      (batch) => {
        if (this.destroyed) return
        this.#batch = batch ?? []
        this.#next = 0
        if (batch === undefined) this.push(null)
        else if (!this.#give()) this.#fetch()
      },
      (error) => this.#fail(error)
    )
  }

  /** Whether a value was pushed. */
  #give(): boolean {
    const first = this.#next
    while (this.#next < this.#batch.length) {
      const item = this.#batch[this.#next]
      if (item === null || item === undefined) {
        // The next read gets this error.
        this.#transfer.abort(new NullItemError(item)).catch((cause) => this.destroy(cause))
        this.#batch = []
      } else {
        this.#next++
        if (!this.push(item)) break
      }
    }
    return this.#next > first
  }

  #fail(error: Error): void {
    this.#failure = { error }
    this.#failWhenRead()
  }

  override read(size?: number): unknown {
    const value = super.read(size)
    if (this.#failure !== undefined) queueMicrotask(() => this.#failWhenRead())
    return value
  }

  #failWhenRead(): void {
    if (this.#failure !== undefined && this.readableLength === 0) this.destroy(this.#failure.error)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#transfer.abort(error ?? new Error("the stream was destroyed")).then(
      () => done(error),
      (cause) => done(error ?? cause)
    )
  }
}
