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

/** What comes after all texts that start with a text: that and the last character of Unicode. */
export const endOf = (start: string): string => `${start}\u{10ffff}`
