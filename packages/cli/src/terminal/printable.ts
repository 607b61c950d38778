/**
 * Text that a terminal shows as it is: names, messages and identifiers come from elsewhere, and must not move the cursor,
 * change colours or turn the direction of writing.
 *
 * Each such character becomes what JSON writes for it, `\u001b`, so a line of JSON says the same as before.
 */

// Controls (C0 but line end and tab, DEL, C1), the line separators of Unicode, and marks that change the direction.
const unsafe = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Sequences that set colours and weights of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character to find
const style = /(\u001b\[[\d;]*m)/

/** The text with every character that a terminal acts on escaped, but line ends and tabs. */
export const printable = (text: string): string => text.replace(unsafe, escaped)

/** The same for a text that stays on one line: line ends and tabs are escaped, too. */
export const printableLine = (text: string): string => printable(text).replace(/[\n\t]/g, escaped)

/** The same for a text that has colours and weights of our own: these sequences stay. */
export const printableStyled = (text: string): string =>
  text
    .split(style)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("")

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
