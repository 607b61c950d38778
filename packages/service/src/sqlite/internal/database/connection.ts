/**
 * Opens connections to a database with their settings: for the main thread, the search threads and the writing
 * thread.
 *
 * `database` checks files.
 */
import { resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { schema } from "./schema.ts"

/** How long a statement waits for the lock of another process, in milliseconds. */
const busyTimeout = 5000

/** The page cache of a connection for lookups, in KiB. The system caches pages too. */
const readCache = 16 * 1024

/**
 * The page cache of a search connection, in KiB. There are several.
 *
 * Most rows that a search reads are of the first substances. Half of this cache makes searches measurably slower; a
 * larger one gains nothing.
 */
export const searchCache: number = 16 * 1024

/** The page cache of a writing connection, in KiB: an import writes to many places of the indexes. */
const writeCache = 64 * 1024

/**
 * Opens an existing database file for reading, with a page cache in KiB, without checks.
 *
 * The full path prevents SQLite from reading the name as a URI or as `:memory:`.
 */
export const connectReader = (file: string, cache: number = readCache): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { readOnly: true, timeout: busyTimeout })
  database.exec(`PRAGMA cache_size = ${-cache}`)
  return database
}

/** Opens a database file for writing, and creates it if it does not exist. Checks nothing, writes nothing. */
export const connectWriter = (file: string): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { timeout: busyTimeout })
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${-writeCache}`)
  return database
}

/** Returns the version of the schema. 0: an empty database. */
export const schemaVersionOf = (database: DatabaseSync): number =>
  (database.prepare("PRAGMA user_version").get() as { readonly user_version: number }).user_version

/** Creates the tables of an empty database. Waits for another process that does the same. */
export const createSchema = (database: DatabaseSync): void => {
  if (schemaVersionOf(database) !== 0) return
  database.exec("BEGIN IMMEDIATE")
  // Another process may have created them in the meantime.
  if (schemaVersionOf(database) === 0) database.exec(schema)
  database.exec("COMMIT")
}
