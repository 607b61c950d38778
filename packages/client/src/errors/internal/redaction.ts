/**
 * Removes the API key from texts that a service sent: a service may quote the key in an error.
 *
 * `attempt.ts` applies it where a response becomes an error, before the text is cut to an excerpt. Records are data
 * and stay unchanged.
 */

/** Returns a text without the API key. */
export type Redact = (text: string) => string

const replacement = "[redacted]"

/** A shorter key is replaced only as a whole word, so that "a" or "test" is not cut out of words. */
const shortestWithinWords = 8

const named: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }

/**
 * Makes a function that removes a key: plain, percent-encoded (also repeatedly), or escaped as in JSON or HTML, in
 * upper or lower case.
 */
export const make = (key: string): Redact => {
  const spelled = Array.from(key, spellings).join("")
  const pattern =
    key.length < shortestWithinWords
      ? // A letter or digit before the key may be the end of `%20`, which is a space.
        `(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))${spelled}(?![a-z0-9])`
      : spelled
  const spelledKey = new RegExp(pattern, "gi")
  return (text) => text.replace(spelledKey, replacement)
}

/** Returns the pattern of all encodings of a character. */
const spellings = (char: string): string => {
  const hex = char.charCodeAt(0).toString(16).padStart(2, "0")
  const name = named[char]
  const all = [
    /[a-z0-9]/i.test(char) ? char : `\\\\?\\x${hex}`,
    `%(?:25)*${hex}`,
    `\\\\u00${hex}`,
    `&#(?:0*${char.charCodeAt(0)}|x0*${hex});`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(char === " " ? ["\\+"] : [])
  ]
  return `(?:${all.join("|")})`
}
