/**
 * Finds the ends of zstd frames (RFC 8878, section 3.1) from their headers, without decompressing.
 *
 * Node's decompressor does not accept a second frame in all supported versions, and does not report a truncated frame
 * or trailing bytes. The decompressor checks the content of frames.
 */

// The first words of frames. The last four bits of a skippable frame are free.
const MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50

/** The next part: a fixed field, or a body of known length: the rest of the frame header, a block, or the data of a skippable frame. */
type Part = "magic" | "descriptor" | "block" | "skip-size" | "body"

/** The lengths of the fixed fields, in bytes. */
const FIXED: Record<Exclude<Part, "body">, number> = {
  magic: 4,
  descriptor: 1,
  block: 3,
  "skip-size": 4
}

/** Whether a little-endian word starts a frame. */
export const startsFrame = (word: number): boolean => word === MAGIC || isSkippable(word)

/** Whether a byte can have this index in the little-endian word that starts a frame. */
export const mayStart = (index: number, byte: number): boolean => {
  const skippable = index === 0 ? byte - (byte % 16) : byte
  return byte === byteOf(MAGIC, index) || skippable === byteOf(SKIPPABLE_MAGIC, index)
}

/** Follows the frames of one stream. */
export class ZstdFrames {
  private part: Part = "magic"
  /** The bytes of a fixed little-endian field, and how many have come. */
  private word = 0
  private count = 0
  private bodyLeft = 0
  /** Whether the frame ends after the body. */
  private last = false
  /** The number of bytes of the checksum after the last block: 0 or 4. */
  private checksum = 0
  /** Whether a frame has begun and not ended. */
  open = false

  /**
   * Follows `bytes` from an index to the end of the frame, or of the bytes. Returns that index. Undefined: no frame
   * starts there.
   */
  follow(bytes: Uint8Array, from: number): number | undefined {
    let i = from
    this.open = true
    while (i < bytes.length) {
      if (this.part === "body") {
        const size = Math.min(this.bodyLeft, bytes.length - i)
        this.bodyLeft -= size
        i += size
        if (this.bodyLeft > 0) return i
        if (this.afterBody()) return i
      } else {
        const byte = bytes[i++] as number
        // Checks each byte at once, so that the chunks do not decide where trailing bytes are found.
        if (this.part === "magic" && !mayStart(this.count, byte)) return undefined
        this.word += byte * 2 ** (8 * this.count++)
        if (this.count < FIXED[this.part]) continue
        const { word } = this
        this.word = 0
        this.count = 0
        if (this.part === "magic" && !startsFrame(word)) return undefined
        if (this.afterField(this.part, word)) return i
      }
    }
    return i
  }

  /** Chooses the part after a fixed field with this value. True: the frame ends. */
  private afterField(part: Exclude<Part, "body">, word: number): boolean {
    switch (part) {
      case "magic":
        this.last = isSkippable(word)
        this.checksum = 0
        this.part = this.last ? "skip-size" : "descriptor"
        return false
      case "descriptor":
        // Bit 2 says whether the frame has a checksum.
        this.checksum = word & 4 ? 4 : 0
        return this.body(headerLength(word))
      case "block":
        // Bit 0: the last block; bits 1 and 2: its type; then its length. A block of a repeated byte (type 1) has only that byte.
        this.last = (word & 1) === 1
        return this.body(((word >>> 1) & 3) === 1 ? 1 : word >>> 3)
      case "skip-size":
        return this.body(word)
    }
  }

  /** Begins a body. True: it is empty and the frame ends. */
  private body(length: number): boolean {
    this.bodyLeft = length
    this.part = "body"
    return length === 0 && this.afterBody()
  }

  /** Chooses the part after a body. True: the frame ends. */
  private afterBody(): boolean {
    if (!this.last) {
      this.part = "block"
      return false
    }
    if (this.checksum > 0) {
      this.bodyLeft = this.checksum
      this.checksum = 0
      return false
    }
    this.part = "magic"
    this.last = false
    this.open = false
    return true
  }
}

const byteOf = (word: number, index: number): number => (word >>> (8 * index)) & 0xff

const isSkippable = (word: number): boolean => word - (word % 16) === SKIPPABLE_MAGIC

// The size after the descriptor: window, dictionary, content size (RFC 8878, section 3.1.1.1). At least one byte.
const headerLength = (descriptor: number): number => {
  const single = (descriptor & 0x20) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number
  const size = [single ? 1 : 0, 2, 4, 8][descriptor >>> 6] as number
  return (single ? 0 : 1) + dictionary + size
}
