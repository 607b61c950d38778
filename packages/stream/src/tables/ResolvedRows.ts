/**
 * Turns the results of `Resolve` into rows of a table: one for each candidate, or one for each row of the
 * input.
 */
import { Options } from "@chemstream/batch"
import type { RawRecord, Table } from "@chemstream/ndjson"
import type * as Resolve from "../resolve/Resolve.ts"
import { additional, append, type Cell, cell, cellsOf, freeOf } from "./RowCells.ts"

/** The layout of the output. */
export interface Layout {
  /** The columns of the input. Undefined: the input is not a table, or its rows are objects. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly isTable: boolean
  /** Whether each candidate has its own row. */
  readonly perCandidate: boolean
  /** The fields of detail records. A field that is a column of every row is written once. */
  readonly fields: ReadonlyArray<string>
}

/**
 * The types of the columns that are not text, by their names before a clash with the input. Fields of detail records have those
 * of the contract.
 */
export const types: Readonly<Record<string, Table.ColumnType>> = { line: "integer", rank: "integer" }

/** Returns the names of the columns. */
export const names = (layout: Layout): ReadonlyArray<string> => {
  const { columns } = Options.argument("layout", Options.object(), layout)
  const { after, before } = ownColumns(layout)
  const added = [...before, ...fieldsOf(layout), ...after]
  return [...(columns ?? []), ...added.map(freeOf(columns))]
}

const resultKind = /* @__PURE__ */ Options.objectWith("a result of Resolve", {
  candidates: /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.object("a candidate"))
})

const ofCandidate = ["foundBy", "rank", "dtxsid", "dtxcid", "casrn", "preferredName"] as const

/** The columns of every row, before and after the fields of detail records. */
const ownColumns = ({ isTable, perCandidate }: Layout) => ({
  before: [...(isTable ? [] : ["input", "line"]), ...["kind", "status", ...ofCandidate]],
  after: [...(isTable && !perCandidate ? ["candidates"] : []), "note"]
})

const fieldsOf = (layout: Layout): ReadonlyArray<string> => {
  const { after, before } = ownColumns(layout)
  return additional(layout.fields, [...before, ...after])
}

/** Makes the rows of a result. */
export const make = (
  layout: Layout
): ((resolved: Resolve.RowResult) => ReadonlyArray<RawRecord.RawRecord>) => {
  const { columns, isTable, perCandidate } = Options.argument("layout", Options.object(), layout)
  const fields = fieldsOf(layout)
  const free = freeOf(columns)
  return (resolved) => {
    const { candidates, input, kind, line, note, status } = Options.argument("resolved", resultKind, resolved)
    const row = (candidate: Resolve.Candidate | undefined): RawRecord.RawRecord => {
      const cells: ReadonlyArray<Cell> = [
        ...(isTable ? [] : [cell("input", input), cell("line", line)]),
        cell("kind", candidate?.kind ?? kind),
        cell("status", status),
        ...ofCandidate.map((name) => cell(name, candidate?.[name])),
        ...cellsOf(candidate?.record, fields),
        ...(isTable && !perCandidate ? [cell("candidates", joinCandidates(resolved))] : []),
        cell("note", note)
      ]
      return append(isTable ? resolved.carried : undefined, cells, free)
    }
    if (!perCandidate || candidates.length === 0)
      return [row(candidates.length === 1 ? candidates[0] : undefined)]
    return candidates.map(row)
  }
}

/** Joins the candidates of an ambiguous row for one cell. */
const joinCandidates = ({ candidates, status }: Resolve.RowResult): string | null =>
  status === "found" || candidates.length === 0
    ? null
    : candidates.map(({ dtxcid, dtxsid }) => dtxsid ?? dtxcid ?? "").join("; ")
