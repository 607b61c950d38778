/**
 * Any function on `Stream` as a Node stream, for `pipeline` and `pipe`: a codec, a transform, or several in a row.
 *
 * A slow reader holds up the transform and then the input; what ends the transform destroys the stream, after what came
 * before it has been read; destroying the stream interrupts it and releases what it holds. Streams of the web are
 * `WebStream`, async iterables `AsyncIteration`.
 */
import { Duplex, type DuplexOptions } from "node:stream"
import type * as Stream from "effect/Stream"
import { type Transfer, make as transferOf } from "../streams/internal/transfer.ts"
import type { Transform } from "../streams/WebStream.ts"

/** A value that Node streams cannot carry, for there it means that nothing is left. */
export class NullItemError extends TypeError {
  override readonly name: string = "NullItemError"

  constructor(item: null | undefined) {
    super(
      `A value ${item} cannot be an item of a Node stream. Decode such lines with Ndjson.decodeRaw or decodeResults, or read them by AsyncIteration.make`
    )
  }
}

/** What the sides of a stream carry and hold, by Node's own names. */
export interface Options {
  /** Whether what is written are items; else it is bytes. Default true: pieces of bytes are items too. */
  readonly writableObjectMode?: boolean | undefined
  /** Whether what is read are items; else it is bytes. Default true. */
  readonly readableObjectMode?: boolean | undefined
  /** How many items, or bytes, wait to be taken by the transform before the writer has to wait; Node's default. */
  readonly writableHighWaterMark?: number | undefined
  /** How many items, or bytes, wait to be read before the transform has to wait; Node's default. */
  readonly readableHighWaterMark?: number | undefined
}

/**
 * A `Duplex`: what is written is what the transform takes, what is read what it gives.
 *
 * Fails with what the transform fails with, as it is, and with `NullItemError`. Where the transform ends before its
 * input (`Stream.take`), what is written from then on is dropped; to stop a long input instead, put
 * `AsyncIteration.make` into the `pipeline`.
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
 * A `Duplex` that says what is written to it and what a loop over it gives. Text and bytes can be written to every one, as
 * Node's own type of streams in a `pipeline` has it.
 */
export interface Typed<In, Out> extends Duplex {
  /** Writes a chunk. `false` asks to wait for `drain` before the next one. */
  write(chunk: In | string | Uint8Array, callback?: Done): boolean
  /** Writes a chunk. `false` asks to wait for `drain` before the next one. */
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
  readonly #transfer: Transfer<unknown, unknown>
  #batch: ReadonlyArray<unknown> = []
  #next = 0
  /** What ended the transform, while there is something to be read before it. */
  #failure: { readonly error: Error } | undefined

  constructor(transform: Transform, options: DuplexOptions) {
    super(options)
    // What is written is the transform's to take or to refuse: Node's streams have no types.
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

  // Why a chunk was not taken is the reader's to hear: in its turn, after what came before it.
  #take(chunks: readonly [unknown, ...Array<unknown>], done: () => void): void {
    this.#transfer.write(chunks).then(done, () => {})
  }

  // Finished is what the transform is, not the input: Node listens for no error of a stream that has finished.
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

  /** Whether there was something to give. */
  #give(): boolean {
    const first = this.#next
    while (this.#next < this.#batch.length) {
      const item = this.#batch[this.#next]
      if (item === null || item === undefined) {
        // What is fetched next is this error.
        this.#transfer.abort(new NullItemError(item)).catch((cause) => this.destroy(cause))
        this.#batch = this.#batch.slice(0, this.#next)
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
