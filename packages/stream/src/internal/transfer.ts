/**
 * A run between a writer and a reader that know nothing of Effect: chunks are pushed in, batches are pulled out.
 *
 * What both kinds of streams, the web's and Node's, are made of. Nothing runs before the first `read`. Back-pressure
 * is the promises: `write` settles when the run has taken the chunks, and the run goes on only as far as it is read.
 */
import { Cause, Data, Effect, Queue, Stream } from "effect"
import * as Identifiers from "../Identifiers.ts"
import { flatten } from "./flatten.ts"

/** What was written is nothing that identifiers can be read from: the run ends, `message` says what to write. */
export class InvalidChunk extends Data.TaggedError("InvalidChunk")<{ readonly message: string }> {}

/** What is done with the identifiers; what it fails with ends the streams. */
export type Run<A> = (
  identifiers: Stream.Stream<Identifiers.Identifier, InvalidChunk>
) => Stream.Stream<A, unknown>

export interface Transfer<A> {
  /** Hands chunks in. Rejects with what ended the run where it ended before it took them. */
  readonly write: (chunks: ReadonlyArray<unknown>) => Promise<void>
  /** There are no more chunks. Settles when the run is over, as it does: rejects with what ended it. */
  readonly end: () => Promise<void>
  /** The next values, at least one; undefined at the end. Rejects with what ended the run. One call at a time. */
  readonly read: () => Promise<ReadonlyArray<A> | undefined>
  /** Ends the run for a reason, and interrupts its requests; settles when that is done. */
  readonly abort: (reason: unknown) => Promise<void>
}

type Chunk = string | Uint8Array

type Chunks = Queue.Queue<ReadonlyArray<Chunk>, InvalidChunk | Cause.Done>

export const make = <A>(run: Run<A>): Transfer<A> => {
  const queue: Chunks = Effect.runSync(Queue.bounded(1))
  let kind: Kind | undefined
  const identifiers = Stream.unwrap(
    // The first chunk says what kind the chunks are; the stream of them says so where there is none.
    Effect.map(Effect.ignore(Queue.peek(queue)), () => (kind === "bytes" ? ofBytes(queue) : ofStrings(queue)))
  )
  const values = Stream.toAsyncIterable(Stream.chunks(run(identifiers)))[Symbol.asyncIterator]()
  const ended = Promise.withResolvers<undefined>()
  // Whoever writes or reads is told; nobody has to.
  ended.promise.catch(() => {})
  let isAborted = false

  return {
    write: async (chunks) => {
      kind ??= kindOf(chunks[0])
      const bad = chunks.findIndex((chunk) => kind === undefined || problem(kind, chunk) !== undefined)
      const good = (bad === -1 ? chunks : chunks.slice(0, bad)) as ReadonlyArray<Chunk>
      const isTaken = good.length === 0 || (await Effect.runPromise(Queue.offer(queue, good)))
      if (bad !== -1) {
        const message = problem(kind ?? "strings", chunks[bad]) ?? ""
        Queue.failCauseUnsafe(queue, Cause.fail(new InvalidChunk({ message })))
      }
      if (!isTaken || bad !== -1) await ended.promise
    },
    end: () => {
      Queue.endUnsafe(queue)
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
      Queue.shutdownUnsafe(queue)
      return ended.promise
    },
    abort: async (reason) => {
      isAborted = true
      ended.reject(reason)
      Queue.shutdownUnsafe(queue)
      await values.return?.()
    }
  }
}

type Kind = "strings" | "bytes"

const kindOf = (chunk: unknown): Kind | undefined =>
  typeof chunk === "string" ? "strings" : chunk instanceof Uint8Array ? "bytes" : undefined

const ofStrings = (queue: Chunks): Stream.Stream<Identifiers.Identifier, InvalidChunk> =>
  Stream.map(chunksOf(queue), (chunk, index) => ({ text: chunk as string, line: index + 1 }))

const ofBytes = (queue: Chunks): Stream.Stream<Identifiers.Identifier, InvalidChunk> =>
  Identifiers.fromBytes(Stream.map(chunksOf(queue), (chunk) => chunk as Uint8Array))

const chunksOf = (queue: Chunks): Stream.Stream<Chunk, InvalidChunk> => flatten(Stream.fromQueue(queue))

/** Why a chunk cannot be taken among those of a kind. */
const problem = (kind: Kind, chunk: unknown): string | undefined => {
  const own = kindOf(chunk)
  if (own === undefined) {
    return `identifiers are written as strings, one each, or as the bytes of lines, not as ${nameOf(chunk)}`
  }
  if (own !== kind) return `${own} were written among ${kind}: write identifiers as strings, or all as bytes`
  return typeof chunk === "string" && /[\r\n]/.test(chunk.trim())
    ? "a string was written that holds several lines, and a string is one identifier: give text as bytes, e.g. without an encoding set on the stream it is read from"
    : undefined
}

const nameOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
