/**
 * Opens a SQLite file, and checks that it is a database of chemstream with the schema of this version.
 *
 * `connection` opens connections without checks, `databaseErrors` classifies errors.
 */
import { existsSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { Effect, type Scope } from "effect"
import { StoreError } from "../../../Store.ts"
import { connectReader, connectWriter, schemaVersionOf } from "./connection.ts"
import { attempt, isReadOnly } from "./databaseErrors.ts"
import { applicationId, olderVersion, schemaVersion } from "./schema.ts"

/** Opens an existing database for reading. */
export const openReader = (file: string): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  open(file, () => {
    if (!existsSync(file)) {
      throw refusal(file, "absent", `There is no database ${file}. Import records into one first.`)
    }
    repair(file)
    return orClose(connectReader(file), (database) => {
      if (checkVersion(file, database) === 0) {
        throw refusal(file, "empty", `The database ${file} has no data yet. Import records into it first.`)
      }
    })
  })

/** Opens a database for writing. The writing thread creates the tables of an empty one. */
export const openWriter = (file: string): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  open(file, () => {
    if (file === "") {
      // SQLite would create a temporary database.
      throw refusal(file, "not-a-database", "The name of the database is empty. Name a file.")
    }
    return orClose(connectWriter(file), (database) => checkVersion(file, database))
  })

// A killed first import leaves some of its records in the file, and a journal. SQLite undoes the import at the first
// read, if it can write.
const repair = (file: string): void => {
  if (!existsSync(`${file}-journal`)) return
  try {
    orClose(connectWriter(file), schemaVersionOf).close()
  } catch (cause) {
    if (!isReadOnly(cause)) throw cause
    throw refusal(
      file,
      "failed",
      `An import into the database ${file} was interrupted. It cannot be undone, because the file or its folder is read-only. Open it once with write permission.`,
      cause
    )
  }
}

const refusal = (file: string, reason: StoreError["reason"], message: string, cause?: unknown): StoreError =>
  new StoreError({ database: file, reason, message, cause })

const open = (file: string, make: () => DatabaseSync): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  Effect.acquireRelease(attempt(file, make), (database) => Effect.sync(() => database.close()))

const orClose = (database: DatabaseSync, check: (database: DatabaseSync) => unknown): DatabaseSync => {
  try {
    check(database)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

// Returns the version of the schema, or 0 for an empty file. Throws for a database of another program or version.
const checkVersion = (file: string, database: DatabaseSync): number => {
  const version = schemaVersionOf(database)
  const { application, tables } = database
    .prepare(
      "SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id"
    )
    .get() as { readonly application: number; readonly tables: number }
  if (application === 0 && version === 0 && tables === 0) return 0
  if (application !== applicationId) {
    throw refusal(
      file,
      "not-a-database",
      `${file} is an SQLite database of another program. Name another file.`
    )
  }
  if (version !== schemaVersion && version !== olderVersion) {
    throw refusal(
      file,
      "other-version",
      `The database ${file} has schema ${version}, and this version of chemstream reads schema ${schemaVersion}. Use the version that made it, or import the records into a new file.`
    )
  }
  return version
}
