/**
 * The rows of `chemstream suspects`: one for each feature and suspect, and one for a feature without suspects.
 */
import type { RawRecord } from "@chemstream/ndjson"
import { RowCells, Suspects } from "@chemstream/stream"

/** The settings of rows. */
export interface Layout {
  readonly columns: ReadonlyArray<string> | undefined
  readonly isTable: boolean
  /** The fields of detail records. */
  readonly fields: ReadonlyArray<string>
}

/** The fields of detail records that are written by default, the ranks last. */
export const defaultFields: ReadonlyArray<string> = [
  "dtxcid",
  "casrn",
  "preferredName",
  "molFormula",
  "monoisotopicMass",
  "smiles",
  "inchikey",
  ...Suspects.defaultRanks
]

/** Returns the names of the output columns. */
export const names = ({ columns, fields, isTable }: Layout): ReadonlyArray<string> => [
  ...(columns ?? []),
  ...[
    ...(isTable ? [] : ["input", "line"]),
    "status",
    "ion",
    "neutralMass",
    "dtxsid",
    ...fields,
    "msReadySmiles",
    "msReadyMass",
    "matchedBy",
    "errorPpm",
    "errorDa",
    "note"
  ].map((name) => RowCells.free(name, columns))
]

/** The decimal places of masses and of errors. */
const digits = { mass: 6, ppm: 3 }

const rounded = (value: number | null | undefined, places: number): number | null =>
  value === null || value === undefined ? null : Number(value.toFixed(places))

/** Returns the rows of a result. */
export const make =
  ({ columns, fields, isTable }: Layout) =>
  (result: Suspects.Screened): ReadonlyArray<RawRecord.RawRecord> => {
    const row = (suspect: Suspects.Suspect | undefined): RawRecord.RawRecord => {
      const cells: ReadonlyArray<RowCells.Cell> = [
        ...(isTable ? [] : [RowCells.cell("input", result.input), RowCells.cell("line", result.line)]),
        RowCells.cell("status", result.status),
        RowCells.cell("ion", suspect?.adduct),
        RowCells.cell("neutralMass", rounded(suspect?.neutralMass, digits.mass)),
        RowCells.cell("dtxsid", suspect?.dtxsid),
        ...RowCells.cellsOf(suspect?.record, fields),
        RowCells.cell("msReadySmiles", suspect?.msReadySmiles),
        RowCells.cell("msReadyMass", rounded(suspect?.msReadyMass, digits.mass)),
        RowCells.cell("matchedBy", suspect?.matchedBy),
        RowCells.cell("errorPpm", rounded(suspect?.error?.ppm, digits.ppm)),
        RowCells.cell("errorDa", rounded(suspect?.error?.da, digits.mass)),
        RowCells.cell("note", result.note)
      ]
      return RowCells.append(
        isTable ? result.carried : undefined,
        cells.map(([name, json]) => [RowCells.free(name, columns), json])
      )
    }
    return result.suspects.length === 0 ? [row(undefined)] : result.suspects.map(row)
  }
