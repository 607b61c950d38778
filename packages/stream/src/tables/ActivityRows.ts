/**
 * Turns the activities of substances (`TopActivity`) into rows of a table: one for each row of the input.
 */
import { RawRecord } from "@chemstream/ndjson"
import * as TopActivity from "../activity/TopActivity.ts"
import type { Outcome, Surplus } from "../runs/Outcome.ts"
import { append, cell, cellsOf, freeOf } from "./RowCells.ts"

/** The layout of the output. */
export interface Layout {
  /** The columns of the input. Undefined: the input is not a table, or its rows are objects. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly isTable: boolean
}

/** A table has the identifier already. */
const fieldsOf = ({ isTable }: Layout): ReadonlyArray<string> =>
  isTable ? TopActivity.fields.filter((name) => name !== "dtxsid") : TopActivity.fields

/** Returns the names of the columns. */
export const names = (layout: Layout): ReadonlyArray<string> => {
  const { columns } = layout
  return [...(columns ?? []), ...[...fieldsOf(layout), "note"].map(freeOf(columns))]
}

/** Makes the row of an outcome. Without an activity, `note` says why. */
export const make = (
  layout: Layout
): ((
  outcome: Exclude<
    Outcome<RawRecord.RawRecord<TopActivity.TopActivity>, { readonly message: string }>,
    Surplus
  >
) => RawRecord.RawRecord) => {
  const fields = fieldsOf(layout)
  const free = freeOf(layout.columns)
  return (outcome) => {
    const record = outcome._tag === "Found" ? outcome.records[0] : undefined
    const cells = [
      ...cellsOf(record ?? RawRecord.fromText(JSON.stringify({ dtxsid: outcome.id })), fields),
      cell("note", noteOf(outcome, record))
    ]
    return append(
      layout.isTable ? outcome.carried : undefined,
      cells.map(([name, json]) => [free(name), json])
    )
  }
}

const noteOf = (
  outcome: Parameters<ReturnType<typeof make>>[0],
  record: RawRecord.RawRecord | undefined
): string | null => {
  if (outcome._tag === "Missing") return `the service has no bioactivity data of ${outcome.id}`
  if (outcome._tag !== "Found") return outcome.error.message
  if (record === undefined || RawRecord.value(record, "aeid") !== null) return null
  if (RawRecord.value(record, "testedEndpoints") === 0) return "not tested at several concentrations"
  return RawRecord.value(record, "activeEndpoints") === 0
    ? "no active endpoint"
    : "no active endpoint has an AC50"
}
