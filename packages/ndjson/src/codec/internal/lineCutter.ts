/**
 * Cuts chunks of bytes into numbered lines. Lines end with LF or CRLF; the last one needs neither. It skips blank
 * lines and a byte-order mark, and bounds the length of a line.
 *
 * The handler gets single lines, or runs of many whole lines.
 */

import { indexOf } from "../../internal/byteSearch.ts"
import { CR, isSpace, LF } from "../../internal/jsonBytes.ts"
import { SpanBuffer } from "../../internal/spanBuffer.ts"

/** A refused line: the reason, and the place in its bytes if known. */
export interface Refusal {
  readonly reason: "invalid-json" | "invalid-utf8" | "line-too-large" | "schema-mismatch"
  readonly detail: string
  readonly index?: number | undefined
}

/** A refusal with the position and bytes of its line. */
export interface RefusedLine extends Refusal {
  /** The line number, from 1, counting blank lines. */
  readonly line: number
  /** The offset of the line from the start of the input. */
  readonly offset: number
  /** The bytes of the line; of one that is too large, perhaps only the first ones. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Handles lines. */
export interface Handler<Out> {
  /** Handles one line without its terminator. `number` counts from 1, with blank lines. */
  readonly line: (
    bytes: Uint8Array,
    start: number,
    end: number,
    out: Array<Out>,
    number: number
  ) => Refusal | undefined
  /**
   * Handles a run of whole lines, each with its LF. Returns the number of lines if it handled all of them. Otherwise
   * it returns the handled part; the next line then goes to `line`, which finds its fault. Without `run`, every line
   * goes to `line`.
   */
  readonly run?: (bytes: Uint8Array, start: number, end: number, out: Array<Out>) => number | PartialRun
  /** The longest line that the handler can take, in bytes. Default: any. */
  readonly maxBytes?: number | undefined
}

/** Handles a refused line. True: skip it. False: stop. */
export type BadLineHandler<Out> = (refused: RefusedLine, out: Array<Out>) => boolean

/** The handled part of a run. */
export interface PartialRun {
  readonly lines: number
  readonly bytes: number
}

/** The size of a run, in bytes: many lines, but within the processor's cache. */
const RUN_BYTES = 64 * 1024

/** The size of the run after a bad line, in bytes. */
const LEAST_RUN_BYTES = 512

const BOM_BYTES = 3

/** Cuts the chunks of one input. `push` and `end` return the line at which the stream must stop. */
export class Lines<Out> {
  private readonly max: number
  private readonly handler: Handler<Out>
  private readonly onBadLine: BadLineHandler<Out>
  private readonly partial = new SpanBuffer()
  private line = 1
  private offset = 0
  /** The length so far of a line that is too large and is skipped. -1: none. */
  private skippedBytes = -1
  /** The largest size of the next run, in bytes. It is short after a bad line, and grows again. */
  private reach = RUN_BYTES

  constructor(maxLineBytes: number, handler: Handler<Out>, onBadLine: BadLineHandler<Out>) {
    this.max = maxLineBytes
    this.handler = handler
    this.onBadLine = onBadLine
  }

  push(chunk: Uint8Array, out: Array<Out>): RefusedLine | undefined {
    const n = chunk.length
    let at = 0
    if (this.skippedBytes >= 0) {
      const lf = indexOf(chunk, LF, 0)
      if (lf === -1) {
        this.skippedBytes += n
        return undefined
      }
      this.line++
      this.offset += this.skippedBytes + lf + 1
      this.skippedBytes = -1
      at = lf + 1
    } else if (this.partial.length > 0) {
      const lf = indexOf(chunk, LF, 0)
      if (lf === -1) return this.keepPartial(chunk, 0, out)
      this.partial.append(chunk, 0, lf)
      const refused = this.finishPartial(1, out)
      if (refused !== undefined) return refused
      at = lf + 1
    }
    while (at < n) {
      // Blank lines cost little, also millions of them.
      if (chunk[at] === LF) {
        this.line++
        this.offset++
        at++
        continue
      }
      const next = this.run(chunk, at, out)
      if (next > at) {
        at = next
        continue
      }
      const lf = indexOf(chunk, LF, at)
      if (lf === -1) return this.keepPartial(chunk, at, out)
      const refused = this.single(chunk, at, lf, 1, out)
      if (refused !== undefined) return refused
      at = lf + 1
    }
    return undefined
  }

