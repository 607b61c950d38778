/**
 * Decompresses a part of an input that one decompressor of Node takes: all members of gzip, or one frame of zstd. Members and frames
 * are complete compressed texts, which may follow one another.
 */
import * as zlib from "node:zlib"
import * as Effect from "effect/Effect"
import type { Compression } from "../../tables/Format.ts"
import type { Refusal } from "./decompressionSteps.ts"
import { StepwiseTransform } from "./stepwiseTransform.ts"

/** The size of a piece of zlib output, in bytes. Node's default of 16 KiB needs more round trips to the thread. */
export const PIECE_BYTES: number = 128 * 1024

/** Why the bytes were refused, and the position of the fault. */
export interface Fault {
  readonly reason: Refusal["reason"] | "damaged"
  readonly format: Compression
  readonly offset: number
  readonly cause?: unknown
}

/** Runs one decompressor. After `write` and `close`, call `next` until it returns undefined. */
export class Member {
  private readonly format: Compression
  private readonly stream: zlib.Gunzip | zlib.ZstdDecompress
  private readonly steps: StepwiseTransform
  private inputBytes = 0
  /** The last input, and its position in the whole input. */
  private last: Uint8Array = new Uint8Array(0)
  private offset = 0
  private isClosing = false

  constructor(format: Compression) {
    this.format = format
    this.stream =
      format === "gzip"
        ? zlib.createGunzip({ chunkSize: PIECE_BYTES })
        : zlib.createZstdDecompress({ chunkSize: PIECE_BYTES })
    this.steps = new StepwiseTransform(this.stream)
  }

  /** Whether it is closed and all output is read. */
  get closed(): boolean {
    return this.isClosing && this.steps.ended
  }

  write(bytes: Uint8Array, offset: number): void {
    this.last = bytes
    this.offset = offset
    this.inputBytes += bytes.length
    if (!this.steps.ended) this.steps.write(bytes)
  }

  close(offset: number): void {
    this.last = new Uint8Array(0)
    this.offset = offset
    this.isClosing = true
    if (!this.steps.ended) this.steps.end()
  }

  destroy(): void {
    this.steps.destroy()
  }

  /** Returns the next output. Undefined: the input is consumed. */
  readonly next: Effect.Effect<Uint8Array | undefined, Fault> = Effect.suspend(() =>
    this.steps.next.pipe(
      Effect.mapError((cause) => this.fault(cause)),
      Effect.flatMap((piece) => {
        const fault = piece === undefined ? this.trailingFault() : undefined
        return fault === undefined ? Effect.succeed(piece) : Effect.fail(fault)
      })
    )
  )

  /** Returns the fault of bytes after the last member. Node ends a gzip stream at a zero there, and only zeros may follow. */
  private trailingFault(): Fault | undefined {
    if (this.format !== "gzip" || !this.steps.ended) return undefined
    const { bytesWritten } = this.stream
    const unread = Math.min(this.inputBytes - bytesWritten, this.last.length)
    const from = this.last.length - unread
    const index = this.last.subarray(from).findIndex((byte) => byte !== 0)
    if (index === -1) return undefined
    return { reason: "trailing-data", format: this.format, offset: this.offset + from + index }
  }

  private fault(cause: unknown): Fault {
    const { format, offset } = this
    const { code, message } = cause as { readonly code?: string; readonly message?: string }
    if (code === "Z_BUF_ERROR") return { reason: "truncated", format, offset }
    // The first member was checked before, so this one follows another.
    const follows = message === "incorrect header check" || code === "ZSTD_error_prefix_unknown"
    return { reason: follows ? "trailing-data" : "damaged", format, offset, cause }
  }
}
