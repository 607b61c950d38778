/**
 * Reads identifiers from the chunks of an input: strings with one identifier each, the bytes of lines, or items of the
 * caller.
 */
import { type Array as Arr, Data, Effect, type Pull, Scope, Stream } from "effect"
import * as Identifiers from "../Identifiers.ts"
import { mapEach } from "./mapEach.ts"

/**
 * A chunk is no text, of another kind than the first one, or a string of several lines. The run stops. `message` says what to
 * write instead.
 */
export class InvalidChunk extends Data.TaggedError("InvalidChunk")<{ readonly message: string }> {}

/** Processes identifiers, e.g. looks them up. Its failure fails the streams. */
export type Run<A, C = undefined> = (
  input: Stream.Stream<Identifiers.IdentifierWithData<C>, InvalidChunk>
) => Stream.Stream<A, unknown>

/** How chunks are read. Without `id` they are text. */
export type ChunkReader<Item, C> = Partial<Identifiers.ItemReader<Item, C>>

/** Runs over the identifiers of chunks. */
export const runChunks =
  <A, Item, C>(
    run: Run<A, C>,
    reader: ChunkReader<Item, C> = {}
  ): ((chunks: Stream.Stream<unknown>) => Stream.Stream<A, unknown>) =>
  (chunks) =>
    run(identifiers(chunks, reader))

/** Reads the identifiers of chunks: of items as `reader` says, otherwise of strings or bytes. */
export const identifiers = <E, Item, C>(
  chunks: Stream.Stream<unknown, E>,
  { carried, id }: ChunkReader<Item, C>
): Stream.Stream<Identifiers.IdentifierWithData<C>, E | InvalidChunk> =>
  id === undefined
    ? (ofText(chunks) as Stream.Stream<Identifiers.IdentifierWithData<C>, E | InvalidChunk>)
    : Identifiers.fromItems(chunks as Stream.Stream<Item, E>, { id, carried })

/** Reads identifiers of strings or bytes: the first chunk decides how it and all further ones are read. */
const ofText = <E>(
  chunks: Stream.Stream<unknown, E>
): Stream.Stream<Identifiers.Identifier<undefined>, E | InvalidChunk> =>
  Stream.transformPull(chunks, (upstream, scope) => {
    // Reads on after the first chunk.
    let next: Chunks<Identifiers.Identifier<undefined>, E> | undefined
    const first = Effect.flatMap(upstream, (read) => {
      const kind = kindOf(read[0]) ?? "strings"
      const rest = Stream.fromPull(Effect.succeed(upstream))
      const all = mapEach(Stream.concat(Stream.fromArray(read), rest), accepted(kind), (error) =>
        Effect.fail(error as InvalidChunk)
      )
      const identified = kind === "bytes" ? Identifiers.fromBytes(all as Bytes<E>) : linesOf(all as Texts<E>)
      return Effect.flatMap(Scope.provide(Stream.toPull(identified), scope), (pull) => {
        next = pull
        return pull
      })
    })
    return Effect.succeed(Effect.suspend(() => next ?? first))
  })

type Chunks<A, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E | InvalidChunk>

type Bytes<E> = Stream.Stream<Uint8Array, E | InvalidChunk>

type Texts<E> = Stream.Stream<string, E | InvalidChunk>

type Kind = "strings" | "bytes"

const kindOf = (chunk: unknown): Kind | undefined =>
  typeof chunk === "string" ? "strings" : chunk instanceof Uint8Array ? "bytes" : undefined

const linesOf = <E>(texts: Stream.Stream<string, E>): Stream.Stream<Identifiers.Identifier<undefined>, E> =>
  Stream.map(texts, (text, index) => ({ text, line: index + 1 }))

/** Returns a chunk of this kind. Throws `InvalidChunk` for another one. */
const accepted =
  (kind: Kind) =>
  (chunk: unknown): unknown => {
    const message = problem(kind, chunk)
    if (message === undefined) return chunk
    throw new InvalidChunk({ message })
  }

/** Why a chunk is refused. Undefined: it is accepted. */
const problem = (kind: Kind, chunk: unknown): string | undefined => {
  const own = kindOf(chunk)
  if (own === undefined) {
    return `write identifiers as strings, one each, or as the bytes of lines, not as ${nameOf(chunk)}`
  }
  if (own !== kind) return `${own} were written among ${kind}: write either strings or bytes`
  return typeof chunk === "string" && /[\r\n]/.test(chunk.trim())
    ? "a string with several lines was written, but a string is one identifier: write text as bytes, e.g. set no encoding on the stream that reads the file"
    : undefined
}

const nameOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
