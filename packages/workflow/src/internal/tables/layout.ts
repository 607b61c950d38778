/**
 * Defines the tables of a run: their columns and keys, and the difference from an existing table.
 *
 * The key of a record is its own primary key, if it has one. Otherwise it is the identifier (`input_id`) and the
 * number of the record (`record_n`). If each line has its own records, the line (`input_line`) replaces the
 * identifier.
 */
import { RawRecord, Table, TableRow } from "@chemstream/ndjson"
import { OutcomeRow } from "@chemstream/stream"
import { Effect, Result } from "effect"
import type { SqlError } from "effect/sql"
import type { Definition, Engine, Row, Shape } from "./engine.ts"

/** The tables of a run. */
export interface Layout {
  readonly records: Definition
  readonly outcomes: Definition
  readonly run: Definition
  /** The columns that link a record to its outcome. Undefined if records have their own key. */
  readonly owner: { readonly record: "input_id" | "input_line"; readonly outcome: "id" | "line" } | undefined
  /** The columns for the fields of a record. */
  readonly recordColumns: ReadonlyArray<Table.Column>
}

/** The column for fields without a column of their own. */
const otherFields: Table.Column = { name: "other_fields", type: "json" }

const outcomeColumns = Table.columnsOf(OutcomeRow.OutcomeRow)

/** Makes the definitions of the tables, for records with these columns. */
export const make = (options: {
  readonly table: string
  readonly columns: ReadonlyArray<Table.Column>
  readonly primaryKey?: ReadonlyArray<string> | undefined
  readonly perLine?: boolean | undefined
  /** Whether outcomes have a column for the chunk of a harvest. Default: false. */
  readonly chunked?: boolean | undefined
}): Layout => {
  const { chunked = false, columns: recordColumns, perLine = false, primaryKey = [], table } = options
  const hasKey =
    !perLine &&
    primaryKey.length > 0 &&
    primaryKey.every((name) => recordColumns.some((column) => column.name === name))
  const owner = perLine
    ? ({ record: "input_line", outcome: "line" } as const)
    : ({ record: "input_id", outcome: "id" } as const)
  const keyColumns: ReadonlyArray<Table.Column> = hasKey
    ? []
    : [
        { name: owner.record, type: perLine ? "integer" : "text" },
        { name: "record_n", type: "integer" }
      ]
  return {
    recordColumns,
    owner: hasKey ? undefined : owner,
    records: {
      name: table,
      columns: [...keyColumns, ...recordColumns, otherFields],
      key: hasKey ? primaryKey : keyColumns.map(({ name }) => name)
    },
    outcomes: {
      name: `${table}_outcomes`,
      columns: chunked ? [...outcomeColumns, { name: "chunk", type: "integer" }] : outcomeColumns,
      key: [owner.outcome]
    },
    run: {
      name: `${table}_run`,
      columns: [
        { name: "number", type: "integer" },
        { name: "owner", type: "text" },
        { name: "state", type: "text" }
      ],
      key: ["number"]
    }
  }
}

/** Returns the reason why no database can store the columns, or undefined. */
export const problem = ({ records }: Layout): string | undefined => {
  const seen = new Set<string>()
  for (const { name } of records.columns) {
    const folded = name.toLowerCase()
    // Column names are case-insensitive.
    if (seen.has(folded))
      return `two columns would be called ${JSON.stringify(name)}. Choose the fields that become columns`
    if (name.includes("."))
      return `the nested field ${name} cannot be a column. Request ${name.slice(0, name.indexOf("."))} as a whole; it is stored as JSON`
    if (name === "") return "a field without a name cannot be a column"
    seen.add(folded)
  }
  return undefined
}

/** Describes how an existing table differs, or returns undefined. */
export const difference = (
  { types }: Pick<Engine, "types">,
  { columns, key }: Definition,
  shape: Shape
): string | undefined => {
  const wanted = new Map(columns.map(({ name, type }) => [name, types[type].toLowerCase()]))
  const parts: Array<string> = []
  for (const [name, type] of wanted) {
    const has = shape.columns.get(name)
    if (has === undefined) parts.push(`it has no column ${name}`)
    else if (has !== type) parts.push(`${name} is ${has}, and would be ${type}`)
  }
  for (const name of shape.columns.keys())
    if (!wanted.has(name)) parts.push(`its column ${name} is not in these rows`)
  if (shape.key.join() !== key.join())
    parts.push(`its primary key is ${shape.key.join(", ") || "not set"}, and would be ${key.join(", ")}`)
  return parts.length === 0 ? undefined : parts.join("; ")
}

