/**
 * The shape of a JSON text, seen without parsing it: how deep it is nested, and how many values its longest list has.
 *
 * A parser and a schema take seconds, on the thread that answers everything else, for a few megabytes of brackets or of
 * small numbers; a look at the bytes takes milliseconds, and tells that they will be refused.
 */

/** Deeper than any body of the contract, which has two levels at most. */
export const deepest = 32

/** What is seen of a text. */
export interface Shape {
  /** Whether arrays and objects are nested deeper than `deepest`; nothing after that point is seen. */
  readonly tooDeep: boolean
  /** The number of values of the longest array or object. Of a text that is no JSON, about that. */
  readonly longest: number
}

/** The shape of the UTF-8 bytes of a JSON text. */
export const shapeOf = (json: Uint8Array): Shape => {
  const commas = new Uint32Array(deepest + 1)
  let depth = 0
  let longest = 0
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) {
      inString = true
    } else if (byte === comma) {
      const values = (commas[depth] ?? 0) + 1
      commas[depth] = values
      if (values >= longest) longest = values + 1
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > deepest) return { tooDeep: true, longest }
      commas[depth] = 0
      if (longest === 0 && isValue(json[i + 1])) longest = 1
    } else if ((byte === closeBracket || byte === closeBrace) && depth > 0) {
      depth--
    }
  }
  return { tooDeep: false, longest }
}

const isValue = (byte: number | undefined): boolean => byte !== closeBracket && byte !== closeBrace

// None of these occurs within a character of more than one byte.
const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
