/**
 * gzip and zstd, in and out, as functions on `Stream`: what is compressed is told by its first bytes, never by a name.
 *
 * The name of a file that is to be written is `Format`'s. Runs Node's own zlib off the main thread. No dictionaries, and
 * of zstd no windows of more than 128 MiB, which is the limit of the decompressor's memory.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Format from "../tables/Format.ts"
import { Engine } from "./internal/engine.ts"
import { type Fault, Member } from "./internal/member.ts"
import { PIECE_BYTES } from "./internal/piece.ts"
import { type Step, Unpack } from "./internal/unpack.ts"

/** The default of `level`: what `gzip` and `zstd` use themselves. */
export const LEVELS: Readonly<Record<Format.Compression, number>> = { gzip: 6, zstd: 3 }

/**
 * Why bytes could not be decompressed.
 *
 * - `not-compressed`: they do not start as the format that was asked for.
 * - `truncated`: they end inside a gzip member or a zstd frame.
 * - `damaged`: what they hold is not valid, or does not match its checksum.
 * - `trailing-data`: something else follows the last member or frame.
 */
export type CompressionReason = "not-compressed" | "truncated" | "damaged" | "trailing-data"

/**
 * Bytes that could not be decompressed: `offset` is how many bytes came before what shows it, or where it showed to the
 * next piece handed to the decompressor.
 */
export class CompressionError extends Data.TaggedError("CompressionError")<{
  readonly reason: CompressionReason
  readonly format: Format.Compression
  readonly offset: number
  readonly message: string
  readonly cause?: unknown
}> {}

/** How bytes are decompressed. */
export interface DecompressOptions {
  /** The only format to accept. Unless given: gzip, zstd, or anything else as it is. */
  readonly format?: Format.Compression | undefined
}

/**
 * The bytes decompressed, where their first bytes say gzip (`1f 8b`) or zstd (`28 b5 2f fd`), else as they are.
 *
 * Takes several gzip members or zstd frames, one after another, and zeros after the last member, which tape archives
 * leave. Input that is cut off, damaged, or followed by something else fails, after what was decompressed before. However
 * far a small input expands, only the piece that was asked for is held.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Compression } from "@chemstream/ndjson/node"
 *
 * const lines = Stream.make('{"id":1}\n').pipe(Stream.encodeText)
 * const packed = lines.pipe(Compression.compress("zstd"))
 * const text = packed.pipe(Compression.decompress(), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '{"id":1}\n'
 * ```
 */
export const decompress =
  (
    options?: DecompressOptions
  ): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Uint8Array, E | CompressionError, R>) =>
  (self) =>
    Stream.transformPull(self, (upstream, scope) =>
      Effect.gen(function* () {
        const unpack = new Unpack(options?.format)
        let steps: Iterator<Step> = [].values()
        let current: Member | undefined
        let done = false
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => current?.destroy())
        )

        const refill = Pull.matchEffect(upstream, {
          onSuccess: (chunks) =>
            Effect.sync(() => {
              steps = chunks.flatMap((chunk) => unpack.push(chunk)).values()
            }),
          onFailure: Effect.failCause,
          onDone: () =>
            Effect.sync(() => {
              done = true
              steps = unpack.end().values()
            })
        })
        return Effect.gen(function* () {
          for (;;) {
            if (current !== undefined) {
              const piece = yield* Effect.mapError(current.next, refuseFault)
              if (piece !== undefined) return [piece] as const
              if (current.closed) current = undefined
            }
            const step = steps.next().value as Step | undefined
            if (step === undefined) {
              if (done) return yield* Cause.done()
              yield* refill
            } else if (step.do === "pass") return [step.bytes] as const
            else if (step.do === "refuse") return yield* refuseFault(step)
            else if (step.do === "open") current = new Member(step.format)
            else if (step.do === "write") current?.write(step.bytes, step.offset)
            else current?.close(step.offset)
          }
        })
      })
    )

