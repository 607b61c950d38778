/** Makes HTML and SVG from templates that escape every value except markup. */

/** Text that is already markup. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. Undefined writes nothing. */
export type Value = Markup | string | number | undefined | ReadonlyArray<Value>

// Characters that XML 1.0, section 2.2, does not allow, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Replaces every character that XML forbids by U+FFFD. */
export const replaceForbidden = (text: string): string =>
  text.toWellFormed().replace(forbiddenCharacters, "\ufffd")

/** Escapes a text for content or for a quoted attribute. */
export const escapeMarkup = (text: string): string =>
  replaceForbidden(text).replace(/[&<>"']/g, (character) => entities[character] as string)

/** Makes markup from a template: `` markup`<b>${name}</b>` ``. */
export const markup = (parts: TemplateStringsArray, ...values: ReadonlyArray<Value>): Markup =>
  new Markup(parts.map((part, at) => part + textOf(values[at])).join(""))

const textOf = (value: Value): string => {
  if (value === undefined) return ""
  if (value instanceof Markup) return value.text
  if (typeof value === "object") return value.map(textOf).join("")
  return escapeMarkup(String(value))
}
