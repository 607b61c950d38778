/**
 * Quotes values from outside in messages for people, so that each character of the value can be seen.
 */

import { argument } from "./internal/checkArgument.ts"

/** The largest number of characters of a quoted value. */
const longest = 60

/** Matches characters without a shape, marks that change the direction of writing, and spaces that look like others. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu

/**
 * Returns a value between quotes, as in JSON. A text of more than 60 characters is cut. Control characters, marks of the
 * direction of writing, invisible characters and unusual spaces are escaped.
 *
 * @example
 * ```ts
 * import { Quote } from "@chemstream/api"
 *
 * Quote.value("80-05-7\u200b") // => '"80-05-7\\u200b"'
 * ```
 */
export const value = (given: unknown): string =>
  typeof given === "string"
    ? visible(JSON.stringify(cut(given)))
    : visible(cut(JSON.stringify(given) ?? String(given)))

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/**
 * Escapes the characters of a text that nobody can see, as JSON does.
 *
 * @example
 * ```ts
 * import { Quote } from "@chemstream/api"
 *
 * Quote.visible("naïve\u202e") // => "naïve\\u202e"
 * ```
 */
export const visible = (text: string): string =>
  argument("text", "a text", text).replace(invisible, escapeCharacter)

const escapeCharacter = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("")
