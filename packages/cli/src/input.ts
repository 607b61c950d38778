/**
 * Where identifiers come from: the arguments, a file, or standard input. Bytes may be compressed with gzip or zstd.
 */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Compression } from "@chemstream/ndjson/node"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { type CommandFailure, reasonOf, usage } from "./CommandFailure.ts"

/** Bytes read from a file at a time. */
const fileChunk = 256 * 1024

export interface Input {
  readonly identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** How many identifiers there are, where that is known beforehand. */
  readonly total?: number
}

/** The input of a command: its arguments if it has any, else the file, else standard input. */
export const open = (
  values: ReadonlyArray<string>,
  file: string | undefined
): Effect.Effect<Input, CommandFailure> => {
  if (values.length > 0) {
    return file === undefined
      ? Effect.succeed({ identifiers: Read.fromIterable(values), total: values.length })
      : Effect.fail(usage("give identifiers as arguments or with --input, not both"))
  }
  if (file !== undefined && file !== "-") return openFile(file)
  return process.stdin.isTTY
    ? Effect.fail(usage("no identifiers: give them as arguments, with --input FILE, or on standard input"))
    : Effect.succeed({ identifiers: Read.fromBytes(standardInput) })
}

const openFile = (file: string): Effect.Effect<Input, CommandFailure> =>
  Effect.gen(function* () {
    const about = yield* Effect.tryPromise({ try: () => stat(file), catch: unreadable(file) })
    if (about.isDirectory()) return yield* usage(`cannot read ${file}: it is a folder`)
    const bytes = fileBytes(file)
    // A pipe or device given by name can be read only once, so only a regular file is counted first.
    if (!about.isFile()) return { identifiers: Read.fromBytes(bytes) }
    const total = yield* Stream.runFold(
      Read.fromBytes(bytes),
      () => 0,
      (count: number) => count + 1
    )
    return { identifiers: Read.fromBytes(bytes), total }
  })

const fileBytes = (file: string): Stream.Stream<Uint8Array, CommandFailure> =>
  bytesOf(file, () => createReadStream(file, { highWaterMark: fileChunk }))

const standardInput: Stream.Stream<Uint8Array, CommandFailure> = bytesOf(
  "standard input",
  () => process.stdin
)

function bytesOf(source: string, evaluate: () => Readable): Stream.Stream<Uint8Array, CommandFailure> {
  return NodeStream.fromReadable<Uint8Array, unknown>({ evaluate, onError: (cause) => cause }).pipe(
    Compression.decompress(),
    Stream.mapError(unreadable(source))
  )
}

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usage(`cannot read ${file}: ${reasonOf(cause)}`)
}
