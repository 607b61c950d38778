/**
 * The rows of `chemstream suspects`: one for each feature and suspect, and one for a feature without suspects.
 */
import { Options } from "@chemstream/batch"
import type { RawRecord, Table } from "@chemstream/ndjson"
import * as Suspects from "../suspects/Suspects.ts"
import * as RowCells from "./RowCells.ts"

/** The settings of rows. */
export interface Layout {
  readonly columns: ReadonlyArray<string> | undefined
  readonly isTable: boolean
  /** The fields of detail records. A field that is a column of every row is written once. */
  readonly fields: ReadonlyArray<string>
  /** Whether candidates are merged. Then a row has the DTXSIDs of the others. */
  readonly isMerged: boolean
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

const resultKind = /* @__PURE__ */ Options.objectWith("a result of Suspects", {
  suspects: /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.object("a suspect"))
})

/**
 * The types of the columns that are not text, by their names before a clash with the input. Fields of detail records have those
 * of the contract.
 */
export const types: Readonly<Record<string, Table.ColumnType>> = {
  line: "integer",
  rank: "integer",
  neutralMass: "number",
  msReadyMass: "number",
  errorPpm: "number",
  errorDa: "number"
}

/** Returns the names of the output columns. */
export const names = (layout: Layout): ReadonlyArray<string> => {
  const { columns, isMerged, isTable } = Options.argument("layout", Options.object(), layout)
  const added = [
    ...(isTable ? [] : inputColumns),
    ...before,
    ...(isMerged ? ["merged"] : []),
    ...fieldsOf(layout),
    ...after
  ]
  return [...(columns ?? []), ...added.map(RowCells.freeOf(columns))]
}

/** The columns of the value, unless the input is a table. */
const inputColumns = ["input", "line"]

/** The columns of every row, before and after the fields of detail records. */
const before = ["status", "rank", "ion", "neutralMass", "dtxsid"]
const after = ["msReadySmiles", "msReadyMass", "matchedBy", "errorPpm", "errorDa", "note"]

const fieldsOf = ({ fields, isTable }: Layout): ReadonlyArray<string> =>
  RowCells.additional(fields, [...(isTable ? [] : inputColumns), ...before, ...after])

/** The decimal places of masses and of errors. */
const digits = { mass: 6, ppm: 3 }

const rounded = (value: number | null | undefined, places: number): number | null =>
  value === null || value === undefined ? null : Number(value.toFixed(places))

/** Returns the rows of a result. */
export const make = (
  layout: Layout
): ((result: Suspects.FeatureResult) => ReadonlyArray<RawRecord.RawRecord>) => {
  const { columns, isMerged, isTable } = Options.argument("layout", Options.object(), layout)
  const fields = fieldsOf(layout)
  const free = RowCells.freeOf(columns)
  return (result) => {
    const row = (suspect: Suspects.Suspect | undefined): RawRecord.RawRecord => {
      const cells: ReadonlyArray<RowCells.Cell> = [
        ...(isTable ? [] : [RowCells.cell("input", result.input), RowCells.cell("line", result.line)]),
        RowCells.cell("status", result.status),
        RowCells.cell("rank", suspect?.rank),
        RowCells.cell("ion", suspect?.adduct),
        RowCells.cell("neutralMass", rounded(suspect?.neutralMass, digits.mass)),
        RowCells.cell("dtxsid", suspect?.dtxsid),
        ...(isMerged ? [RowCells.cell("merged", suspect?.merged.join("; "))] : []),
        ...RowCells.cellsOf(suspect?.record, fields),
        RowCells.cell("msReadySmiles", suspect?.msReadySmiles),
        RowCells.cell("msReadyMass", rounded(suspect?.msReadyMass, digits.mass)),
        RowCells.cell("matchedBy", suspect?.matchedBy),
        RowCells.cell("errorPpm", rounded(suspect?.error?.ppm, digits.ppm)),
        RowCells.cell("errorDa", rounded(suspect?.error?.da, digits.mass)),
        RowCells.cell("note", result.note)
      ]
      return RowCells.append(isTable ? result.carried : undefined, cells, free)
    }
    const { suspects } = Options.argument("result", resultKind, result)
    return suspects.length === 0 ? [row(undefined)] : suspects.map(row)
  }
}
