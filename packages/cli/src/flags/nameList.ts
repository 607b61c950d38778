/** Options of names with commas between them. A name in quotes may have commas. */
import { Option } from "effect"
import { Flag } from "effect/cli"

/** Matches a name up to a comma or the end. */
const oneName = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)/gy

/** Parses names. None: one is empty or repeated. */
export const parse = (text: string): Option.Option<ReadonlyArray<string>> => {
  const names = Array.from(`${text},`.matchAll(oneName), ([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"')
  ).slice(0, -1)
  return names.includes("") || new Set(names).size < names.length ? Option.none() : Option.some(names)
}

/** Makes the option. */
export const list = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.filterMap(
      parse,
      () => "names separated by commas, each once, with double quotes around a name that has a comma"
    ),
    Flag.optional
  )
