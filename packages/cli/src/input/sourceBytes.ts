/**
 * Reads the bytes of a file or of standard input, which may be compressed with gzip or zstd.
 *
 * `openSource.ts` says what they are.
 */
import { createReadStream, fstatSync, type Stats } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Ndjson, RawArray, TableLayout } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Pull, type Scope, Stream } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"
import * as Encoding from "./encoding.ts"
import * as ForeignFormats from "./foreignFormats.ts"

/** Decompressed bytes. */
export type Bytes = Stream.Stream<Uint8Array, CommandFailure>

/** The number of bytes in one read of a file. */
const fileChunk = 64 * 1024

/** Reads all bytes into memory. */
export const all = (bytes: Bytes): Effect.Effect<Buffer, CommandFailure> =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat(chunks))

/** Reads the first chunks of a stream. `isEnough` gets their text. */
export const peek = (
  whole: Bytes,
  isEnough: (text: string) => boolean
): Effect.Effect<
  {
    readonly bytes: Bytes
    readonly chunks: ReadonlyArray<Uint8Array>
    readonly isWhole: boolean
    readonly text: string
  },
  CommandFailure,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(whole)
    const chunks: Array<Uint8Array> = []
    const decoder = new TextDecoder()
    let text = ""
    let isWhole = false
    while (
      !isWhole &&
      text.length < TableLayout.sampleLength(text) &&
      !(chunks.length > 0 && isEnough(text))
    ) {
      const more = yield* Pull.catchDone(pull, () => Effect.succeed([]))
      isWhole = more.length === 0
      for (const bytes of more) text += decoder.decode(bytes, { stream: true })
      chunks.push(...more)
    }
    const start = Stream.fromIterable(chunks)
    return {
      bytes: isWhole ? start : Stream.concat(start, Stream.fromPull(Effect.succeed(pull))),
      chunks,
      isWhole,
      text
    }
  })

/** Fails if bytes are not text in UTF-8. A JSON array becomes lines. `head` are the first bytes, which tell it. */
export const requireText =
  (name: string, head: Uint8Array | undefined) =>
  (bytes: Bytes): Bytes =>
    bytes.pipe(ForeignFormats.refuse(name), Encoding.requireUtf8(name), asLines(head))

/** Writes each element of a JSON array as a line. Another text stays unchanged. */
const asLines =
  (head: Uint8Array | undefined) =>
  (bytes: Bytes): Bytes =>
    head === undefined || !ForeignFormats.isJsonArray(head)
      ? bytes
      : bytes.pipe(
          RawArray.decode(),
          Ndjson.encodeRaw(),
          Stream.mapError((error) =>
            error._tag === "CommandFailure" ? error : usageFailure(`cannot read the input: ${error.message}`)
          )
        )

/** Returns the type of standard input. Undefined: closed. Fails if it is a terminal or a folder. */
export const statStandardInput: Effect.Effect<Stats | undefined, CommandFailure> = Effect.suspend(() => {
  if (process.stdin.isTTY) {
    return usageFailure("no identifiers: give them as arguments, with --input FILE, or on standard input")
  }
  let stats: Stats | undefined
  try {
    stats = fstatSync(process.stdin.fd)
  } catch {
    return Effect.succeed(undefined)
  }
  return stats.isDirectory()
    ? usageFailure("cannot read standard input: it is a folder. Give a file with --input FILE")
    : Effect.succeed(stats)
})

export const statFile = (file: string): Effect.Effect<Stats, CommandFailure> =>
  Effect.filterOrFail(
    Effect.tryPromise({ try: () => stat(file), catch: unreadable(file) }),
    (stats) => !stats.isDirectory(),
    () => usageFailure(`cannot read ${file}: it is a folder. Give a file with --input FILE`)
  )

/** Returns the decompressed bytes of a file. `name` is its name in messages. */
export const fileBytes = (file: string, name = file): Bytes =>
  decodedBytes(name, () => createReadStream(file, { highWaterMark: fileChunk }))

/** Returns the decompressed bytes of standard input. */
export const standardInput: Stream.Stream<Uint8Array, CommandFailure> = decodedBytes(
  Encoding.standardInputName,
  () => process.stdin
)

function decodedBytes(source: string, evaluate: () => Readable): Stream.Stream<Uint8Array, CommandFailure> {
  return NodeStream.fromReadable<Uint8Array, unknown>({ evaluate, onError: (cause) => cause }).pipe(
    Compression.decompress(),
    Stream.mapError(unreadable(source))
  )
}

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usageFailure(`cannot read ${file}: ${reasonOf(cause)}`)
}
