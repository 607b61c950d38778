/**
 * What is written to a stream of the web or of Node, as identifiers: strings, each one of them, or the bytes of lines.
 *
 * The streams themselves are those of `@chemstream/ndjson`.
 */
import { Array as Arr, Data, Effect, type Pull, Scope, Stream } from "effect"
import * as Identifiers from "../Identifiers.ts"

/** What was written is nothing that identifiers can be read from: the run ends, `message` says what to write. */
export class InvalidChunk extends Data.TaggedError("InvalidChunk")<{ readonly message: string }> {}

/** What is done with the identifiers; what it fails with ends the streams. */
export type Run<A, C = undefined> = (
  identifiers: Stream.Stream<Identifiers.Carrying<C>, InvalidChunk>
) => Stream.Stream<A, unknown>

/** How what is written is read: as text where `id` is not given. */
export type Reading<Item, C> = Partial<Identifiers.Reading<Item, C>>

/** A run of what is written. */
export const ofWritten =
  <A, Item, C>(
    run: Run<A, C>,
    reading: Reading<Item, C> = {}
  ): ((written: Stream.Stream<unknown>) => Stream.Stream<A, unknown>) =>
  (written) =>
    run(identifiers(written, reading))

/** The identifiers of what is written: of items as `reading` says, else of strings, or of bytes. */
export const identifiers = <E, Item, C>(
  written: Stream.Stream<unknown, E>,
  { carried, id }: Reading<Item, C>
): Stream.Stream<Identifiers.Carrying<C>, E | InvalidChunk> =>
  id === undefined
    ? (ofText(written) as Stream.Stream<Identifiers.Carrying<C>, E | InvalidChunk>)
    : Identifiers.fromItems(written as Stream.Stream<Item, E>, { id, carried })

const ofText = <E>(
  written: Stream.Stream<unknown, E>
): Stream.Stream<Identifiers.Identifier<undefined>, E | InvalidChunk> =>
  Stream.transformPull(written, (upstream, scope) => {
    let identifiers: Chunks<Identifiers.Identifier<undefined>, E> | undefined
    // The first chunk says what kind all of them are.
    const first = Effect.flatMap(upstream, (chunks) => {
      const kind = kindOf(chunks[0])
      const all = checked(kind ?? "strings", Effect.succeed(chunks), upstream)
      const read =
        kind === "bytes" ? ofBytes(all as Chunks<Uint8Array, E>) : ofStrings(all as Chunks<string, E>)
      return Effect.flatMap(Scope.provide(Stream.toPull(read), scope), (pull) => {
        identifiers = pull
        return pull
      })
    })
    return Effect.succeed(Effect.suspend(() => identifiers ?? first))
  })

type Chunks<A, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E | InvalidChunk>

type Chunk = string | Uint8Array

type Kind = "strings" | "bytes"

const kindOf = (chunk: unknown): Kind | undefined =>
  typeof chunk === "string" ? "strings" : chunk instanceof Uint8Array ? "bytes" : undefined

const ofStrings = <E>(
  chunks: Chunks<string, E>
): Stream.Stream<Identifiers.Identifier<undefined>, E | InvalidChunk> =>
  Stream.map(Stream.fromPull(Effect.succeed(chunks)), (text, index) => ({ text, line: index + 1 }))

const ofBytes = <E>(
  chunks: Chunks<Uint8Array, E>
): Stream.Stream<Identifiers.Identifier<undefined>, E | InvalidChunk> =>
  Identifiers.fromBytes(Stream.fromPull(Effect.succeed(chunks)))

/** The first chunks and those that follow, until one is not of the kind. */
const checked = <E>(kind: Kind, first: Chunks<unknown, E>, rest: Chunks<unknown, E>): Chunks<Chunk, E> => {
  let next = first
  return Effect.suspend(() =>
    Effect.flatMap(next, (chunks) => {
      next = rest
      const bad = chunks.findIndex((chunk) => problem(kind, chunk) !== undefined)
      const good = (bad === -1 ? chunks : chunks.slice(0, bad)) as ReadonlyArray<Chunk>
      if (bad !== -1) {
        next = Effect.fail(new InvalidChunk({ message: problem(kind, chunks[bad]) ?? "" }))
      }
      return Arr.isReadonlyArrayNonEmpty(good) ? Effect.succeed(good) : (next as Chunks<never, E>)
    })
  )
}

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
