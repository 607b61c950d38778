/**
 * Connections to a database, for the main thread, the search threads and the one that writes: their settings. Whether a
 * file is a database of ours is `database`'s to check.
 */
import { resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { schema } from "./schema.ts"

/** How long a statement waits for another process that holds the database, in milliseconds. */
const busyTimeout = 5000

/** The page cache of a connection that looks records up, in KiB; the system keeps pages too. */
const readCache = 16 * 1024

/**
 * The same of a connection that searches, of which there are several. Most rows that a search reads are of the first
 * substances, of which a frequent word has enough: with half as much it took a thirtieth longer, with more no less.
 */
export const searchCache: number = 16 * 1024

/** The page cache of a connection that writes, in KiB: an import writes at many places of the indexes. */
const writeCache = 64 * 1024

/**
 * Connects to an existing database file for reading, with a page cache of so many KiB; checks nothing. A full path is no
 * URI and no `:memory:`.
 */
export const connectReader = (file: string, cache: number = readCache): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { readOnly: true, timeout: busyTimeout })
  database.exec(`PRAGMA cache_size = ${-cache}`)
  return database
}

/** Connects to a database file for writing, and creates the file if it does not exist; checks nothing, writes nothing. */
export const connectWriter = (file: string): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { timeout: busyTimeout })
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${-writeCache}`)
  return database
}

/** The version of the schema of a database, 0 of an empty one. */
export const schemaVersionOf = (database: DatabaseSync): number =>
  (database.prepare("PRAGMA user_version").get() as { readonly user_version: number }).user_version

/** Creates the tables of an empty database. Waits for another process that does the same. */
export const createSchema = (database: DatabaseSync): void => {
  if (schemaVersionOf(database) !== 0) return
  database.exec("BEGIN IMMEDIATE")
  // Another process may have created them meanwhile.
  if (schemaVersionOf(database) === 0) database.exec(schema)
  database.exec("COMMIT")
}
