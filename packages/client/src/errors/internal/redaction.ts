/**
 * Makes texts that a service or a gateway sent fit to be shown: without the API key, and without control characters.
 *
 * `attempt.ts` applies it where a response becomes an error, before the text is cut to an excerpt. So the error, the log,
 * spans, the errors file, tables and tools have only such texts. Records are data and stay unchanged. SECURITY.md says
 * which forms of the key are recognised.
 */

/** Returns a text without the API key, with control characters escaped. */
export type Redact = (text: string) => string

const replacement = "[redacted]"

/** A shorter key is replaced only as a whole word, so that "a" or "test" is not cut out of words. */
const shortestWithinWords = 8

/** The names of characters in HTML, e.g. `&amp;`. */
const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }

/**
 * What does not show between two characters: control and format characters, marks of variants, blank letters, each also
 * as an escape or an entity, and tags.
 */
const invisible = [
  "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Variation_Selector}\\u034f\\u115f\\u1160\\u3164\\uffa0]",
  "\\\\+(?:[bfnrtv]|u(?:00[01][0-9a-f]|00(?:7f|8[0-9a-f]|9[0-9a-f]|ad)|034f|200[b-f]|202[89a-e]|206[0-9a-f]|fe0[0-9a-f]|feff))",
  "%(?:25)*(?:[01][0-9a-f]|7f|c2%(?:25)*(?:[89][0-9a-f]|ad)|e2%(?:25)*80%(?:25)*(?:8[b-f]|a[89a-e])|e2%(?:25)*81%(?:25)*a[0-9a-f]|ef%(?:25)*bb%(?:25)*bf)",
  "&(?:shy|zwj|zwnj|lrm|rlm|NoBreak|ZeroWidthSpace|#0*(?:173|820[3-7]|8288|65279|1[03]|9)|#x0*(?:ad|200[b-f]|2060|feff|[9ad]));",
  "<[^<>]{0,200}>"
].join("|")
/** Any number of these between two characters of the key. */
const gap = `(?:${invisible})*`

/** What does not show, and line ends, between two characters of an encoded text. */
const wrapping = "[\\p{Cc}\\p{Cf}]|\\\\+[nr]|%(?:25)*0[ad]"

/** Characters that a terminal interprets, except line ends and tabs (as `printable.ts` of the command). */
const unsafe = /(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Makes a function that removes a key, in upper or lower case: plain, percent-encoded (also repeatedly), escaped as in JSON
 * or HTML, each also with invisible characters within, as hexadecimal bytes, and in base64 at any position of a longer text.
 */
export const make = (key: string): Redact => {
  let pattern: RegExp | undefined
  return (text) => {
    // Made at the first error, because it is long.
    pattern ??= new RegExp(formsOf(key).join("|"), "giu")
    return text.replace(pattern, replacement).replace(unsafe, escapeCharacter)
  }
}

const formsOf = (key: string): ReadonlyArray<string> => {
  const spelled = Array.from(key, spellings).join(gap)
  return key.length < shortestWithinWords
    ? // A letter or digit before the key may be the end of `%20`, which is a space.
      [`(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))${spelled}(?![a-z0-9])`]
    : [spelled, hexadecimal(key), ...base64(key)]
}

/** Joins the lines of a text, so that it cannot look like several messages. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0")

const bytesOf = (text: string): ReadonlyArray<number> => Array.from(new TextEncoder().encode(text))

/** Returns the pattern of all encodings of a character. */
const spellings = (char: string): string => {
  const code = char.codePointAt(0) ?? 0
  const hex = hexOf(code)
  const name = names[char]
  const all = [
    /[a-z0-9]/i.test(char) ? char : `\\\\*\\u{${hex}}`,
    bytesOf(char)
      .map((byte) => `%(?:25)*${hexOf(byte)}`)
      .join(""),
    `\\\\+(?:u\\{0*${hex}\\}|u${hex.padStart(4, "0")}|x${hex})`,
    `&(?:amp;)*#(?:0*${code}|x0*${hex});`,
    ...(name === undefined ? [] : [`&(?:amp;)*${name};`]),
    ...(char === " " ? ["\\+"] : [])
  ]
  return `(?:${all.join("|")})`
}

/** Returns the pattern of the key as hexadecimal bytes, with or without separators. */
const hexadecimal = (key: string): string =>
  bytesOf(key)
    .map((byte) => `(?:0x)?${hexOf(byte)}`)
    .join(`(?:[ :,\\-]|${wrapping})*`)

/** The characters of base64, each with those that take its place in URLs. */
const base64Spellings: Readonly<Record<string, string>> = {
  "+": "(?:[+\\-]|%(?:25)*2b)",
  "/": "(?:\\\\?\\/|_|%(?:25)*2f)"
}

/**
 * Returns the patterns of the key in base64. Three bytes become four characters, so the key has three forms, by its
 * position in the text. The characters at its ends also depend on the text around it.
 */
const base64 = (key: string): ReadonlyArray<string> =>
  [0, 1, 2].map((offset) => {
    const bytes = [...Array<number>(offset).fill(0), ...bytesOf(key)]
    const whole = btoa(String.fromCharCode(...bytes))
    const from = Math.ceil((offset * 8) / 6)
    const own = whole.slice(from, Math.floor((bytes.length * 8) / 6))
    const end = "(?:[a-z0-9+/_\\-]|%(?:25)*2[bf])?"
    return `${from === 0 ? "" : end}${Array.from(own, (char) => base64Spellings[char] ?? char).join(`(?:${wrapping})*`)}${end}(?:=|%(?:25)*3d)*`
  })
