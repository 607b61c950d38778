/**
 * Makes a view of a mirror: one row for each record, with typed columns of the contract and the times of the last check
 * and change. Identifiers whose records are gone have one row, with `gone_at`.
 */
import type { Table } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { transaction } from "../database/transaction.ts"

/** The columns that the view adds to those of the contract. */
const ownNames: ReadonlySet<string> = new Set(["input_id", "record_n", "fetched_at", "changed_at", "gone_at"])

export const nameOf = (mirror: string): string => `chemstream_mirror_${mirror.replaceAll(".", "_")}`

/** Makes the view, and replaces an earlier one. */
export const replace = (
  sql: SqlClient.SqlClient,
  mirror: string,
  columns: ReadonlyArray<Table.Column>
): Effect.Effect<void, SqlError.SqlError> => {
  const view = sql(nameOf(mirror))
  const { elements, n, fieldOf } = dialectOf(sql)
  const fields = columns
    .filter(({ name }) => !ownNames.has(name))
    .map((column) => sql`${fieldOf(column)} AS ${sql(column.name)}`)
  const select = sql.csv([
    sql`m.id AS input_id`,
    sql`${n} AS record_n`,
    ...fields,
    sql`m.checked_at AS fetched_at`,
    sql`m.changed_at AS changed_at`,
    sql`m.gone_at AS gone_at`
  ])
  return transaction(
    sql,
    Effect.andThen(
      sql`DROP VIEW IF EXISTS ${view}`,
      sql`
        CREATE VIEW ${view} AS SELECT ${select} FROM chemstream_mirror m LEFT JOIN ${elements}
        WHERE m.mirror = ${quoted(sql, mirror)} AND (m.outcome = 'found' OR m.gone_at IS NOT NULL)`
    )
  ).pipe(Effect.asVoid)
}

interface Dialect {
  /** The records of a row, as a table `r`. */
  readonly elements: Statement.Fragment
  /** The number of a record. */
  readonly n: Statement.Fragment
  /** The value of a field. Null if it has another type than its column. */
  readonly fieldOf: (column: Table.Column) => Statement.Fragment
}

const dialectOf = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({
    pg: () => ({
      elements: sql`LATERAL json_array_elements(m.records::json) WITH ORDINALITY AS r(value, n) ON TRUE`,
      n: sql`r.n`,
      fieldOf: ({ name, type }) => {
        const field = quoted(sql, name)
        const text = sql`(r.value ->> ${field})`
        const ifType = (json: string, value: Statement.Fragment) =>
          sql`CASE WHEN json_typeof(r.value -> ${field}) = ${quoted(sql, json)} THEN ${value} END`
        switch (type) {
          case "json":
            return sql`(r.value -> ${field})`
          case "text":
            return text
          case "boolean":
            return ifType("boolean", sql`${text}::boolean`)
          case "number":
            return ifType("number", sql`${text}::double precision`)
          case "integer":
            return sql`CASE WHEN ${text} ~ '^-?[0-9]{1,18}$' THEN ${text}::bigint END`
        }
      }
    }),
    orElse: () => ({
      elements: sql`json_each(m.records) r`,
      // A cast has a type that SQLite knows.
      n: sql`CAST(r.key + 1 AS INTEGER)`,
      fieldOf: ({ name }) =>
        sql`CASE WHEN r.type = 'object' THEN json_extract(r.value, ${quoted(sql, `$.${JSON.stringify(name)}`)}) END`
    })
  })

/** A text in a definition, which cannot have parameters. */
const quoted = (sql: SqlClient.SqlClient, text: string): Statement.Fragment =>
  sql`${sql.literal(`'${text.replaceAll("'", "''")}'`)}`
