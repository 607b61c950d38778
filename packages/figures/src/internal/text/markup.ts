/**
 * The only way to write HTML and SVG here: a template whose values are escaped, unless they are markup themselves.
 */

/** Text that is markup already. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template; nothing is written for undefined. */
export type Value = Markup | string | number | undefined | ReadonlyArray<Value>

// XML 1.0, section 2.2: other characters are not allowed in a document, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** The text with every character that XML forbids replaced by U+FFFD. */
export const replaceForbidden = (text: string): string => text.toWellFormed().replace(forbidden, "\ufffd")

/** The text as content or as the value of a quoted attribute. */
export const escape = (text: string): string =>
  replaceForbidden(text).replace(/[&<>"']/g, (character) => entities[character] as string)

/** Markup of a template: `` markup`<b>${name}</b>` ``. */
export const markup = (parts: TemplateStringsArray, ...values: ReadonlyArray<Value>): Markup =>
  new Markup(parts.map((part, at) => part + written(values[at])).join(""))

const written = (value: Value): string => {
  if (value === undefined) return ""
  if (value instanceof Markup) return value.text
  if (typeof value === "object") return value.map(written).join("")
  return escape(String(value))
}
