/** Inserts a row whose values may be expressions of the database, such as its clock. */
import type { SqlClient, Statement } from "effect/sql"

/** Returns the columns and values of an `INSERT`. Effect's `sql.insert` has values alone. */
export const insertRow = (
  sql: SqlClient.SqlClient,
  row: Readonly<Record<string, string | number | null | Statement.Fragment>>
): Statement.Fragment => {
  const names = sql.csv(Object.keys(row).map((name) => sql`${sql(name)}`))
  const values = sql.csv(Object.values(row).map((value) => sql`${value}`))
  return sql`(${names}) VALUES (${values})`
}
