/** Makes the rows of records and outcomes. `runTables.ts` defines their tables. */
import { RawRecord, TableRow } from "@chemstream/ndjson"
import type { OutcomeRow } from "@chemstream/stream"
import { Result } from "effect"
import { goneAt, outcomeColumns, type RunTables } from "./runTables.ts"
import type { Row } from "./tableDatabase.ts"

/** Makes rows for a database that accepts such texts. */
export const make = (
  layout: RunTables,
  accepts: (text: string) => boolean
): {
  /** Makes the row of a record, after the values of its key columns. */
  readonly record: (keyValues: Row, record: RawRecord.RawRecord) => Row
  readonly outcome: (outcome: OutcomeRow.OutcomeRow) => Row
  /** Replaces characters that the database cannot store. Only malformed identifiers and records have them. */
  readonly text: (value: string) => string
} => {
  const row = TableRow.make(layout.recordColumns, { accepts })
  // A record that was found is not gone any more.
  const mark = layout.records.columns.includes(goneAt) ? [null] : []
  const text = (value: string): string =>
    value.isWellFormed() && accepts(value) ? value : value.toWellFormed().replaceAll("\0", "\uFFFD")
  return {
    text,
    record: (keyValues, record) => {
      const { rest, values } = Result.getOrElse(row(record), () => ({
        // A value that is not an object has no fields.
        values: layout.recordColumns.map(() => null),
        rest: RawRecord.toText(record)
      }))
      const key = keyValues.map((value) => (typeof value === "string" ? text(value) : value))
      return [...key, ...values, rest, ...mark]
    },
    outcome: (outcome) =>
      outcomeColumns.map(({ name, type }) => {
        const value = outcome[name as keyof OutcomeRow.OutcomeRow]
        if (value === null) return null
        if (type === "integer") return BigInt(value as number)
        return text(type === "json" ? JSON.stringify(value) : String(value))
      })
  }
}
