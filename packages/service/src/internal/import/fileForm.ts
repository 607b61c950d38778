/**
 * Detects the form of a text of records from its first bytes: an array, one object over several lines, or lines.
 *
 * It looks at each byte once, and keeps what it has read. `jsonFile` reads the records.
 */
import { Ndjson } from "@chemstream/ndjson"

/**
 * The form of a text. `"object"`: the first line is the beginning of an object. `"too-large"`: the first line is longer
 * than the longest record.
 */
export type Form = "array" | "lines" | "object" | "too-large"

const LF = 0x0a
const BRACE = 0x7b
const BRACKET = 0x5b
const spaces = new Set([0x20, 0x09, LF, 0x0d])
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** The largest size of a first line, with a byte-order mark and a carriage return. */
export const longest: number = Ndjson.MAX_LINE_BYTES + byteOrderMark.length + 1

/** A text as far as it was read. */
export class Head {
  readonly chunks: Array<Uint8Array> = []
  /** The number of bytes that were read. */
  size = 0
  /** The index of the first byte that is neither blank nor of a byte-order mark. -1: none yet. */
  private start = -1
  private first: number | undefined
  private hasBlankLine = false

  /** Keeps a chunk without looking at it. */
  keep(chunk: Uint8Array): void {
    this.chunks.push(chunk)
    this.size += chunk.length
  }

  /** Adds a chunk. Returns the form of the text, or undefined if more is needed. */
  add(chunk: Uint8Array): Form | undefined {
    const offset = this.size
    this.keep(chunk)
    let from = 0
    if (this.start === -1) {
      while (from < chunk.length && this.isBlank(chunk[from] as number, offset + from)) from++
      if (from === chunk.length) return this.size > longest && this.hasBlankLine ? "lines" : this.sizeForm()
      this.start = offset + from
      this.first = chunk[from]
    }
    if (this.first === BRACKET) return "array"
    const lf = chunk.indexOf(LF, from)
    if (lf === -1) return this.sizeForm()
    if (this.first !== BRACE) return "lines"
    return isJson(this.text().subarray(this.start, offset + lf)) ? "lines" : "object"
  }

  private sizeForm(): "too-large" | undefined {
    return this.size > longest ? "too-large" : undefined
  }

  /** Everything that was read, as one piece. */
  text(): Buffer {
    const text = Buffer.concat(this.chunks)
    this.chunks.splice(0, this.chunks.length, text)
    return text
  }

  private isBlank(byte: number, index: number): boolean {
    if (byte === LF) this.hasBlankLine = true
    return spaces.has(byte) || byteOrderMark[index] === byte
  }
}

const isJson = (line: Buffer): boolean => {
  try {
    JSON.parse(line.toString("latin1"))
    return true
  } catch {
    return false
  }
}
