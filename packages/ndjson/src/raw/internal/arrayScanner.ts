/**
 * Cuts the elements out of a JSON array that arrives in chunks. One pass over the bytes tracks strings, escapes and
 * brackets. An element within a chunk is a view of it; only an element that spans chunks is copied.
 *
 * The elements and the error do not depend on the ends of chunks. `arrayElements.ts` reads each element.
 */

import { indexOf } from "../../internal/byteSearch.ts"
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  endsScalar,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  startsValue
} from "../../internal/jsonBytes.ts"
import { SpanBuffer } from "../../internal/spanBuffer.ts"
import type { Feeder } from "../../streams/internal/pushParser.ts"
import type { RawJsonError, RawJsonReason } from "../RawJsonError.ts"
import type { Elements } from "./arrayElements.ts"
import { isScalar } from "./jsonGrammar.ts"
import { arrayError, showByte } from "./rawError.ts"
import { doubleSize, PROBE } from "./skipJson.ts"

// The states of the scanner. States below NESTED are between elements.
const START = 0
const FIRST_ELEMENT = 1
const ELEMENT = 2
const SEPARATOR = 3
const END = 4
const NESTED = 5
const SCALAR = 6

const BOM = [0xef, 0xbb, 0xbf]

/** Cuts the chunks of one body. */
export class Scanner<Out> implements Feeder<Uint8Array, Out, RawJsonError> {
  private readonly max: number
  private readonly elements: Elements<Out>
  private state = START
  private bomBytes = 0
  /** The number of bytes in earlier chunks. */
  private base = 0
  /** The offset of the current element in the body. */
  private start = 0
  private readonly partial = new SpanBuffer()
  /** The open brackets, one bit each: 1 for "{". */
  private brackets: Uint8Array = new Uint8Array(64)
  private depth = 0
  private isInString = false
  /** Whether the last byte was a backslash that escapes the next one. */
  private isEscaped = false

  constructor(maxElementBytes: number, elements: Elements<Out>) {
    this.max = maxElementBytes
    this.elements = elements
  }

  push(chunk: Uint8Array, out: Array<Out>): RawJsonError | undefined {
    const n = chunk.length
    // The start of the current element in this chunk.
    let partStart = 0
    let i = 0
    while (i < n) {
      if (this.state < NESTED) {
        const byte = chunk[i] as number
        if (isSpace(byte)) {
          i++
          continue
        }
        if ((this.state === FIRST_ELEMENT || this.state === ELEMENT) && startsValue(byte)) {
          if (byte === OPEN_OBJECT) {
            const after = this.takeObjects(chunk, i, out)
            if (after !== i) {
              i = after
              continue
            }
          }
          partStart = i
          this.start = this.base + i
          this.depth = 0
          if (byte === QUOTE) {
            this.state = NESTED
            this.isInString = true
            i++
          } else this.state = byte === OPEN_ARRAY || byte === OPEN_OBJECT ? NESTED : SCALAR
          continue
        }
        const error = this.handleSeparator(byte, i)
        if (error !== undefined) return error
        i++
        continue
      }
      if (this.state === SCALAR) {
        while (i < n && !endsScalar(chunk[i] as number)) i++
        if (i === n) break
      } else {
        const after = this.skipNested(chunk, i)
        if (after === -1) break
        if (after < 0)
          return this.fail("unbalanced", -2 - after, "a closing bracket does not match its opening bracket")
        i = after
      }
      const error = this.finish(chunk, partStart, i, out)
      if (error !== undefined) return error
    }
    if (this.state >= NESTED) {
      if (this.base + n - this.start > this.max) return this.tooLarge()
      this.partial.append(chunk, partStart, n)
    }
    this.base += n
    return undefined
  }

  end(): RawJsonError | undefined {
    switch (this.state) {
      case END:
        return undefined
      case START:
        return this.fail("truncated", 0, "the body is empty")
      case NESTED:
      case SCALAR:
        return this.fail("truncated", 0, `the body ends inside the element that starts at byte ${this.start}`)
      default:
        return this.fail("truncated", 0, "the body ends before the array is closed")
    }
  }

  // Cuts neighbouring objects within the chunk, with one comma between them. Most bodies consist of these. Returns the
  // index after the last one, or of the first one that needs the slow path.
  private takeObjects(chunk: Uint8Array, at: number, out: Array<Out>): number {
    const n = chunk.length
    const { walk, take } = this.elements
    let i = at
    while (i < n && chunk[i] === OPEN_OBJECT) {
      const after = walk(chunk, i, n)
      if (after === -1 || after - i > this.max || take(chunk, i, after, true, out) !== undefined) break
      if (chunk[after] !== COMMA) {
        this.state = SEPARATOR
        return after
      }
      this.state = ELEMENT
      i = after + 1
    }
    return i
  }

