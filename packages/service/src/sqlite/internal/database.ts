/**
 * Opening a SQLite file: is it there, is it a database, is it ours, and of this version?
 *
 * The questions asked of an open database are in `SqliteStore`.
 */
import { existsSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { Effect, type Scope } from "effect"
import { StoreError } from "../../Store.ts"
import { attempt } from "./attempt.ts"
import { connectReader, connectWriter } from "./connection.ts"
import { applicationId, migrations } from "./migrations.ts"

/** Opens an existing database for reading. */
export const openReader = (file: string): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  open(file, () => {
    if (!existsSync(file)) {
      throw new StoreError({
        database: file,
        reason: "absent",
        message: `There is no database ${file}. Make one: chemstream import FILE… --kind details --database ${file}`
      })
    }
    const database = connectReader(file)
    return checked(database, () => {
      const version = layoutVersion(file, database)
      if (version < migrations.length) {
        const problem = version === 0 ? "holds no data yet" : "was made by an older version of chemstream"
        throw new StoreError({
          database: file,
          reason: "older",
          message: `The database ${file} ${problem}. An import brings it up to date: chemstream import FILE… --kind details --database ${file}`
        })
      }
    })
  })

/** Opens a database for writing; makes it, or brings it to the newest layout, where needed. */
export const openWriter = (file: string): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  open(file, () => {
    if (file === "") {
      // To SQLite, a database that is kept nowhere.
      throw new StoreError({
        database: file,
        reason: "not-a-database",
        message: "The name of the database is empty. Name a file."
      })
    }
    const database = connectWriter(file)
    return checked(database, () => {
      layoutVersion(file, database)
      database.exec("BEGIN IMMEDIATE")
      // Asked again: another process may have migrated while this one waited.
      for (const step of migrations.slice(layoutVersion(file, database))) step(database)
      database.exec(
        `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}; COMMIT`
      )
    })
  })

const open = (file: string, make: () => DatabaseSync): Effect.Effect<DatabaseSync, StoreError, Scope.Scope> =>
  Effect.acquireRelease(attempt(file, make), (database) => Effect.sync(() => database.close()))

const checked = (database: DatabaseSync, check: () => void): DatabaseSync => {
  try {
    check()
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

// 0 for an empty file; throws where the file is not ours or newer than this code.
const layoutVersion = (file: string, database: DatabaseSync): number => {
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  const version = pragma("user_version")
  if (pragma("application_id") !== applicationId) {
    const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as {
      readonly tables: number
    }
    if (version === 0 && tables === 0) return 0
    throw new StoreError({
      database: file,
      reason: "not-a-database",
      message: `${file} is an SQLite database of another program. Name another file.`
    })
  }
  if (version > migrations.length) {
    throw new StoreError({
      database: file,
      reason: "newer",
      message: `The database ${file} was made by a newer version of chemstream (layout ${version}; this version knows ${migrations.length}). Use that version, or import into a new file.`
    })
  }
  return version
}
