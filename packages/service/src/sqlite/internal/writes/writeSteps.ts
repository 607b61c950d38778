/**
 * What the thread that writes can be asked: each step is a name and its arguments, its result can be sent between
 * threads. Steps run one after the other, on one open database.
 *
 * Used by `writeThread`, which runs them, and by `writeQueue`, which asks; loads as little as it can.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Counts } from "../../../Store.ts"
import type { AedRow, BioactivityRow, DetailRow, SynonymRow } from "../database/rows.ts"
import * as substances from "../records/substances.ts"
import * as names from "../search/nameIndex.ts"
import * as bioactivity from "./bioactivityWrites.ts"
import * as synonyms from "./synonymWrites.ts"

/** The steps that store rows, and of what kind. */
export interface Rows {
  readonly putDetails: DetailRow
  readonly putSynonyms: SynonymRow
  readonly putBioactivity: BioactivityRow
  readonly putAed: AedRow
}

type Puts = { readonly [P in keyof Rows]: (rows: ReadonlyArray<Rows[P]>) => void }

/** The steps, by name. */
export interface Steps extends Puts {
  readonly begin: () => void
  /** Brings summaries and indexes up to date, a piece a call: whether it is done. */
  readonly finish: () => Promise<boolean>
  readonly counts: () => Counts
  readonly commit: () => void
  readonly rollback: () => void
  /** Puts the database in the mode in which it is read while it is written. */
  readonly keepLog: () => void
  readonly close: () => void
}

/** Prepares the steps on an open database. */
export const prepare = (database: DatabaseSync): Steps => {
  const index = names.writer(database)
  const substanceWrites = substances.writer(database, index)
  const synonymWrites = synonyms.writes(database)
  const bioactivityWrites = bioactivity.writes(database)
  let finishing: AsyncGenerator<void, void> | undefined

  const pieces = async function* (): AsyncGenerator<void, void> {
    await bioactivityWrites.finishBioactivity()
    substanceWrites.finish()
    yield
    yield* index.finish()
  }
  const rollback = (): void => {
    finishing = undefined
    if (database.isTransaction) database.exec("ROLLBACK")
  }
  // Whatever fails at the border of a transaction leaves none open behind it.
  const orRollback = (step: () => void): void => {
    try {
      step()
    } catch (cause) {
      rollback()
      throw cause
    }
  }

  return {
    begin: () =>
      orRollback(() => {
        database.exec("BEGIN IMMEDIATE")
        substanceWrites.begin()
        index.begin()
      }),
    putDetails: substanceWrites.putDetails,
    putSynonyms: (rows) => {
      synonymWrites.putSynonyms(rows)
      substanceWrites.putSynonyms(rows)
    },
    putBioactivity: bioactivityWrites.putBioactivity,
    putAed: bioactivityWrites.putAed,
    finish: async () => {
      finishing ??= pieces()
      const isDone = (await finishing.next()).done === true
      if (isDone) finishing = undefined
      return isDone
    },
    counts: () => count(database),
    commit: () => orRollback(() => database.exec("COMMIT")),
    rollback,
    keepLog: () => keepLog(database),
    close: () => database.close()
  }
}

/** How many records of each kind a database holds. */
export const count = (database: DatabaseSync): Counts => ({
  details: rowsOf(database, "details"),
  synonyms: rowsOf(database, "synonyms"),
  bioactivity: rowsOf(database, "bioactivity"),
  aed: rowsOf(database, "aed")
})

const rowsOf = (database: DatabaseSync, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])

// WAL mode, where readers go on with what they see while a transaction is written. Not before the database holds
// something: a first import is written once so, and twice with a log; and nobody reads an empty database. What the log
// holds goes into the file itself, which may be copied while a service reads it; what a reader needs stays.
const keepLog = (database: DatabaseSync): void => {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
}
