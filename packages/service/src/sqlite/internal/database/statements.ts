/** What the statements of this folder have in common. */
import type { DatabaseSync, StatementSync } from "node:sqlite"

/** Prepares statements that give each row as an array of its columns. */
export const arraysOf =
  (database: DatabaseSync) =>
  (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }

/** Runs several statements as of one moment; and the file is locked once, not for each of them. */
export const inSnapshot = <A>(database: DatabaseSync, read: () => A): A => {
  database.exec("BEGIN")
  try {
    return read()
  } finally {
    database.exec("COMMIT")
  }
}

/** What comes after all texts that start with a text: that and the last character of Unicode. */
export const endOf = (start: string): string => `${start}\u{10ffff}`
