/**
 * Collects the rows of a run until they are written. `tableRows.ts` makes rows.
 *
 * The owner of a record is the identifier or line of its outcome (`RunTables.owner`). Records with a key of their own have
 * none.
 */
import { RawRecord } from "@chemstream/ndjson"
import type { OutcomeRow } from "@chemstream/stream"
import { Result } from "effect"
import type { RunTables } from "./runTables.ts"
import type { Row } from "./tableDatabase.ts"
import * as Rows from "./tableRows.ts"

/** The estimated size of an outcome, in bytes. */
const outcomeBytes = 100

/** Collects the rows to be written. Of rows with the same key, only the last is kept. */
export const make = (layout: RunTables) => {
  const records = new Map<string, { readonly keyValues: Row; readonly record: RawRecord.RawRecord }>()
  const outcomes = new Map<string, OutcomeRow.OutcomeRow>()
  const { key } = layout.records
  let bytes = 0
  const keyOf = (record: RawRecord.RawRecord): Result.Result<string, string> => {
    const values = layout.keyFields.map((name) => RawRecord.value(record, name))
    const at = values.findIndex((value) => value === undefined || value === null)
    return at === -1
      ? Result.succeed(JSON.stringify(values))
      : Result.fail(`a record has no ${layout.keyFields[at]}, the key of the table. Write NDJSON instead`)
  }
  return {
    bytes: () => bytes,
    add: ({
      outcome,
      records: added
    }: {
      readonly outcome: OutcomeRow.OutcomeRow
      readonly records: ReadonlyArray<RawRecord.RawRecord>
    }): Result.Result<void, string> => {
      const owner = layout.owner && outcome[layout.owner.outcome]
      for (const [at, record] of added.entries()) {
        bytes += record.end - record.start
        if (owner === undefined) {
          const found = keyOf(record)
          if (Result.isFailure(found)) return Result.fail(found.failure)
          records.set(found.success, { keyValues: [], record })
        } else {
          const keyValues = [typeof owner === "number" ? BigInt(owner) : owner, BigInt(at + 1)]
          records.set(`${owner} ${at}`, { keyValues: keyValues.slice(0, key.length), record })
        }
      }
      bytes += outcomeBytes
      outcomes.set(`${outcome.line} ${outcome.id}`, outcome)
      return Result.void
    },
    /** Returns the rows for a database that accepts such texts. */
    rows: (
      accepts: (text: string) => boolean
    ): { readonly records: ReadonlyArray<Row>; readonly outcomes: ReadonlyArray<Row> } => {
      const made = Rows.make(layout, accepts)
      return {
        records: Array.from(records.values(), ({ keyValues, record }) => made.record(keyValues, record)),
        outcomes: Array.from(outcomes.values(), made.outcome)
      }
    },
    clear: () => {
      records.clear()
      outcomes.clear()
      bytes = 0
    }
  }
}
