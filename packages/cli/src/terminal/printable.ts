/**
 * Escapes text for a terminal. Names, messages and identifiers come from other systems. They must not move the cursor, change
 * colours, reverse the direction of writing or hide a character.
 *
 * A character is escaped as in JSON, e.g. `\u001b`, so an escaped line of JSON has the same value.
 */
import { Quote } from "@chemstream/api"

/** Matches what a terminal acts on, and what nobody can see. Unusual spaces stay: they separate words of names. */
const unsafe = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Sequences that set the colour and weight of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds this character
const style = /(\u001b\[[\d;]*m)/

/** Escapes every character that a terminal interprets, except line ends and tabs. */
export const printable = (text: string): string => text.replace(unsafe, Quote.visible)

/** Escapes line ends and tabs as well, for text on one line. */
export const printableLine = (text: string): string => printable(text).replace(/[\n\t]/g, Quote.visible)

/** Escapes as `printable`, but keeps sequences of colours and weights. */
export const printableStyled = (text: string): string =>
  text
    .split(style)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("")
