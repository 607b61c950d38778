/** Options of names with commas between them. A name in quotes may have commas. */
import { optional, parsedText } from "./flagTypes.ts"

/** Matches a name up to a comma or the end. */
const oneName = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)/gy

/** Parses names. Undefined: one is empty or repeated. */
export const parse = (text: string): ReadonlyArray<string> | undefined => {
  const names = Array.from(`${text},`.matchAll(oneName), ([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"')
  ).slice(0, -1)
  return names.includes("") || new Set(names).size < names.length ? undefined : names
}

/** Makes the option. */
export const list = (name: string, metavar: string, description: string) =>
  optional(
    parsedText(
      name,
      metavar,
      description,
      parse,
      "names separated by commas, each once, with double quotes around a name that has a comma"
    )
  )
