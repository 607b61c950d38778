/**
 * Turns the facts of substances (`TopActivity`, `ExposureRatio`) into rows of a table: one for each row of the input.
 */
import { Outcome as Core, Options } from "@chemstream/batch"
import { RawRecord, type Table } from "@chemstream/ndjson"
import { repairOf } from "../runs/internal/missingMessages.ts"
import type { Outcome, Surplus } from "../runs/Outcome.ts"
import { append, cell, cellsOf, freeOf } from "./RowCells.ts"

/** Facts of a substance as columns. */
export interface Facts {
  /** The fields, first the identifier. */
  readonly fields: ReadonlyArray<string>
  /** The types of the fields that are not text. Default: all are. */
  readonly types?: Readonly<Record<string, Table.ColumnType>> | undefined
  /** The column of the notes. Its name is another than `note`, which a table of `resolve` has already. */
  readonly note: string
  /** Returns why the service has no facts of an identifier. */
  readonly absent: (id: string) => string
  /** Returns why facts are null. Null: they are not. */
  readonly noteOf: (record: RawRecord.RawRecord) => string | null
}

/** The layout of the output. */
export interface Layout {
  readonly facts: Facts
  /** The columns of the input. Undefined: the input is not a table, or its rows are objects. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly isTable: boolean
}

/** A table has the identifier already. */
const fieldsOf = (layout: Layout): ReadonlyArray<string> =>
  Options.argument("layout", layoutKind, layout).facts.fields.slice(layout.isTable ? 1 : 0)

const layoutKind = /* @__PURE__ */ Options.objectWith("a layout with facts", {
  facts: /* @__PURE__ */ Options.objectWith("facts", { fields: /* @__PURE__ */ Options.list(Options.text) })
})

/** Returns the names of the columns. */
export const names = (layout: Layout): ReadonlyArray<string> => {
  const added = [...fieldsOf(layout), layout.facts.note]
  return [...(layout.columns ?? []), ...added.map(freeOf(layout.columns))]
}

/** Makes the row of an outcome. The note says how a damaged identifier was read, and why there is no value. */
export const make = (
  layout: Layout
): ((
  outcome: Exclude<Outcome<RawRecord.RawRecord, { readonly message: string }>, Surplus>
) => RawRecord.RawRecord) => {
  const fields = fieldsOf(layout)
  const free = freeOf(layout.columns)
  const { absent, note, noteOf } = layout.facts
  return (outcome) => {
    Options.argument("outcome", Core.kind, outcome)
    const [record] = outcome._tag === "Found" ? outcome.records : []
    const reason =
      outcome._tag === "Missing"
        ? absent(outcome.id)
        : outcome._tag === "Found"
          ? record && noteOf(record)
          : outcome.error.message
    const notes = [repairOf(outcome), reason].filter((one) => typeof one === "string")
    const cells = [
      ...cellsOf(record ?? RawRecord.fromText(JSON.stringify({ dtxsid: outcome.id })), fields),
      cell(note, notes.length === 0 ? null : notes.join("; "))
    ]
    return append(layout.isTable ? outcome.carried : undefined, cells, free)
  }
}
