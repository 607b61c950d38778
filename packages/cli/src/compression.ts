/**
 * The bytes of a file as a sequence of complete members (frames), each compressed on its own: every reader of those
 * formats takes that as one file, and a file can be cut back to a member's end and go on from there.
 */
import type { Format } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Effect, Stream } from "effect"

/** Compresses some bytes to a complete member; leaves them as they are where there is no format. */
export const member = (
  format: Format.Compression | undefined,
  bytes: Uint8Array
): Effect.Effect<Uint8Array> =>
  format === undefined
    ? Effect.succeed(bytes)
    : Stream.make(bytes).pipe(
        Compression.compress(format),
        Stream.runCollect,
        Effect.map((pieces) => Buffer.concat(pieces))
      )