  // Handles a byte between elements that does not start a value.
  private handleSeparator(byte: number, i: number): RawJsonError | undefined {
    switch (this.state) {
      case START:
        if (byte === BOM[this.bomBytes] && this.base + i === this.bomBytes) this.bomBytes++
        else if (byte !== OPEN_ARRAY || this.bomBytes % 3 !== 0) {
          return this.fail("not-an-array", i, `the body starts with ${showByte(byte)}, not with "["`)
        } else this.state = FIRST_ELEMENT
        return undefined
      case END:
        return this.fail("trailing-data", i, `${showByte(byte)} follows the end of the array`)
      case SEPARATOR:
        if (byte === COMMA) {
          this.state = ELEMENT
          return undefined
        }
        if (startsValue(byte)) return this.fail("missing-comma", i, "a comma is missing between two elements")
        break
      default:
    }
    if (byte === CLOSE_OBJECT) return this.fail("unbalanced", i, '"}" has no opening bracket')
    if (byte === CLOSE_ARRAY && this.state !== ELEMENT) {
      this.state = END
      return undefined
    }
    return this.fail(
      "unexpected-byte",
      i,
      `${showByte(byte)} where ${this.state === SEPARATOR ? "a comma" : "an element"} is expected`
    )
  }

  // Scans a string, object or array. Returns the index after it; -1 if the chunk ends first; -2 - i if the closing
  // bracket at i does not match. Local variables hold the state, because this is a hot loop.
  private skipNested(chunk: Uint8Array, at: number): number {
    const n = chunk.length
    let brackets = this.brackets
    let depth = this.depth
    let i = at
    if (this.isInString) {
      // The last byte of the previous chunk may escape the first one.
      i = this.skipStringPart(chunk, this.isEscaped ? i + 1 : i)
      if (i === -1 || depth === 0) return i
    }
    while (i < n) {
      const byte = chunk[i++] as number
      if (byte === QUOTE) {
        // The first bytes one by one, then a search for the quote.
        const probeEnd = Math.min(i + PROBE, n)
        let inside = 0
        while (i < probeEnd) {
          inside = chunk[i++] as number
          if (inside === QUOTE) break
          if (inside === BACKSLASH) i++
        }
        if (inside === QUOTE) continue
        i = this.skipStringPart(chunk, i)
        if (i === -1) {
          this.depth = depth
          return -1
        }
      } else if (byte >= OPEN_ARRAY) {
        // "[" and "{", "]" and "}" differ by one bit.
        const folded = byte & 0xdf
        if (folded === OPEN_ARRAY) {
          const index = depth >> 3
          if (index === brackets.length) {
            brackets = doubleSize(brackets)
            this.brackets = brackets
          }
          const bit = 1 << (depth & 7)
          const others = (brackets[index] as number) & ~bit
          brackets[index] = byte === OPEN_OBJECT ? others | bit : others
          depth++
        } else if (folded === CLOSE_ARRAY) {
          depth--
          const isObject = (((brackets[depth >> 3] as number) >> (depth & 7)) & 1) === 1
          if (isObject !== (byte === CLOSE_OBJECT)) return -2 - (i - 1)
          if (depth === 0) return i
        }
      }
    }
    this.depth = depth
    return -1
  }

  // Scans from inside a string to the index after its closing quote. -1: the chunk ends first. `at` may be past the
  // end of the chunk if its last byte is escaped.
  private skipStringPart(chunk: Uint8Array, at: number): number {
    const n = chunk.length
    let i = at
    while (i < n) {
      const quote = indexOf(chunk, QUOTE, i)
      const stop = quote === -1 ? n : quote
      let k = stop - 1
      while (k >= i && chunk[k] === BACKSLASH) k--
      // An odd number of backslashes escapes the next byte.
      const isEscape = ((stop - k) & 1) === 0
      if (quote === -1) i = isEscape ? n + 1 : n
      else if (isEscape) i = quote + 1
      else {
        this.isInString = false
        this.isEscaped = false
        return quote + 1
      }
    }
    this.isInString = true
    this.isEscaped = i > n
    return -1
  }

  /** Takes the string, object, array or scalar that ends at `end`. It began in this chunk, or in an earlier one. */
  private finish(
    chunk: Uint8Array,
    partStart: number,
    end: number,
    out: Array<Out>
  ): RawJsonError | undefined {
    if (this.base + end - this.start > this.max) return this.tooLarge()
    let bytes = chunk
    let stop = end
    if (this.partial.length > 0) {
      this.partial.append(chunk, 0, end)
      const element = this.partial.take()
      bytes = element.bytes
      stop = element.length
    }
    if (this.state === SCALAR && !isScalar(bytes, partStart, stop))
      return arrayError("unexpected-byte", this.start, "an element is not a JSON value")
    this.state = SEPARATOR
    this.isInString = false
    const fault = this.elements.take(bytes, partStart, stop, false, out)
    return fault && arrayError(fault.reason, this.start + fault.index - partStart, fault.detail)
  }

  // Checks the size before the content. Otherwise the error would depend on the chunks.
  private fail(reason: RawJsonReason, i: number, detail: string): RawJsonError {
    const offset = this.base + i
    if (this.state >= NESTED && offset - this.start > this.max) return this.tooLarge()
    return arrayError(reason, offset, detail)
  }

  private tooLarge(): RawJsonError {
    return arrayError("too-large", this.start, `an element is longer than ${this.max} bytes`)
  }
}
