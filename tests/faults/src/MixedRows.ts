/**
 * Makes rows as people have them in a column: any kind of identifier of known substances, damaged, blank and
 * repeated.
 */
import { RawRecord } from "@chemstream/ndjson"

/** A row with its meaning. */
export interface Row {
  readonly text: string
  /** The substance. Undefined: the row means none. */
  readonly truth: string | undefined
  /** How certain the result is: alone, among candidates, or not found. */
  readonly expected: "found" | "among" | "nothing"
  readonly what: string
}

/** A substance with the fields of its detail record. */
export type Substance = Readonly<Record<string, unknown>>

/** Reads a detail record. */
export const substance = (record: RawRecord.RawRecord): Substance => JSON.parse(RawRecord.toText(record))

/** The ways to write a substance, and which of them are unambiguous. */
const ways: ReadonlyArray<
  readonly [what: string, field: string, expected: Row["expected"], (text: string) => string]
> = [
  ["DTXSID", "dtxsid", "found", (id) => id],
  ["DTXSID in lower case", "dtxsid", "found", (id) => ` ${id.toLowerCase()} `],
  ["DTXCID", "dtxcid", "found", (id) => id],
  ["CAS number", "casrn", "found", (id) => id],
  ["CAS number with spaces", "casrn", "found", (id) => id.replaceAll("-", " - ")],
  ["CAS number with dashes", "casrn", "found", (id) => id.replaceAll("-", "–")],
  ["CAS number with zeros", "casrn", "found", (id) => `000${id}`],
  ["CAS number without hyphens", "casrn", "found", (id) => id.replaceAll("-", "")],
  ["CAS number with a label", "casrn", "found", (id) => `CAS: ${id}`],
  [
    "CAS number with a wrong check digit",
    "casrn",
    "nothing",
    (id) => id.slice(0, -1) + ((Number(id.at(-1)) + 5) % 10)
  ],
  ["InChIKey", "inchikey", "found", (key) => key],
  ["InChIKey in lower case", "inchikey", "found", (key) => key.toLowerCase()],
  ["InChIKey skeleton", "inchikey", "among", (key) => key.slice(0, 14)],
  ["InChI", "inchiString", "found", (inchi) => inchi],
  ["SMILES", "smiles", "among", (smiles) => smiles],
  ["formula", "molFormula", "among", (formula) => formula],
  ["name", "preferredName", "among", (name) => name],
  ["name in capitals", "preferredName", "among", (name) => name.toUpperCase()],
  ["misspelt name", "preferredName", "nothing", (name) => `${name}qx`]
]

/** Returns this many rows about the substances: each way in turn, with blank and repeated rows between them. */
export const make = (substances: ReadonlyArray<Substance>, count: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (let n = 0; rows.length < count; n++) {
    const one = substances[(n * 7) % substances.length] ?? {}
    const [what, field, expected, write] = ways[n % ways.length] as (typeof ways)[number]
    const value = one[field]
    if (typeof value !== "string" || value.startsWith("NOCAS")) continue
    // A group of structures has no InChIKey, by which SMILES are found.
    const isNothing = expected === "nothing" || (what === "SMILES" && one["inchikey"] === null)
    const truth = isNothing ? undefined : String(one["dtxsid"])
    rows.push({ text: write(value.trim()), truth, expected: isNothing ? "nothing" : expected, what })
    if (n % 23 === 0)
      rows.push({ text: n % 2 === 0 ? "" : "#N/A", truth: undefined, expected: "nothing", what: "blank" })
    if (n % 17 === 0) rows.push(rows[Math.floor(rows.length / 2)] as Row)
  }
  return rows.slice(0, count)
}
