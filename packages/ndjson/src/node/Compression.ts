/**
 * Compresses and decompresses gzip and zstd: functions on `Stream`. The first bytes decide about compression, never a
 * name.
 *
 * `Format` reads names of files. Node's zlib runs off the main thread. Dictionaries are not supported, and zstd
 * windows have at most 128 MiB, to bound memory.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { InvalidOption } from "../InvalidOption.ts"
import { bytesOf, streamOf } from "../streams/internal/pushParser.ts"
import type * as Format from "../tables/Format.ts"
import { DecompressionSteps, type Step } from "./internal/decompressionSteps.ts"
import { type Fault, Member, PIECE_BYTES } from "./internal/decompressMember.ts"
import { StepwiseTransform } from "./internal/stepwiseTransform.ts"

/** The default of `level`, as in `gzip` and `zstd`. */
export const LEVELS: Readonly<Record<Format.Compression, number>> = { gzip: 6, zstd: 3 }

/**
 * Why bytes could not be decompressed.
 *
 * - `not-compressed`: they do not start as the expected format.
 * - `truncated`: they end inside a gzip member or a zstd frame.
 * - `damaged`: the content is invalid, or does not match its checksum.
 * - `trailing-data`: other bytes follow the last member or frame.
 */
export type CompressionReason = "not-compressed" | "truncated" | "damaged" | "trailing-data"

/**
 * Bytes could not be decompressed. `offset` is the position in the input of the fault, or of the piece that contains
 * the fault.
 */
export class CompressionError extends Data.TaggedError("CompressionError")<{
  readonly reason: CompressionReason
  readonly format: Format.Compression
  readonly offset: number
  readonly message: string
  readonly cause?: unknown
}> {}

/** The options of decompression. */
export interface DecompressOptions {
  /** The only accepted format. Default: gzip and zstd are decompressed, other bytes pass unchanged. */
  readonly format?: Format.Compression | undefined
}

/**
 * Decompresses bytes that start as gzip (`1f 8b`) or zstd (`28 b5 2f fd`). Other bytes pass unchanged.
 *
 * The input may have several gzip members or zstd frames, and zeros after the last member. Fails if the input is
 * truncated, damaged or followed by other bytes. The output before the fault is emitted first. Memory holds one piece
 * of output, however far the input expands.
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
    Stream.transformPull(streamOf(self), (upstream, scope) =>
      Effect.gen(function* () {
        const divided = new DecompressionSteps(options?.format)
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
              steps = chunks.flatMap((chunk) => divided.push(bytesOf(chunk))).values()
            }),
          onFailure: Effect.failCause,
          onDone: () =>
            Effect.sync(() => {
              done = true
              steps = divided.end().values()
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

/** The options of compression. */
export interface CompressOptions {
  /** The effort: 0 to 9 for gzip, 1 to 22 for zstd. Default: 6 and 3. */
  readonly level?: number | undefined
}

/**
 * Compresses bytes to one gzip member or zstd frame with a checksum. An empty input gives an empty member or frame.
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
        const compressing = new StepwiseTransform(compressor(format, level))
        let inputs: Iterator<Uint8Array> = [].values()
        let done = false
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => compressing.destroy())
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
              compressing.end()
            })
        })
        return Effect.gen(function* () {
          for (;;) {
            // A compressor accepts any input.
            const piece = yield* Effect.orDie(compressing.next)
            if (piece !== undefined) return [piece] as const
            const input = inputs.next().value as Uint8Array | undefined
            if (input !== undefined) compressing.write(input)
            else if (done) return yield* Cause.done()
            else yield* refill
          }
        })
      })
    )
}

/**
 * Compresses bytes to a complete member or frame. Without a format they stay unchanged. Readers take a sequence of
 * members as one file, so a file can be truncated after a member and continued.
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
          // Without a checksum, a damaged frame can go unnoticed.
          [zlib.constants.ZSTD_c_checksumFlag]: 1
        }
      })

const checkLevel = (format: Format.Compression, level: number): number => {
  const [least, most] = format === "gzip" ? [0, 9] : [1, 22]
  if (!Number.isInteger(level) || level < least || level > most) {
    throw new InvalidOption("level", `must be an integer from ${least} to ${most} for ${format}`, level)
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
