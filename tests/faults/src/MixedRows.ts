/** Makes the rows of a messy column: identifiers of any kind of known substances, some damaged, blank or repeated. */
import { RawRecord } from "@chemstream/ndjson"

/** A row with its meaning. */
export interface Row {
  readonly text: string
  /** The substance of the row. Undefined: the row has none. */
  readonly dtxsid: string | undefined
  /** The expected result: the only candidate, one of several, or nothing. */
  readonly expected: "found" | "candidate" | "nothing"
  readonly kind: string
}

/** A substance with the fields of its detail record. */
export type Substance = Readonly<Record<string, unknown>>

/** Reads a detail record. */
export const substance = (record: RawRecord.RawRecord): Substance => JSON.parse(RawRecord.toText(record))

/** The spellings of a substance, each with its expected result. */
const spellings: ReadonlyArray<
  readonly [kind: string, field: string, expected: Row["expected"], (text: string) => string]
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
  ["InChIKey skeleton", "inchikey", "candidate", (key) => key.slice(0, 14)],
  ["InChI", "inchiString", "found", (inchi) => inchi],
  ["SMILES", "smiles", "candidate", (smiles) => smiles],
  ["formula", "molFormula", "candidate", (formula) => formula],
  ["name", "preferredName", "candidate", (name) => name],
  ["name in capitals", "preferredName", "candidate", (name) => name.toUpperCase()],
  ["misspelt name", "preferredName", "nothing", (name) => `${name}qx`]
]

/** Returns `count` rows about the substances, with each spelling in turn, and blank and repeated rows between them. */
export const make = (substances: ReadonlyArray<Substance>, count: number): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (let n = 0; rows.length < count; n++) {
    const one = substances[(n * 7) % substances.length] ?? {}
    const [kind, field, expected, write] = spellings[n % spellings.length] as (typeof spellings)[number]
    const value = one[field]
    if (typeof value !== "string" || value.startsWith("NOCAS")) continue
    // The symbol of an element is read as its hydride only if the kind is given.
    if (kind === "SMILES" && /^[A-Z][a-z]?$/.test(value)) continue
    // A group of structures has no InChIKey, by which SMILES are found.
    const isNothing = expected === "nothing" || (kind === "SMILES" && one["inchikey"] === null)
    const dtxsid = isNothing ? undefined : String(one["dtxsid"])
    rows.push({ text: write(value.trim()), dtxsid, expected: isNothing ? "nothing" : expected, kind })
    if (n % 23 === 0)
      rows.push({ text: n % 2 === 0 ? "" : "#N/A", dtxsid: undefined, expected: "nothing", kind: "blank" })
    if (n % 17 === 0) rows.push(rows[Math.floor(rows.length / 2)] as Row)
  }
  return rows.slice(0, count)
}
