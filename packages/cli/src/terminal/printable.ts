/**
 * Escapes text for a terminal. Names, messages and identifiers come from other systems. They must not move the cursor, change
 * colours or reverse the direction of writing.
 *
 * A character is escaped as in JSON, e.g. `\u001b`, so an escaped line of JSON has the same value.
 */

// Control characters (C0 except line end and tab, DEL, C1), Unicode line separators, and marks that change the direction.
const unsafe = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Sequences that set the colour and weight of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds this character
const style = /(\u001b\[[\d;]*m)/

/** Escapes every character that a terminal interprets, except line ends and tabs. */
export const printable = (text: string): string => text.replace(unsafe, escapeCharacter)

/** Escapes line ends and tabs as well, for text on one line. */
export const printableLine = (text: string): string => printable(text).replace(/[\n\t]/g, escapeCharacter)

/** Escapes as `printable`, but keeps sequences of colours and weights. */
export const printableStyled = (text: string): string =>
  text
    .split(style)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("")

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
