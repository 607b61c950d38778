/** Collects the bytes of a line or element that spans chunks, in blocks, so that no byte is copied while it grows. */

/** The smallest and the largest block, in bytes, unless one chunk has more. */
const FIRST_BYTES = 1024

const LARGEST_BYTES = 1024 * 1024

/** A buffer of bytes that grows. */
export class SpanBuffer {
  length = 0
  private blocks: Array<Uint8Array> = []
  /** The free bytes at the end of the last block. */
  private free = 0

  /** Adds `chunk[start, end)`. */
  append(chunk: Uint8Array, start: number, end: number): void {
    const size = end - start
    this.length += size
    const fitting = Math.min(size, this.free)
    const last = this.blocks.at(-1)
    if (last !== undefined) last.set(chunk.subarray(start, start + fitting), last.length - this.free)
    this.free -= fitting
    if (fitting === size) return
    const rest = size - fitting
    const block = new Uint8Array(Math.max(rest, Math.min(this.length, LARGEST_BYTES), FIRST_BYTES))
    block.set(chunk.subarray(start + fitting, end))
    this.blocks.push(block)
    this.free = block.length - rest
  }

  /** The first block: all bytes, or at least 1,024 of them. Bytes after `length` are zeros. */
  get head(): Uint8Array {
    return this.blocks[0] ?? new Uint8Array(0)
  }

  /** The last byte. */
  get last(): number | undefined {
    const block = this.blocks.at(-1)
    return block?.[block.length - this.free - 1]
  }

  /** Forgets the bytes. */
  clear(): void {
    this.length = 0
    this.blocks = []
    this.free = 0
  }

  /** Returns a buffer whose first `length` bytes are collected, and starts an empty one. */
  take(): { readonly bytes: Uint8Array; readonly length: number } {
    const { blocks, head, length } = this
    this.clear()
    if (blocks.length <= 1) return { bytes: head, length }
    const bytes = new Uint8Array(length)
    let at = 0
    for (const block of blocks) {
      bytes.set(block.subarray(0, length - at), at)
      at += block.length
    }
    return { bytes, length }
  }
}
