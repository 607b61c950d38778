/**
 * Defines the tables of a run: their columns and keys. Also describes how an existing table differs, upgrades one of an
 * earlier release, and removes or marks records that no longer belong to an outcome (`retire`, `trim`).
 *
 * The key of a record is its own primary key, if it has one. Otherwise it is the identifier (`input_id`) and the
 * number of the record (`record_n`). If each line has its own records, the line (`input_line`) replaces the
 * identifier. If it has only one, the line alone is the key. The key of an outcome is its line and identifier, because an
 * invalid text can occur on many lines.
 */
import { Table, TableLayout } from "@chemstream/ndjson"
import { OutcomeRow } from "@chemstream/stream"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import {
  type DatabaseColumn,
  type Definition,
  rekey,
  type Shape,
  type TableDatabase
} from "./tableDatabase.ts"

/** A field of records, and the name of its column. */
export interface RecordColumn extends Table.Column {
  readonly column: string
}

/** The tables of a run. */
export interface RunTables {
  readonly records: Definition
  readonly outcomes: Definition
  readonly run: Definition
  /** The columns that link a record to its outcome. Undefined if records have their own key. */
  readonly owner: { readonly record: "input_id" | "input_line"; readonly outcome: "id" | "line" } | undefined
  /** The fields of a record that are columns. */
  readonly recordColumns: ReadonlyArray<RecordColumn>
  /** The fields of the key of a record. Empty: records have no key of their own. */
  readonly keyFields: ReadonlyArray<string>
}

/** The column for fields without a column of their own. */
const otherFields: Table.Column = { name: "other_fields", type: "json" }

/** The column for the time at which a run found that the service no longer has a record. A text is ISO 8601. */
export const goneAt: DatabaseColumn = { name: "gone_at", type: "time" }

export const outcomeColumns = Table.columnsOf(OutcomeRow.OutcomeRow)

