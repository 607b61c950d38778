/**
 * Opens connections to a database: for the main thread, the search threads and the writing thread.
 *
 * `openDatabase.ts` checks files.
 */
import { resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { applicationId, olderVersion, readOlder, schema, schemaVersion, upgrade } from "./schema.ts"

/** The longest wait for the lock of another process, in milliseconds. */
const busyTimeout = 5000

/** The page cache of a connection for lookups, in KiB. The system caches pages too. */
const readCache = 16 * 1024

/**
 * The page cache of each search connection, in KiB.
 *
 * Searches mostly read rows of the first substances. A cache of half the size is measurably slower; a larger one is
 * not faster.
 */
export const searchCache: number = 16 * 1024

/** The page cache of a writing connection, in KiB. Large, because an import writes to many places of the indexes. */
const writeCache = 64 * 1024

/**
 * Opens an existing database file for reading, without checks. `cache` is in KiB.
 *
 * The full path prevents SQLite from reading the name as a URI or as `:memory:`.
 */
export const connectReader = (file: string, cache: number = readCache): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { readOnly: true, timeout: busyTimeout })
  database.exec(`PRAGMA cache_size = ${-cache}`)
  if (schemaVersionOf(database) === olderVersion && isOurs(database)) database.exec(readOlder)
  return database
}

const isOurs = (database: DatabaseSync): boolean =>
  database.prepare("PRAGMA application_id").get()?.["application_id"] === applicationId

/** Opens a database file for writing, without checks. A missing file is created. */
export const connectWriter = (file: string): DatabaseSync => {
  const database = new DatabaseSync(resolve(file), { timeout: busyTimeout })
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${-writeCache}`)
  return database
}

/** Returns the version of the schema. An empty database has 0. */
export const schemaVersionOf = (database: DatabaseSync): number =>
  (database.prepare("PRAGMA user_version").get() as { readonly user_version: number }).user_version

/** Creates the tables of an empty database, or upgrades an older one. Waits for another process that does the same. */
export const createSchema = (database: DatabaseSync): void => {
  if (schemaVersionOf(database) === schemaVersion) return
  database.exec("BEGIN IMMEDIATE")
  // Another process may have created the tables meanwhile.
  const version = schemaVersionOf(database)
  if (version === 0) database.exec(schema)
  if (version === olderVersion) database.exec(upgrade)
  database.exec("COMMIT")
}
