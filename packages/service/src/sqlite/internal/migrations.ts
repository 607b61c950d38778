/**
 * The layout of the SQLite database, as the steps that lead to it. A database says in `user_version` how many of
 * them it has gone through. A published step is never changed: a new layout is a new step at the end.
 */

import type { DatabaseSync } from "node:sqlite"
import * as bioactivity from "./bioactivity.ts"
import * as details from "./details.ts"
import * as grams from "./grams.ts"
import * as hits from "./hits.ts"
import * as names from "./names.ts"
import * as substances from "./substances.ts"
import * as synonyms from "./synonyms.ts"

/** Marks a file as ours (`PRAGMA application_id`): "CHEM" in ASCII. */
export const applicationId = 0x4348454d

/** The steps, oldest first. */
export const migrations: ReadonlyArray<(database: DatabaseSync) => void> = [
  sql(
    substances.layout,
    substances.indexLayout,
    details.layout,
    names.layout,
    synonyms.layout,
    bioactivity.layout
  ),
  sql(hits.layout),
  // Filled by the next step, which has another way to keep what it is filled with.
  sql(grams.layout),
  (database) => {
    database.exec(grams.emptied)
    names.fillGrams(database)
  }
]

function sql(...statements: ReadonlyArray<string>): (database: DatabaseSync) => void {
  return (database) => database.exec(statements.join(";\n"))
}