  end(out: Array<Out>): RefusedLine | undefined {
    return this.partial.length === 0 ? undefined : this.finishPartial(0, out)
  }

  // Passes as many whole lines as fit to the handler. Returns the index after them. The first line is handled alone,
  // because it may start with a byte-order mark.
  private run(chunk: Uint8Array, at: number, out: Array<Out>): number {
    if (this.handler.run === undefined || this.line === 1) return at
    const stop = Math.min(chunk.length, at + Math.min(this.reach, this.max))
    const last = chunk.lastIndexOf(LF, stop - 1)
    if (last < at) return at
    const handled = this.handler.run(chunk, at, last + 1, out)
    const { lines, bytes } = typeof handled === "number" ? { lines: handled, bytes: last + 1 - at } : handled
    // After a bad line the next run is short. Otherwise each of many bad lines would decode the same text again.
    this.reach =
      typeof handled === "number"
        ? Math.min(2 * this.reach, RUN_BYTES)
        : Math.min(bytes + LEAST_RUN_BYTES, RUN_BYTES)
    this.line += lines
    this.offset += bytes
    return at + bytes
  }

  // Keeps the start of a line for the next chunk. The bound is also checked here, to bound memory. The last byte may
  // be the CR of a CRLF.
  private keepPartial(chunk: Uint8Array, at: number, out: Array<Out>): RefusedLine | undefined {
    this.partial.append(chunk, at, chunk.length)
    const { head, length } = this.partial
    const start = this.markBytes(head, 0, length)
    const over = length - start - this.max
    if (over <= 0 || (over === 1 && this.partial.last === CR)) return undefined
    // These bytes may be the start of a byte-order mark.
    if (this.line === 1 && length < BOM_BYTES) return undefined
    this.partial.clear()
    const refused = this.tooLarge(head, start)
    if (!this.onBadLine(refused, out)) return refused
    this.skippedBytes = length
    return undefined
  }

  /** Handles the line of several chunks that is complete. `terminator` is the number of bytes of its line feed. */
  private finishPartial(terminator: number, out: Array<Out>): RefusedLine | undefined {
    const { bytes, length } = this.partial.take()
    return this.single(bytes, 0, length, terminator, out)
  }

  private single(
    bytes: Uint8Array,
    from: number,
    to: number,
    terminator: number,
    out: Array<Out>
  ): RefusedLine | undefined {
    const start = from + this.markBytes(bytes, from, to)
    const end = to > start && bytes[to - 1] === CR ? to - 1 : to
    const refused = this.handle(bytes, start, end, out)
    if (refused !== undefined && !this.onBadLine(refused, out)) return refused
    this.line++
    this.offset += to - from + terminator
    return undefined
  }

  private handle(bytes: Uint8Array, start: number, end: number, out: Array<Out>): RefusedLine | undefined {
    if (end - start > this.max) return this.tooLarge(bytes, start)
    if (isBlank(bytes, start, end)) return undefined
    const refusal = this.handler.line(bytes, start, end, out, this.line)
    return refusal && this.locate(refusal, bytes, start, end)
  }

  /** Returns the number of bytes of a byte-order mark at the start of the input, 0 or 3. */
  private markBytes(bytes: Uint8Array, from: number, to: number): number {
    if (this.line > 1 || to - from < BOM_BYTES) return 0
    return bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf ? BOM_BYTES : 0
  }

  // Shows the line only up to the bound. Otherwise the error would depend on the chunks.
  private tooLarge(bytes: Uint8Array, start: number): RefusedLine {
    const refusal: Refusal = { reason: "line-too-large", detail: `it is longer than ${this.max} bytes` }
    return this.locate(refusal, bytes, start, start + this.max)
  }

  private locate(refusal: Refusal, bytes: Uint8Array, start: number, end: number): RefusedLine {
    return { ...refusal, line: this.line, offset: this.offset, bytes, start, end }
  }
}

const isBlank = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let i = start; i < end; i++) if (!isSpace(bytes[i])) return false
  return true
}
