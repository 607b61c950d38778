/** The bytes with a meaning in JSON, and the white space of RFC 8259, section 2. */
export const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_ARRAY = 91
export const BACKSLASH = 92
export const CLOSE_ARRAY = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125

/** Whether a byte is JSON white space: space, tab, line feed or carriage return. */
export const isSpace = (byte: number | undefined): boolean =>
  // The first comparison is enough for most bytes. It is false for `undefined`.
  (byte as number) <= SPACE && (byte === SPACE || byte === LF || byte === CR || byte === TAB)

/** Whether a byte can be the first of a JSON value. */
export const startsValue = (byte: number): boolean =>
  byte === QUOTE ||
  byte === OPEN_OBJECT ||
  byte === OPEN_ARRAY ||
  byte === 0x2d ||
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x74 ||
  byte === 0x66 ||
  byte === 0x6e

// The bytes that end a number or literal.
const ends = [TAB, LF, CR, SPACE, QUOTE, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]
const endsByByte = new Uint8Array(256).map((_, byte) => (ends.includes(byte) ? 1 : 0))

/** Whether a byte ends a number or a literal: white space, a bracket, a comma, a colon or a quote. */
export const endsScalar = (byte: number | undefined): boolean => endsByByte[byte as number] === 1
