import fc from "fast-check"

const codePoint = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))

/**
 * Generates well-formed Unicode text of any code points.
 *
 * fast-check's own `unit: "binary"` has the same range but takes a second to prepare in each process.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, maxLength }).map((text) => text.toWellFormed())
