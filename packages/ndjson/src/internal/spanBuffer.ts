/** Collects the bytes of a line or element that spans chunks, in a buffer that doubles. */
const FIRST_BYTES = 1024

/** The room for the chunk that exceeds the limit. */
const EXCESS_BYTES = 256 * 1024

export class SpanBuffer {
  length = 0
  private readonly limit: number
  private bytes: Uint8Array = new Uint8Array(0)

  /** `limit`: the largest useful length. The buffer does not double beyond it. */
  constructor(limit: number) {
    this.limit = limit
  }

  /** Adds `chunk[start, end)`. */
  append(chunk: Uint8Array, start: number, end: number): void {
    const size = this.length + end - start
    if (size > this.bytes.length) {
      const next = new Uint8Array(
        Math.max(size, Math.min(2 * this.bytes.length, this.limit + EXCESS_BYTES), FIRST_BYTES)
      )
      next.set(this.bytes.subarray(0, this.length))
      this.bytes = next
    }
    this.bytes.set(chunk.subarray(start, end), this.length)
    this.length = size
  }

  /** The byte at an index below `length`. */
  at(index: number): number | undefined {
    return this.bytes[index]
  }

  /** Returns the collected bytes, without a copy. */
  peek(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  /** Returns the buffer, whose first `length` bytes are collected, and starts an empty one. */
  take(): { readonly bytes: Uint8Array; readonly length: number } {
    const taken = { bytes: this.bytes, length: this.length }
    this.bytes = new Uint8Array(0)
    this.length = 0
    return taken
  }
}
