/**
 * Formats JSON as the public service does: one line for each field of an object, all elements of an array on one
 * line, spaces around colons and in empty brackets. It works chunk by chunk on bytes, so a long response is never in
 * memory. Numbers and strings keep their text.
 */

const quote = 0x22
const backslash = 0x5c
const openObject = 0x7b
const closeObject = 0x7d
const openArray = 0x5b
const closeArray = 0x5d
const comma = 0x2c
const colon = 0x3a
const space = 0x20
const newline = 0x0a

/** Formats one JSON text, chunk by chunk. */
export class Printer {
  private readonly isObject: Array<boolean> = []
  private depth = 0
  private isString = false
  private isEscaped = false
  /** Whether the last opened bracket is still empty. */
  private isOpened = false
  private out = new Uint8Array(0)
  private size = 0

  /** Formats the next chunk of the text. */
  write(chunk: Uint8Array): Uint8Array {
    this.out = new Uint8Array(chunk.length + (chunk.length >> 2) + 64)
    this.size = 0
    for (const byte of chunk) {
      if (this.isString) this.inString(byte)
      else if (byte > space) this.token(byte)
    }
    return this.out.subarray(0, this.size)
  }

  private inString(byte: number): void {
    this.put(byte)
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) this.isString = false
  }

  private token(byte: number): void {
    switch (byte) {
      case openObject:
      case openArray:
        this.beforeFirst()
        this.put(byte)
        this.isObject.push(byte === openObject)
        if (byte === openObject) this.depth++
        this.isOpened = true
        return
      case closeObject:
      case closeArray:
        if (this.isObject.pop()) this.depth--
        if (this.isOpened || byte === closeArray) this.put(space)
        else this.line()
        this.isOpened = false
        this.put(byte)
        return
      case comma:
        this.put(byte)
        if (this.isObject.at(-1)) this.line()
        else this.put(space)
        return
      case colon:
        this.put(space)
        this.put(byte)
        this.put(space)
        return
      default:
        this.beforeFirst()
        this.put(byte)
        this.isString = byte === quote
    }
  }

  private beforeFirst(): void {
    if (!this.isOpened) return
    this.isOpened = false
    if (this.isObject.at(-1)) this.line()
    else this.put(space)
  }

  private line(): void {
    this.put(newline)
    for (let n = 0; n < this.depth * 2; n++) this.put(space)
  }

  private put(byte: number): void {
    if (this.size === this.out.length) {
      const grown = new Uint8Array(this.out.length * 2)
      grown.set(this.out)
      this.out = grown
    }
    this.out[this.size++] = byte
  }
}