/** Makes the definitions of the tables, for records with these columns. */
export const make = (options: {
  readonly table: string
  readonly columns: ReadonlyArray<Table.Column>
  readonly primaryKey?: ReadonlyArray<string> | undefined
  readonly perLine?: boolean | undefined
  /** Whether each line has only one record. Default: false. */
  readonly isSingle?: boolean | undefined
  /** Whether outcomes have a column for the chunk of a harvest. Default: false. */
  readonly chunked?: boolean | undefined
  /** Whether records have the column `goneAt`. Default: false. */
  readonly marked?: boolean | undefined
  /** The longest name of a column, in bytes. Default: any. */
  readonly longestName?: number | undefined
}): RunTables => {
  const {
    chunked = false,
    isSingle = false,
    marked = false,
    columns,
    longestName,
    perLine = false,
    primaryKey = [],
    table
  } = options
  const hasKey =
    !perLine &&
    primaryKey.length > 0 &&
    primaryKey.every((name) => columns.some((column) => column.name === name))
  const owner = perLine
    ? ({ record: "input_line", outcome: "line" } as const)
    : ({ record: "input_id", outcome: "id" } as const)
  const keyColumns: ReadonlyArray<Table.Column> = hasKey
    ? []
    : [
        { name: owner.record, type: perLine ? "integer" : "text" },
        ...(isSingle ? [] : [{ name: "record_n", type: "integer" } as const])
      ]
  const last = [otherFields, ...(marked ? [goneAt] : [])]
  const names = columnNames(columns, [...keyColumns, ...last], longestName)
  const recordColumns = columns.map((field, at) => ({ ...field, column: names[at] ?? field.name }))
  const columnOf = (name: string) => recordColumns.find((field) => field.name === name)?.column ?? name
  return {
    recordColumns,
    keyFields: hasKey ? primaryKey : [],
    owner: hasKey ? undefined : owner,
    records: {
      name: table,
      columns: [...keyColumns, ...recordColumns.map(({ column, type }) => ({ name: column, type })), ...last],
      key: hasKey ? primaryKey.map(columnOf) : keyColumns.map(({ name }) => name)
    },
    outcomes: {
      name: `${table}_outcomes`,
      columns: chunked ? [...outcomeColumns, { name: "chunk", type: "integer" }] : outcomeColumns,
      // The first column is also the index of the records' outcome.
      key: perLine ? ["line", "id"] : ["id", "line"],
      earlierKey: [owner.outcome]
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

/**
 * Names the columns of fields, each different from the others and from `own`, whatever the case. The SQL client takes a dot as the end of a
 * schema, and no database stores a zero character, so both become `_`.
 */
const columnNames = (
  fields: ReadonlyArray<Table.Column>,
  own: ReadonlyArray<DatabaseColumn>,
  longest = Number.POSITIVE_INFINITY
): ReadonlyArray<string> =>
  TableLayout.columnNames(
    fields.map(({ name }) => cut(name.toWellFormed().replace(/[.\0]/g, "_"), longest)),
    own.map(({ name }) => name)
  )

/** Cuts a name between two characters. */
const cut = (name: string, bytes: number): string =>
  Buffer.byteLength(name) <= bytes
    ? name
    : Buffer.from(name)
        .subarray(0, bytes)
        .toString()
        .replace(/\uFFFD+$/, "")

/**
 * Describes how an existing table differs, or returns undefined. A table of an earlier release that differs only in its
 * key is upgraded, within the caller's transaction.
 */
export const upgradedDifference = (
  database: TableDatabase,
  definition: Definition,
  shape: Shape
): Effect.Effect<string | undefined, SqlError.SqlError> => {
  const { earlierKey } = definition
  const isEarlier =
    earlierKey !== undefined && difference(database, { ...definition, key: earlierKey }, shape) === undefined
  return isEarlier
    ? Effect.as(rekey(database, definition), undefined)
    : Effect.succeed(difference(database, definition, shape))
}

/** Returns a column with the type that it has in an existing table, if it is an alternative. */
export const adoptType = (
  { types }: Pick<TableDatabase, "types">,
  column: RecordColumn,
  shape: Shape
): Table.Column => {
  const typeName = shape.columns.get(column.column)
  const isOf = (type: Table.ColumnType): boolean => types[type].toLowerCase() === typeName
  const type = isOf(column.type) ? column.type : (column.alternatives?.find(isOf) ?? column.type)
  return { name: column.name, type }
}

/** Describes how an existing table differs, or returns undefined. */
const difference = (
  { types }: Pick<TableDatabase, "types">,
  { columns, key }: Definition,
  shape: Shape
): string | undefined => {
  const wanted = new Map(
    columns.map(({ name, type }) => {
      // Times were texts.
      const isEarlier = type === "time" && shape.columns.get(name) === types.text.toLowerCase()
      return [name, types[isEarlier ? "text" : type].toLowerCase()]
    })
  )
  const lacking = [...wanted.keys()].filter((name) => !shape.columns.has(name))
  const surplus = [...shape.columns.keys()].filter((name) => !wanted.has(name))
  const retyped = [...wanted].flatMap(([name, type]) => {
    const has = shape.columns.get(name)
    return has === undefined || has === type ? [] : [`${name} is ${has}, and would be ${type}`]
  })
  const parts: Array<string> = []
  if (lacking.length > 0) parts.push(`it has no ${columnsOf(lacking)}`)
  if (retyped.length > 0) parts.push(listOf(retyped, "; "))
  if (surplus.length > 0)
    parts.push(`its ${columnsOf(surplus)} ${surplus.length === 1 ? "is" : "are"} not in these rows`)
  const otherKey = keyDifference(shape.key, { key })
  if (otherKey !== undefined) parts.push(otherKey)
  return parts.length === 0 ? undefined : parts.join("; ")
}

/** Describes how the key of an existing table differs, or returns undefined. */
export const keyDifference = (
  own: ReadonlyArray<string>,
  { key }: Pick<Definition, "key">
): string | undefined =>
  own.join() === key.join()
    ? undefined
    : `its primary key is ${own.join(", ") || "not set"}, and would be ${key.join(", ")}`

/** The largest number of columns that a message names for one difference. */
const mostNamed = 3

/** Joins the first texts, and counts the others. */
const listOf = (texts: ReadonlyArray<string>, separator: string): string => {
  const first = texts.slice(0, mostNamed).join(separator)
  return texts.length <= mostNamed ? first : `${first} and ${texts.length - mostNamed} more`
}

const columnsOf = (names: ReadonlyArray<string>): string =>
  `${names.length === 1 ? "column" : "columns"} ${listOf(names, ", ")}`

/** The columns that release 0.1.0 stored as JSON, because they are a text or a number. */
const earlierJson: ReadonlySet<string> = new Set(["id", "aeid"])

/** Makes text of the columns of records that an earlier release stored as JSON, within the caller's transaction. */
export const upgradeScalars = (
  database: TableDatabase,
  { outcomes, records }: RunTables
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const shape = yield* database.shapeOf(records.name)
    const other = yield* database.shapeOf(outcomes.name)
    if (shape === undefined || other?.key.join() !== outcomes.earlierKey?.join()) return
    for (const { name, type } of records.columns) {
      if (type === "text" && earlierJson.has(name) && shape.columns.has(name))
        yield* database.scalarsToText(records.name, name, shape)
    }
  })

/** Describes an existing table that differs, and says what to do. */
export const shapeMessage = (place: string, { name }: Definition, differs: string): string =>
  `the table ${name} in ${place} has another shape: ${differs}. Name another table, or drop this one`

/** Returns the column with the requested identifier of a record. Undefined: the records have another key. */
export const requestedColumn = ({ owner, records }: RunTables): "input_id" | "dtxsid" | undefined => {
  if (owner !== undefined) return owner.record === "input_id" ? owner.record : undefined
  return records.key[0] === "dtxsid" ? "dtxsid" : undefined
}

/**
 * Handles the records of identifiers that a complete run has requested and not found: removes them, or marks them with a
 * time.
 */
export const retire = (
  { sql, table }: TableDatabase,
  layout: RunTables,
  how: "mark" | "delete",
  at: string
): Effect.Effect<unknown, SqlError.SqlError> => {
  const { outcomes, records } = layout
  const id = requestedColumn(layout)
  if (id === undefined) return Effect.void
  const isGone = sql`${sql(id)} IN (
    SELECT id FROM ${table(outcomes.name)} WHERE outcome = 'missing')`
  return how === "delete"
    ? sql`DELETE FROM ${table(records.name)} WHERE ${isGone}`
    : sql`UPDATE ${table(records.name)} SET ${sql(goneAt.name)} = ${at}
        WHERE ${sql(goneAt.name)} IS NULL AND ${isGone}`
}

/** Counts the records of identifiers that the last run did not request. */
export const countUnrequested = (
  { sql, table }: TableDatabase,
  layout: RunTables
): Effect.Effect<number, SqlError.SqlError> => {
  const id = requestedColumn(layout)
  if (id === undefined) return Effect.succeed(0)
  return sql<{ n: unknown }>`SELECT count(*) AS n FROM ${table(layout.records.name)} r
    WHERE NOT EXISTS (SELECT 1 FROM ${table(layout.outcomes.name)} o WHERE o.id = r.${sql(id)})`.pipe(
    Effect.map(([row]) => Number(row?.n))
  )
}

/**
 * Removes records of an earlier run, if an identifier has fewer records now, or its line has no outcome. `among` is a
 * condition on outcomes. Default: all of them.
 */
export const trim = (
  { sql, table }: TableDatabase,
  { outcomes, records, owner }: RunTables,
  among: Statement.Fragment = sql`TRUE`
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    if (owner === undefined) return
    const [rows, places] = [table(records.name), table(outcomes.name)]
    const [ofRecord, ofOutcome] = [sql(owner.record), sql(owner.outcome)]
    if (records.key.length > 1)
      yield* sql`DELETE FROM ${rows} WHERE (${ofRecord}, record_n) IN (
        SELECT r.${ofRecord}, r.record_n FROM ${rows} r JOIN (
          SELECT ${ofOutcome} AS owner, max(records) AS most FROM ${places}
          WHERE ${sql.in("outcome", owner.outcome === "line" ? ["found", "missing", "invalid"] : ["found"])}
            AND ${among} GROUP BY ${ofOutcome}) o ON o.owner = r.${ofRecord}
        WHERE r.record_n > o.most)`
    // Records of an identifier are still valid without an outcome. Records of a line belong to the last input.
    if (owner.outcome === "line")
      yield* sql`DELETE FROM ${rows} WHERE ${ofRecord} NOT IN (SELECT ${ofOutcome} FROM ${places})`
  })
