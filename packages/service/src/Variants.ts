/**
 * The variants of the public service: behaviour that changed between releases or is not documented.
 *
 * See docs/service.md, section 10. Only the dialect `ctx` has variants. The first value is the default: the behaviour
 * of the release of 2026. If that is unknown, it is the value that is hardest for a client.
 */

import { Options } from "@chemstream/batch"

/** The variants: their values, the default first, and their meaning. */
export const variants = {
  synonyms: {
    values: ["2026", "2024", "repaired"],
    meaning:
      "Lists of a synonym record: as in 2026, with three wrong names; as in 2024; as in 2026, with the right names"
  },
  data: {
    values: ["2025", "2024"],
    meaning: "Bioactivity data: conc* and mc3Param.conc in µM, or logc* and mc3Param.logc in log10 µM"
  },
  single: {
    values: ["array", "object"],
    meaning:
      "Data by m4id and summary by aeid: an array of one and [ ] for a miss, or an object and an empty body"
  },
  aedPath: {
    values: ["slash", "none", "either"],
    meaning: "Whether the path of the AED batch ends in a slash"
  },
  id: { values: ["number", "text"], meaning: "The id of a detail record" },
  misses: {
    values: ["400", "404", "empty"],
    meaning: "An unknown identifier of a detail or synonym record: that status, or 200 with an empty body"
  },
  errors: {
    values: ["mixed", "problem", "plain"],
    meaning:
      "Error bodies: problem details at chemical paths and {timestamp, status, error, path} at bioactivity paths, or one form for both"
  },
  tooMany: {
    values: ["2025", "documented", "next"],
    meaning: "Wording of the 400 for a chemical batch that is too large"
  },
  dataLimit: {
    values: ["500", "none"],
    meaning: "A bioactivity batch of more than 200 values: 500, or the records"
  },
  emptyBatch: { values: ["list", "refused"], meaning: "An empty batch: 200 with [ ], or 400" },
  tissue: {
    values: ["list", "refused"],
    meaning: "A tissue summary without a parameter: 200 with [ ], or 400"
  },
  ppm: {
    values: ["cut", "refused"],
    meaning: "A mass tolerance that is not a whole number of ppm: truncated, or 400"
  },
  echo: {
    values: ["normalised", "sent"],
    meaning: "The searchValue of a batch search: the word in the compared form, or as sent"
  },
  match: {
    values: ["best", "worst"],
    meaning: "The hit that a batch search returns for a word, by rank"
  },
  listEnd: {
    values: ["restart", "stay"],
    meaning: "The field next of the empty page after the last chemical: 1, or the cursor of the request"
  },
  json: { values: ["pretty", "compact"], meaning: "White space in responses" },
  connection: {
    values: ["scrambled", "close", "keep"],
    meaning:
      "After a 400 or 500: the connection is closed, with the header connection or with its scrambled name; or it is kept"
  }
} as const satisfies Readonly<
  Record<string, { readonly values: readonly [string, ...ReadonlyArray<string>]; readonly meaning: string }>
>

/** The name of a variant. */
export type Name = keyof typeof variants

/** The values of all variants. */
export type Variants = { readonly [N in Name]: (typeof variants)[N]["values"][number] }

/** The default of each variant. */
export const defaults: Variants = Object.fromEntries(
  Object.entries(variants).map(([name, { values }]) => [name, values[0]])
) as unknown as Variants

/**
 * Parses `NAME=VALUE`. Undefined if there is no such variant or value.
 *
 * @example
 *
 * ```ts
 * import { Variants } from "@chemstream/service"
 *
 * Variants.parse("synonyms=2024") // => { synonyms: "2024" }
 * Variants.parse("synonyms=1999") // => undefined
 * ```
 */
export const parse = (text: string): Partial<Variants> | undefined => {
  const at = Options.argument("text", Options.text, text).indexOf("=")
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  if (!Object.hasOwn(variants, name)) return undefined
  const { values }: { readonly values: ReadonlyArray<string> } = variants[name as Name]
  return values.includes(value) ? ({ [name]: value } as Partial<Variants>) : undefined
}
