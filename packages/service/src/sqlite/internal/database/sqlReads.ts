/** How statements read: rows as arrays, several reads of one snapshot, and texts from a prefix to its end. */
import type { DatabaseSync, StatementSync } from "node:sqlite"

/** Prepares statements that return each row as an array of its columns. */
export const arraysOf =
  (database: DatabaseSync) =>
  (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }

/** Runs several statements on one snapshot of the database. */
export const inSnapshot = <A>(database: DatabaseSync, read: () => A): A => {
  database.exec("BEGIN")
  try {
    return read()
  } finally {
    database.exec("COMMIT")
  }
}

/** Returns an upper bound of all texts with a prefix: the prefix and the last character of Unicode. */
export const prefixEnd = (start: string): string => `${start}\u{10ffff}`
