/** Decodes bytes to text: UTF-8, and the strings and keys of JSON with their escapes. Finds invalid UTF-8, and compares keys. */
import { BACKSLASH } from "./jsonBytes.ts"

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

type Slice = (this: Uint8Array, start: number, end: number) => string

// A `Buffer` makes a short string in half the time of a decoder call. It is used as a global and never imported, so
// this module loads without Node.
const { Buffer } = globalThis as {
  readonly Buffer?: { readonly prototype?: { readonly latin1Slice?: Slice; readonly utf8Slice?: Slice } }
}
const utf8 = Buffer?.prototype?.utf8Slice
const latin1: Slice =
  Buffer?.prototype?.latin1Slice ??
  function (start, end) {
    return decodeStrict(this, start, end)
  }

/** From this length, a decoder call is faster. */
const LONG_BYTES = 16_384

/** Returns the text of valid UTF-8, with a byte-order mark. Throws for other bytes. */
export const decodeStrict = (bytes: Uint8Array, start: number, end: number): string => {
  if (utf8 !== undefined && end - start < LONG_BYTES) {
    const text = utf8.call(bytes, start, end)
    // The replacement character may also be in the text itself.
    if (!text.includes("\uFFFD")) return text
  }
  return strict.decode(bytes.subarray(start, end))
}

/** Returns the text, with U+FFFD for invalid bytes. */
export const decodeLenient = (bytes: Uint8Array, start: number, end: number): string =>
  utf8 !== undefined && end - start < LONG_BYTES
    ? utf8.call(bytes, start, end)
    : lenient.decode(bytes.subarray(start, end))

/**
 * Returns the index of the first invalid character in `bytes[start, end)`. It bisects over prefixes, so use it only
 * after `decodeStrict` has refused the text.
 */
export const invalidUtf8At = (bytes: Uint8Array, start: number, end: number): number => {
  let good = start
  let bad = end + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (decodes(bytes, start, middle, true)) good = middle
    else bad = middle
  }
  // A valid prefix may end within a character of at most four bytes.
  while (good > start && !decodes(bytes, start, good, false)) good--
  return good
}

// A new decoder each time, because one that has thrown keeps its state.
const decodes = (bytes: Uint8Array, start: number, end: number, stream: boolean): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end), { stream })
    return true
  } catch {
    return false
  }
}

const SHORT_BYTES = 16

// Faster than a decoder call, for the usual length of identifiers.
const fromCodes = String.fromCharCode as (...codes: ReadonlyArray<number | undefined>) => string

/** Returns the text of `bytes[start, end)`, which must be ASCII. */
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

/** Returns the value of the string with the content `bytes[start, end)`, without quotes. Throws if it is invalid. */
export const decodeString = (bytes: Uint8Array, start: number, end: number): string => {
  let high = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (byte === BACKSLASH || byte < 0x20) return JSON.parse(decodeStrict(bytes, start - 1, end + 1))
    high |= byte
  }
  return high < 0x80 ? asciiText(bytes, start, end) : decodeStrict(bytes, start, end)
}

// A direct-mapped table of recent keys: comparing a short key is faster than a decoder call. A collision only costs
// such a call.
const KEY_SLOTS = 1024
const LONGEST_KEY = 64
const keys: Array<string> = new Array<string>(KEY_SLOTS).fill("")

/** Returns the value of a key, as `decodeString` does; the same string object for a recent key. */
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

/** Whether the string with the content `bytes[start, end)` has the value `key`. */
export const sameKey = (bytes: Uint8Array, start: number, end: number, key: string): boolean => {
  const length = key.length
  for (let k = 0; start + k < end; k++) {
    const byte = bytes[start + k] as number
    // After an escape or a character of several bytes, lengths differ, so the values are compared.
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
