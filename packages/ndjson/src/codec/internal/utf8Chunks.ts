/**
 * Decodes chunks of bytes to text, strictly. It joins characters that span chunks, skips a byte-order mark at the
 * start, and returns the text before invalid bytes.
 */
import { decodeStrict, invalidUtf8At } from "../../internal/decodeText.ts"

const BYTE_ORDER_MARK = 0xfeff

/** Text, and whether invalid bytes follow it. */
export interface Decoded {
  readonly text: string
  readonly broken: boolean
}

/** The decoder of one stream. */
export class Utf8Chunks {
  private tail: Uint8Array = new Uint8Array(0)
  private started = false

  push(chunk: Uint8Array): Decoded {
    const bytes = this.tail.length === 0 ? chunk : joined(this.tail, chunk)
    const end = bytes.length - unfinished(bytes)
    this.tail = bytes.slice(end)
    return this.decode(bytes, end)
  }

  /** After the last chunk: whether it ends within a character. */
  end(): Decoded {
    return { text: "", broken: this.tail.length > 0 }
  }

  private decode(bytes: Uint8Array, end: number): Decoded {
    let text: string
    let broken = false
    try {
      text = decodeStrict(bytes, 0, end)
    } catch {
      broken = true
      text = decodeStrict(bytes, 0, invalidUtf8At(bytes, 0, end))
    }
    if (this.started || text === "") return { text, broken }
    this.started = true
    return { text: text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text, broken }
  }
}

const joined = (head: Uint8Array, rest: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

// The number of bytes at the end of an incomplete character: at most three.
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
  }
  return 0
}
