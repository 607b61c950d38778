/**
 * Bytes to text: strict UTF-8, strings with their escapes, short keys without a decoder call.
 */
import { BACKSLASH } from "./ascii.ts"

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

type Slice = (this: Uint8Array, start: number, end: number) => string

// The methods of a Buffer make a short string in half the time of a decoder call. They are looked up as a global and never
// imported, so that this loads where there is none.
const { Buffer } = globalThis as {
  readonly Buffer?: { readonly prototype?: { readonly latin1Slice?: Slice; readonly utf8Slice?: Slice } }
}
const utf8 = Buffer?.prototype?.utf8Slice
const latin1: Slice =
  Buffer?.prototype?.latin1Slice ??
  function (start, end) {
    return decodeStrict(this, start, end)
  }

/** From here on a decoder call is the faster one. */
const LONG_BYTES = 16_384

/** The text of valid UTF-8; throws on any other bytes. A byte-order mark is kept as a character. */
export const decodeStrict = (bytes: Uint8Array, start: number, end: number): string => {
  if (utf8 !== undefined && end - start < LONG_BYTES) {
    const text = utf8.call(bytes, start, end)
    // What stands for bytes that are not UTF-8 may also be there itself.
    if (!text.includes("\uFFFD")) return text
  }
  return strict.decode(bytes.subarray(start, end))
}

/** The text, with U+FFFD for what is not UTF-8. */
export const decodeLenient = (bytes: Uint8Array, start: number, end: number): string =>
  utf8 !== undefined && end - start < LONG_BYTES
    ? utf8.call(bytes, start, end)
    : lenient.decode(bytes.subarray(start, end))

/**
 * The index where the first character of `bytes[start, end)` that is not UTF-8 starts. Bisects over prefixes: only for
 * texts that `decodeStrict` has refused.
 */
export const invalidUtf8At = (bytes: Uint8Array, start: number, end: number): number => {
  let good = start
  let bad = end + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (decodes(bytes, start, middle, true)) good = middle
    else bad = middle
  }
  // A prefix that can be continued may end inside a character, of at most four bytes.
  while (good > start && !decodes(bytes, start, good, false)) good--
  return good
}

// A fresh decoder each time: one that has thrown in streaming mode keeps its state.
const decodes = (bytes: Uint8Array, start: number, end: number, stream: boolean): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end), { stream })
    return true
  } catch {
    return false
  }
}

const SHORT_BYTES = 16

// Its cost is half that of a call of the decoder, for as many arguments as identifiers mostly have characters.
const fromCodes = String.fromCharCode as (...codes: ReadonlyArray<number | undefined>) => string

/** The text of `bytes[start, end)`, which must be ASCII. */
export const asciiText = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > SHORT_BYTES || start + SHORT_BYTES > bytes.length) return latin1.call(bytes, start, end)
  return fromCodes(
    bytes[start],
    bytes[start + 1],
    bytes[start + 2],
    bytes[start + 3],
    bytes[start + 4],
    bytes[start + 5],
    bytes[start + 6],
    bytes[start + 7],
    bytes[start + 8],
    bytes[start + 9],
    bytes[start + 10],
    bytes[start + 11],
    bytes[start + 12],
    bytes[start + 13],
    bytes[start + 14],
    bytes[start + 15]
  ).slice(0, end - start)
}

/** The value of the string whose content, without its quotes, is `bytes[start, end)`; throws when it is not valid. */
export const decodeString = (bytes: Uint8Array, start: number, end: number): string => {
  let high = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (byte === BACKSLASH || byte < 0x20) return JSON.parse(decodeStrict(bytes, start - 1, end + 1))
    high |= byte
  }
  return high < 0x80 ? asciiText(bytes, start, end) : decodeStrict(bytes, start, end)
}

// Keys repeat from record to record, and a call of the decoder costs more than comparing a short key. A direct-mapped
// table of the last keys seen: bounded, and a collision only costs a decoder call.
const KEY_SLOTS = 1024
const LONGEST_KEY = 64
const keys: Array<string> = new Array<string>(KEY_SLOTS).fill("")

/** The value of a key, as `decodeString`; the same string object for a key seen before. */
export const decodeKey = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > LONGEST_KEY) return decodeString(bytes, start, end)
  let hash = end - start
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0
  const slot = (hash ^ (hash >>> 15)) & (KEY_SLOTS - 1)
  const known = keys[slot] as string
  if (known.length === end - start && known.length > 0 && sameAscii(bytes, start, known)) return known
  const key = decodeString(bytes, start, end)
  keys[slot] = key
  return key
}

/** Whether the string whose content is `bytes[start, end)` has the value `key`. */
export const sameKey = (bytes: Uint8Array, start: number, end: number, key: string): boolean => {
  const length = key.length
  for (let k = 0; start + k < end; k++) {
    const byte = bytes[start + k] as number
    // An escape, or a character of several bytes: lengths differ from here on, so compare the values.
    if (byte === BACKSLASH || byte >= 0x80) return sameDecoded(bytes, start, end, key)
    if (k === length || byte !== key.charCodeAt(k)) return false
  }
  return end - start === length
}

const sameDecoded = (bytes: Uint8Array, start: number, end: number, key: string): boolean => {
  try {
    return decodeString(bytes, start, end) === key
  } catch {
    return false
  }
}

const sameAscii = (bytes: Uint8Array, start: number, key: string): boolean => {
  for (let k = 0; k < key.length; k++) {
    const byte = bytes[start + k] as number
    if (byte >= 0x80 || byte === BACKSLASH || byte !== key.charCodeAt(k)) return false
  }
  return true
}
