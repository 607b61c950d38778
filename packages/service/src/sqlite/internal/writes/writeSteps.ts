/**
 * The steps of the writing thread. Each has a name, arguments and a result that can be sent between threads.
 *
 * `writeQueue` requests them, and `writeThread` runs them one after the other. Imports few modules, because the
 * writing thread loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Counts } from "../../../Store.ts"
import type { RecordEntry } from "../../../StoreWriter.ts"
import type { BioactivityRow, DetailRow, SynonymRow } from "../database/recordRows.ts"
import * as names from "../search/nameIndex.ts"
import * as bioactivity from "./bioactivityWrites.ts"
import * as records from "./recordWrites.ts"
import * as substances from "./substanceWrites.ts"

/** The steps that store rows, with the kind of rows. */
export interface Rows {
  readonly putDetails: DetailRow
  readonly putSynonyms: SynonymRow
  readonly putBioactivity: BioactivityRow
  readonly putRecords: RecordEntry
}

type PutSteps = { readonly [P in keyof Rows]: (rows: ReadonlyArray<Rows[P]>) => void }

/** The steps, by name. */
export interface Steps extends PutSteps {
  readonly begin: () => void
  /** Updates summaries and indexes, one piece per call. Returns true after the last piece. */
  readonly finish: () => Promise<boolean>
  readonly counts: () => Counts
  /** The numbers of records by endpoint, of the generic table. */
  readonly recordCounts: () => Readonly<Record<string, number>>
  readonly commit: () => void
  readonly rollback: () => void
  /** Switches the database to WAL mode, so that it can be read during a write. */
  readonly enableWal: () => void
  readonly close: () => void
}

/** Prepares the steps on an open database. */
export const prepare = (database: DatabaseSync): Steps => {
  const index = names.writer(database)
  const substanceWrites = substances.writer(database, index)
  const recordWrites = records.writer(database)
  const bioactivityWrites = bioactivity.writes(database)
  let pendingFinish: AsyncGenerator<void, void> | undefined

  const pieces = async function* (): AsyncGenerator<void, void> {
    await bioactivityWrites.finishBioactivity()
    substanceWrites.finish()
    yield
    yield* index.finish()
  }
  const rollback = (): void => {
    pendingFinish = undefined
    if (database.isTransaction) database.exec("ROLLBACK")
  }
  // An error at the start or at the end of a transaction rolls it back.
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
      recordWrites.put(rows.map(records.ofSynonyms))
      substanceWrites.putSynonyms(rows)
    },
    putBioactivity: bioactivityWrites.putBioactivity,
    putRecords: recordWrites.put,
    finish: async () => {
      pendingFinish ??= pieces()
      const isDone = (await pendingFinish.next()).done === true
      if (isDone) pendingFinish = undefined
      return isDone
    },
    counts: () => count(database),
    recordCounts: () => records.counts(database),
    commit: () => orRollback(() => database.exec("COMMIT")),
    rollback,
    enableWal: () => setWalMode(database),
    close: () => database.close()
  }
}

/** Returns the number of records of each kind in a database. */
export const count = (database: DatabaseSync): Counts => ({
  details: rowsOf(database, "details"),
  synonyms: records.count(database, records.synonyms),
  bioactivity: rowsOf(database, "bioactivity"),
  aed: records.count(database, records.aed)
})

const rowsOf = (database: DatabaseSync, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])

// WAL mode lets readers see a snapshot during a write. The first import of a database runs without it, because there
// are no readers, and the log would double the writes. The checkpoint moves the log into the file, so that the file
// alone can be copied.
const setWalMode = (database: DatabaseSync): void => {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
}
