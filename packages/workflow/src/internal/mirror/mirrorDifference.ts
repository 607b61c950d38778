/**
 * Compares an outcome with the last known records of its identifier, and writes the difference as a line of a report:
 * `{"id":…,"change":"added"}`, `"gone"`, or `"changed"` with the values of each field before and after.
 */
import { RawRecord } from "@chemstream/ndjson"
import type { Outcome } from "@chemstream/stream"
import { Result } from "effect"

/** The stored state of an identifier. */
export interface StoredState {
  readonly outcome: string
  /** A JSON array of the records, each as the service sent it. */
  readonly records: string
}

/** The new state of an identifier, and its line in the report. */
export interface Difference {
  readonly id: string
  readonly next: StoredState
  readonly line: string | undefined
}

/** Returns the difference between an outcome and the stored state, or undefined if there is none. */
export const differenceOf = (
  outcome: Outcome.Found<RawRecord.RawRecord> | Outcome.Missing,
  known: StoredState | undefined
): Difference | undefined => {
  const { id } = outcome
  const records = outcome._tag === "Found" ? outcome.records : []
  const text = `[${records.map(RawRecord.toText).join(",")}]`
  const next = { outcome: outcome._tag === "Found" ? "found" : "missing", records: text }
  if (known?.outcome === next.outcome && known.records === next.records) return undefined
  if (next.outcome === "missing") {
    const line = known?.outcome === "found" ? JSON.stringify({ id, change: "gone" }) : undefined
    return { id, next, line }
  }
  return {
    id,
    next,
    line:
      known?.outcome === "found"
        ? `{"id":${JSON.stringify(id)},"change":"changed","fields":${fieldsOf(known.records, records, text)}}`
        : JSON.stringify({ id, change: "added" })
  }
}

/**
 * Returns the fields that differ, each with its text before and after. Several records are compared as one
 * field, `records`.
 */
const fieldsOf = (before: string, records: ReadonlyArray<RawRecord.RawRecord>, after: string): string => {
  const old = entriesOf(RawRecord.fromText(before.slice(1, -1)))
  const [only, ...others] = records
  const now = only === undefined || others.length > 0 ? undefined : entriesOf(only)
  if (old === undefined || now === undefined) return `{"records":{"before":${before},"after":${after}}}`
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name))
  const fields = names.map((name) => {
    const values = [
      ["before", old.get(name)],
      ["after", now.get(name)]
    ].flatMap(([when, value]) => (value === undefined ? [] : [`"${when}":${value}`]))
    return `${JSON.stringify(name)}:{${values.join(",")}}`
  })
  return `{${fields.join(",")}}`
}

/** Returns the text of each field of an object, or undefined if the record is not an object. */
const entriesOf = (record: RawRecord.RawRecord): ReadonlyMap<string, string> | undefined => {
  const entries = RawRecord.entries(record)
  if (Result.isFailure(entries)) return undefined
  return new Map(entries.success.map(({ key, value }) => [key, RawRecord.toText(value)]))
}