/** How bytes are compressed. */
export interface CompressOptions {
  /** Of effort: 0 to 9 for gzip, default 6; 1 to 22 for zstd, default 3. */
  readonly level?: number | undefined
}

/**
 * The bytes compressed, with a checksum: one gzip member or zstd frame, also of no bytes at all.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Compression } from "@chemstream/ndjson/node"
 *
 * const zeros = Stream.make(new Uint8Array(100_000))
 * const sizes = zeros.pipe(Compression.compress("gzip", { level: 9 }), Stream.map((bytes) => bytes.length))
 * const size = await Effect.runPromise(Stream.runSum(sizes))
 * size < 200 // => true
 * ```
 */
export const compress = (
  format: Format.Compression,
  options?: CompressOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Uint8Array, E, R>) => {
  const level = checkLevel(format, options?.level ?? LEVELS[format])
  return (self) =>
    Stream.transformPull(self, (upstream, scope) =>
      Effect.gen(function* () {
        const engine = new Engine(compressor(format, level))
        let inputs: Iterator<Uint8Array> = [].values()
        let done = false
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => engine.destroy())
        )

        const refill = Pull.matchEffect(upstream, {
          onSuccess: (chunks) =>
            Effect.sync(() => {
              inputs = chunks.values()
            }),
          onFailure: Effect.failCause,
          onDone: () =>
            Effect.sync(() => {
              done = true
              engine.end()
            })
        })
        return Effect.gen(function* () {
          for (;;) {
            // There is no input that a compressor refuses.
            const piece = yield* Effect.orDie(engine.next)
            if (piece !== undefined) return [piece] as const
            const input = inputs.next().value as Uint8Array | undefined
            if (input !== undefined) engine.write(input)
            else if (done) return yield* Cause.done()
            else yield* refill
          }
        })
      })
    )
}

/**
 * Compresses some bytes to a complete member (frame); leaves them as they are without a format. Every reader takes a sequence
 * of members as one file, and a file can be cut back to the end of one and go on from there.
 */
export const member = (
  format: Format.Compression | undefined,
  bytes: Uint8Array
): Effect.Effect<Uint8Array> =>
  format === undefined
    ? Effect.succeed(bytes)
    : Effect.map(Stream.runCollect(compress(format)(Stream.make(bytes))), (pieces) => Buffer.concat(pieces))

const compressor = (format: Format.Compression, level: number): Transform =>
  format === "gzip"
    ? zlib.createGzip({ level, chunkSize: PIECE_BYTES })
    : zlib.createZstdCompress({
        chunkSize: PIECE_BYTES,
        params: {
          [zlib.constants.ZSTD_c_compressionLevel]: level,
          // Without it a damaged frame can pass for a sound one.
          [zlib.constants.ZSTD_c_checksumFlag]: 1
        }
      })

const checkLevel = (format: Format.Compression, level: number): number => {
  const [least, most] = format === "gzip" ? [0, 9] : [1, 22]
  if (!Number.isInteger(level) || level < least || level > most) {
    throw new RangeError(`level must be an integer from ${least} to ${most} for ${format}, got ${level}`)
  }
  return level
}

const refuseFault = ({ cause, format, offset, reason }: Fault): CompressionError => {
  const message = `${WHAT[reason](format, offset)}${cause instanceof Error ? `: ${cause.message}` : ""}. ${STEP[reason]}.`
  return new CompressionError({ reason, format, offset, message, cause })
}

const WHAT: Record<CompressionReason, (format: string, offset: number) => string> = {
  "not-compressed": (format) => `The bytes are not ${format}`,
  truncated: (format, offset) => `The ${format} data is cut off after ${offset} bytes`,
  damaged: (format, offset) => `The ${format} data is damaged at or after byte ${offset}`,
  "trailing-data": (format, offset) =>
    `Something that is not ${format} follows the data at or after byte ${offset}`
}

const STEP: Record<CompressionReason, string> = {
  "not-compressed": "Check which file this is",
  truncated: "Fetch or write the file again",
  damaged: "Fetch or write the file again",
  "trailing-data": "Remove what follows, or fetch the file again"
}