/** Makes rows for a database that accepts such texts. */
export const makeRows = (
  layout: Layout,
  accepts: (text: string) => boolean
): {
  /** Makes the row of a record, after the values of its key columns. */
  readonly record: (front: Row, record: RawRecord.RawRecord) => Row
  readonly outcome: (outcome: OutcomeRow.OutcomeRow) => Row
  /** Replaces characters that the database cannot store. Only malformed identifiers and records have them. */
  readonly text: (value: string) => string
} => {
  const row = TableRow.make(layout.recordColumns, { accepts })
  const text = (value: string): string =>
    value.isWellFormed() && accepts(value) ? value : value.toWellFormed().replaceAll("\0", "\uFFFD")
  return {
    text,
    record: (front, record) => {
      const { rest, values } = Result.getOrElse(row(record), () => ({
        // A value that is not an object has no fields.
        values: layout.recordColumns.map(() => null),
        rest: RawRecord.toText(record)
      }))
      return [...front.map((value) => (typeof value === "string" ? text(value) : value)), ...values, rest]
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

/** Collects the rows to be written. Of rows with the same key, only the last is kept. */
export const makePendingRows = (layout: Layout) => {
  const records = new Map<string, { readonly front: Row; readonly record: RawRecord.RawRecord }>()
  const outcomes = new Map<string | number, OutcomeRow.OutcomeRow>()
  const { key } = layout.records
  let bytes = 0
  const keyOf = (record: RawRecord.RawRecord): Result.Result<string, string> => {
    const values = key.map((name) => RawRecord.value(record, name))
    const at = values.findIndex((value) => value === undefined || value === null)
    return at === -1
      ? Result.succeed(JSON.stringify(values))
      : Result.fail(
          `a record has no ${key[at]}, the key of the table. Write NDJSON instead`
        )
  }
  return {
    bytes: () => bytes,
    add: ({
      outcome,
      records: own
    }: {
      readonly outcome: OutcomeRow.OutcomeRow
      readonly records: ReadonlyArray<RawRecord.RawRecord>
    }): Result.Result<void, string> => {
      const owner = layout.owner && outcome[layout.owner.outcome]
      for (const [at, record] of own.entries()) {
        bytes += record.end - record.start
        if (owner === undefined) {
          const found = keyOf(record)
          if (Result.isFailure(found)) return Result.fail(found.failure)
          records.set(found.success, { front: [], record })
        } else {
          const front = [typeof owner === "number" ? BigInt(owner) : owner, BigInt(at + 1)]
          records.set(`${owner} ${at}`, { front, record })
        }
      }
      bytes += 100
      outcomes.set(outcome[layout.owner?.outcome ?? "id"], outcome)
      return Result.void
    },
    /** Returns the rows for a database that accepts such texts. */
    rows: (
      accepts: (text: string) => boolean
    ): { readonly records: ReadonlyArray<Row>; readonly outcomes: ReadonlyArray<Row> } => {
      const made = makeRows(layout, accepts)
      return {
        records: Array.from(records.values(), ({ front, record }) => made.record(front, record)),
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

/** Removes records of an earlier run, if an identifier has fewer records now. */
export const trim = (
  { sql, table }: Engine,
  { outcomes, records, owner }: Layout
): Effect.Effect<unknown, SqlError.SqlError> =>
  owner === undefined
    ? Effect.void
    : sql`DELETE FROM ${table(records.name)} WHERE record_n > (
        SELECT o.records FROM ${table(outcomes.name)} o
        WHERE o.${sql(owner.outcome)} = ${table(records.name)}.${sql(owner.record)} AND o.outcome <> 'failed')`

/** Returns a record as JSON text. A record that is not JSON becomes a JSON string. */
export const jsonOf = (record: RawRecord.RawRecord): string => {
  const text = RawRecord.toText(record)
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
