/**
 * Divides compressed input, in any chunks, into steps: which bytes go to which decompressor, and which are refused.
 *
 * Of zstd it reads the headers of frames and blocks, and opens a decompressor for each frame. A gzip file is one open and one close: its
 * decompressor finds the ends of members. `Compression` runs the steps.
 */
import type { Compression } from "../../tables/Format.ts"
import { mayStart, startsFrame, ZstdFrames } from "./zstdFrames.ts"

/** One step. Steps run in order. `offset` is the position of the bytes in the input. */
export type Step =
  | { readonly do: "pass"; readonly bytes: Uint8Array }
  | { readonly do: "open"; readonly format: Compression }
  | { readonly do: "write"; readonly bytes: Uint8Array; readonly offset: number }
  | { readonly do: "close"; readonly offset: number }
  | Refusal

/** A step that ends the stream. */
export interface Refusal {
  readonly do: "refuse"
  readonly reason: "not-compressed" | "truncated" | "trailing-data"
  readonly format: Compression
  readonly offset: number
}

/** The number of bytes that identify a format. */
const HEAD_BYTES = 4

/** Returns the format of the first bytes. Undefined: neither. */
export const detect = (head: Uint8Array): Compression | undefined => {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip"
  if (head.length < HEAD_BYTES) return undefined
  return startsFrame(new DataView(head.buffer, head.byteOffset).getUint32(0, true)) ? "zstd" : undefined
}

/** Makes steps of the chunks of one input. `expected`: the only accepted format. */
export class DecompressionSteps {
  private readonly expected: Compression | undefined
  private readonly frames = new ZstdFrames()
  private format: Compression | "none" | undefined
  private head: Uint8Array = new Uint8Array(0)
  private offset = 0

  constructor(expected: Compression | undefined) {
    this.expected = expected
  }

  push(chunk: Uint8Array): ReadonlyArray<Step> {
    if (this.format !== undefined) return this.body(chunk)
    this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk])
    return this.head.length < HEAD_BYTES && mayBegin(this.head) ? [] : this.start()
  }

  end(): ReadonlyArray<Step> {
    const steps = this.format === undefined ? this.start() : []
    const { format, frames, offset } = this
    if (format === "gzip") return [...steps, { do: "close", offset }]
    return format === "zstd" && frames.open ? [...steps, refuse("truncated", format, offset)] : steps
  }

  private start(): ReadonlyArray<Step> {
    const { expected, head } = this
    const format = detect(head)
    if (expected !== undefined && format !== expected) {
      const reason = isPrefix(head, expected) ? "truncated" : "not-compressed"
      this.format = "none"
      return [refuse(reason, expected, 0)]
    }
    this.format = format ?? "none"
    this.head = new Uint8Array(0)
    const first: ReadonlyArray<Step> = format === "gzip" ? [{ do: "open", format: "gzip" }] : []
    return [...first, ...this.body(head)]
  }

  private body(bytes: Uint8Array): ReadonlyArray<Step> {
    const { offset } = this
    this.offset += bytes.length
    if (this.format === "zstd") return this.frameSteps(bytes, offset)
    if (bytes.length === 0) return []
    return this.format === "gzip" ? [{ do: "write", bytes, offset }] : [{ do: "pass", bytes }]
  }

  private frameSteps(bytes: Uint8Array, offset: number): ReadonlyArray<Step> {
    const steps: Array<Step> = []
    let i = 0
    while (i < bytes.length) {
      const wasOpen = this.frames.open
      const reached = this.frames.follow(bytes, i)
      if (reached === undefined) return [...steps, refuse("trailing-data", "zstd", offset + i)]
      if (!wasOpen) steps.push({ do: "open", format: "zstd" })
      steps.push({ do: "write", bytes: bytes.subarray(i, reached), offset: offset + i })
      if (!this.frames.open) steps.push({ do: "close", offset: offset + reached })
      i = reached
    }
    return steps
  }
}

// Whether these bytes may be the start of a format. Otherwise plain text passes without waiting for more bytes.
const mayBegin = (head: Uint8Array): boolean =>
  isPrefix(head, "gzip") || head.every((byte, i) => mayStart(i, byte))

const refuse = (reason: Refusal["reason"], format: Compression, offset: number): Refusal => ({
  do: "refuse",
  reason,
  format,
  offset
})

const MAGIC: Record<Compression, ReadonlyArray<number>> = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd]
}

const isPrefix = (head: Uint8Array, format: Compression): boolean =>
  head.every((byte, i) => byte === MAGIC[format][i])
