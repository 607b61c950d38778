/**
 * Suspect lists in the columns that other programs read.
 *
 * MetFrag: the local database in CSV (`MetFragDatabaseType = LocalCSV`), ipb-halle.github.io/MetFrag/projects/metfragcl.
 * patRoon: the data frame of `screenSuspects`, rdrr.io/pkg/patRoon/man/suspect-screening.html. mzmine: the local compound
 * database, mzmine.github.io/mzmine_documentation, "Local compound database search". `retentionTimes.ts` converts their retention times.
 */
import { RawRecord } from "@chemstream/ndjson"
import { RowCells, type Suspects } from "@chemstream/stream"

export const programs = ["metfrag", "patroon", "mzmine"] as const

export type Program = (typeof programs)[number]

/** The feature of a list entry. */
export interface Feature {
  readonly mz: number
  readonly rt: string | null
}

type Column = readonly [
  name: string,
  value: (suspect: Suspects.Suspect, feature: Feature) => string | number | null
]

const field =
  (name: string) =>
  ({ record }: Suspects.Suspect): string | number | null => {
    const value = RawRecord.value(record, name)
    return typeof value === "string" || typeof value === "number" ? value : null
  }

/** Returns a field of the form that matched the mass: the MS-ready form, or the substance itself. */
const ofForm =
  (name: "formula" | "inchi" | "inchikey", own: string) =>
  (suspect: Suspects.Suspect): string | null => {
    if (suspect.matchedBy === "msready") return suspect.matchedForm?.[name] ?? null
    const value = field(own)(suspect)
    return typeof value === "string" ? value.trim() : null
  }

const formula = ofForm("formula", "molFormula")
const inchi = ofForm("inchi", "inchiString")
const inchikey = ofForm("inchikey", "inchikey")

/** Returns the MS-ready structure, or else that of the substance. */
const smiles = (suspect: Suspects.Suspect): string | number | null =>
  suspect.msReadySmiles ?? field("smiles")(suspect)

const block =
  (at: number) =>
  (suspect: Suspects.Suspect): string | null =>
    (inchikey(suspect) ?? "").split("-")[at] || null

/** Returns the matched mass. That of a permanent ion is computed, with noise in the last digits. */
const mass = (suspect: Suspects.Suspect): number => {
  const own = suspect.matchedBy === "msready" ? null : field("monoisotopicMass")(suspect)
  return Number(Number(own ?? suspect.msReadyMass).toFixed(9))
}

/** Returns the m/z of the matched mass. */
const mzOf = ({ error }: Suspects.Suspect, { mz }: Feature): number =>
  Number((mz - (error?.da ?? 0)).toFixed(6))

const rt = (_: Suspects.Suspect, feature: Feature): string | null => feature.rt

const columns: Readonly<Record<Program, ReadonlyArray<Column>>> = {
  metfrag: [
    ["Identifier", ({ dtxsid }) => dtxsid],
    ["CompoundName", field("preferredName")],
    ["MonoisotopicMass", mass],
    ["MolecularFormula", formula],
    ["SMILES", smiles],
    ["InChI", inchi],
    ["InChIKey", inchikey],
    ["InChIKey1", block(0)],
    ["InChIKey2", block(1)],
    ["InChIKey3", block(2)]
  ],
  patroon: [
    ["name", ({ adduct, dtxsid }) => `${dtxsid} ${adduct}`],
    ["rt", rt],
    ["mz", mzOf],
    ["SMILES", smiles],
    ["InChI", inchi],
    ["InChIKey", inchikey],
    ["formula", formula],
    ["neutralMass", mass],
    ["adduct", ({ adduct }) => adduct]
  ],
  mzmine: [
    ["neutral_mass", mass],
    ["mz", mzOf],
    ["rt", rt],
    ["formula", formula],
    ["smiles", smiles],
    ["inchi", inchi],
    ["inchi_key", inchikey],
    ["name", field("preferredName")],
    ["cas", field("casrn")],
    ["internal_id", ({ dtxsid }) => dtxsid],
    ["adduct", ({ adduct }) => adduct]
  ]
}

/** Returns the columns that a program reads. */
export const names = (program: Program): ReadonlyArray<string> => columns[program].map(([name]) => name)

/** Returns the rows of the suspects of a feature. A database for MetFrag has a row for each substance, whatever its features are. */
export const make = (program: Program) => {
  const written = new Set<string>()
  return (suspects: ReadonlyArray<Suspects.Suspect>, feature: Feature): ReadonlyArray<RawRecord.RawRecord> =>
    suspects.flatMap((suspect) => {
      const key = `${suspect.dtxsid} ${inchikey(suspect)}`
      if (program === "metfrag" && written.size === written.add(key).size) return []
      const cells = columns[program].map(
        ([name, value]): RowCells.Cell => RowCells.cell(name, value(suspect, feature))
      )
      return [RowCells.append(undefined, cells)]
    })
}
