/**
 * Stores responses in a file that several processes can share: a store for `ResponseCache`, which has their lifetimes (`ttl`,
 * `missingTtl`, `staleFor`). `pipeline/internal/cachedCalls.ts` decides which responses are stored, and when one is too old.
 *
 * It is a SQLite database in WAL mode, with two files beside it while open, readable only by its owner. Above
 * `maxBytes` it deletes the least recently used responses. It stores digests of requests, and never the API key.
 * Reading and writing block the event loop while a body is copied. WAL does not work on network file systems.
 */
import { createHash } from "node:crypto"
import { chmodSync, closeSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { type InvalidOption, Options } from "@chemstream/batch"
import { Effect, type Scope } from "effect"
import { bound, CacheFailure, type Entry, type Store } from "../pipeline/ResponseCache.ts"

/** How long a process waits for the write of another, in milliseconds. */
const busyTimeout = 2000

/** "chem" in ASCII: identifies the file among SQLite databases. */
const applicationId = 0x6368_656d

/** The version of the tables below. */
const formatVersion = 3

/** The estimated size of a row without its body, in bytes. */
const rowOverhead = 128

/** The tables: `entries` are the responses, `used` is the order of their last use, and `held` has the sum of their sizes. */
const tables = `
  CREATE TABLE entries (
    key BLOB PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('found', 'partial', 'missing')),
    body BLOB NOT NULL,
    etag TEXT,
    truncated TEXT CHECK (truncated IN ('capped')),
    stored_at INTEGER NOT NULL,
    used INTEGER NOT NULL,
    size INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX entries_by_use ON entries (used);
  CREATE TABLE held (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO held VALUES (0);
  CREATE TRIGGER entries_added AFTER INSERT ON entries BEGIN UPDATE held SET bytes = bytes + new.size; END;
  CREATE TRIGGER entries_removed AFTER DELETE ON entries BEGIN UPDATE held SET bytes = bytes - old.size; END;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};
`

/** The file and its bound. */
export interface Settings {
  /** The path of the file. It is created if missing; its folder is not. */
  readonly file: string
  /** The largest size of all responses, in bytes. The file is a few percent larger. Default: 1 GiB. */
  readonly maxBytes?: number | undefined
}

/** The declaration of the settings. */
export const optionSet = Options.set<Settings>()({
  file: Options.required(Options.text),
  maxBytes: Options.withDefault(bound, 1024 ** 3)
})

/**
 * Opens the file for the scope. Fails with `CacheFailure` if it cannot be opened, is damaged, or is another kind of
 * file.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { DiskCache, Transport } from "@chemstream/client/node"
 * import { Effect, Layer } from "effect"
 *
 * const layer = Layer.unwrap(
 *   Effect.map(DiskCache.make({ file: "responses.cache" }), (store) =>
 *     ChemClient.layerConfig({ cache: { store, staleFor: "7 days" } })
 *   )
 * ).pipe(Layer.provide(Transport.layer()))
 * ```
 */
export const make = (
  settings: Settings
): Effect.Effect<Store, CacheFailure | InvalidOption.InvalidOption, Scope.Scope> =>
  Options.check(optionSet, settings).pipe(
    Effect.andThen(
      Effect.acquireRelease(
        Effect.suspend(() => attempt(settings.file, () => open(settings.file))),
        (database) => Effect.sync(() => database.close())
      )
    ),
    Effect.map((database) => storeIn(database, settings))
  )

/** Opens or creates the file. */
const open = (file: string): DatabaseSync => {
  closeSync(openSync(file, "a", 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    prepare(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Creates the tables of a new file, and checks those of an old one. */
const prepare = (database: DatabaseSync, file: string): void => {
  // If two processes find the file empty, one creates the tables and the other finds them.
  inTransaction(database, () => {
    const isEmpty = numberIn(database, "SELECT count(*) FROM sqlite_schema") === 0
    const id = numberIn(database, "PRAGMA application_id")
    if (isEmpty && id === 0) database.exec(tables)
    else if (id !== applicationId) {
      throw new CacheFailure({
        message: `${file} is a database, but not a cache of this client; give another file name`
      })
    } else if (numberIn(database, "PRAGMA user_version") !== formatVersion) {
      throw new CacheFailure({
        message: `${file} was made by another version of this client; delete it or give another file name`
      })
    }
  })
  // Less safe than the default, but faster: responses can be requested again. A power failure may lose one, but does not damage the file.
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216"
  )
}

const storeIn = (database: DatabaseSync, settings: Settings): Store => {
  const { file, maxBytes } = Options.complete(optionSet, settings)
  const nextUse = "(SELECT coalesce(max(used), 0) + 1 FROM entries)"
  const use = database.prepare(
    `UPDATE entries SET used = ${nextUse} WHERE key = ? RETURNING kind, body, etag, truncated, stored_at`
  )
  const remove = database.prepare("DELETE FROM entries WHERE key = ?")
  const removeOldest = database.prepare("DELETE FROM entries WHERE used = (SELECT min(used) FROM entries)")
  const totalBytes = database.prepare("SELECT bytes FROM held")
  const add = database.prepare(
    `INSERT INTO entries (key, kind, body, etag, truncated, stored_at, used, size) VALUES (?, ?, ?, ?, ?, ?, ${nextUse}, ?)`
  )
  return {
    get: (key) =>
      attempt(file, () => {
        const [row] = use.all(digest(key))
        return row === undefined ? undefined : entryOf(row)
      }),
    put: (key, { body, etag, kind, storedAt, truncated }) =>
      attempt(file, () =>
        inTransaction(database, () => {
          const size = body.length + rowOverhead
          remove.run(digest(key))
          if (size > maxBytes) return
          add.run(digest(key), kind, body, etag ?? null, truncated ?? null, storedAt, size)
          while (Number(totalBytes.get()?.["bytes"]) > maxBytes) removeOldest.run()
        })
      )
  }
}

const entryOf = (row: Readonly<Record<string, unknown>>): Entry => ({
  kind: row["kind"] as Entry["kind"],
  body: row["body"] as Uint8Array,
  etag: (row["etag"] as string | null) ?? undefined,
  truncated: (row["truncated"] as Entry["truncated"] | null) ?? undefined,
  storedAt: Number(row["stored_at"])
})

const digest = (key: string): Uint8Array => createHash("sha256").update(key).digest()

const numberIn = (database: DatabaseSync, query: string): number =>
  Number(Object.values(database.prepare(query).get() ?? {})[0])

const inTransaction = (database: DatabaseSync, body: () => void): void => {
  database.exec("BEGIN IMMEDIATE")
  try {
    body()
    database.exec("COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK")
    throw error
  }
}

const attempt = <A>(file: string, body: () => A): Effect.Effect<A, CacheFailure> =>
  Effect.try({
    try: body,
    catch: (error) =>
      error instanceof CacheFailure ? error : new CacheFailure({ message: explain(file, error) })
  })

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const codes = { busy: 5, readOnly: 8, corrupt: 11, full: 13, notADatabase: 26 }

/** Returns what is wrong with the file, and what to do. */
const explain = (file: string, error: unknown): string => {
  const code = Number((error as { readonly errcode?: number }).errcode ?? 0) & 0xff
  const text = error instanceof Error ? error.message : String(error)
  switch (code) {
    case codes.corrupt:
      return `${file} is damaged (${text}); delete it, and its responses are requested again`
    case codes.notADatabase:
      return `${file} is not a cache of this client, or is damaged; give another file name, or delete it if it was one`
    case codes.busy:
      return `${file} was locked by another process for more than ${busyTimeout} ms; try again`
    case codes.full:
      return `no space is left for ${file}; free some space`
    case codes.readOnly:
      return `${file} cannot be written; check its permissions and those of its folder`
    default:
      return `${file} cannot be used: ${text}`
  }
}
