/**
 * Creates the tables of harvests: harvests with their chunks, progress and failures, rates, mirrors with their changes, and
 * workers with their leases. The engine creates its own tables.
 *
 * The statements are the same for SQLite and Postgres. The chunks of a harvest never change. The modules that read a table
 * explain its columns, e.g. `harvestRow.ts` and `progress.ts`.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"

/** Creates missing tables. A user who may only read needs no rights if all of them exist. */
export const migrate: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.suspend(() =>
  Effect.flatMap(lastMigration, (last) => (last < Object.keys(migrations).length ? create : Effect.void))
)

const create = Effect.suspend(() =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "chemstream_migrations" })
).pipe(
  Effect.asVoid,
  Effect.catchTag("MigrationError", (error) => Effect.die(error))
)

/** The number of the last migration. 0: there is no table of migrations, or it cannot be read. */
const lastMigration = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ last: unknown }>`SELECT max(migration_id) AS last FROM chemstream_migrations`
).pipe(
  Effect.map(([row]) => Number(row?.last ?? 0)),
  Effect.catch(() => Effect.succeed(0))
)

const harvests = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE chemstream_harvests (
      name TEXT PRIMARY KEY, id TEXT NOT NULL, spec TEXT NOT NULL, description TEXT NOT NULL, digest TEXT NOT NULL,
      state TEXT NOT NULL, reason TEXT, failure TEXT, claim TEXT, epoch INTEGER NOT NULL DEFAULT 0,
      round INTEGER NOT NULL DEFAULT 0, retried INTEGER NOT NULL DEFAULT 0, chunks INTEGER NOT NULL,
      identifiers BIGINT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT)`
  yield* sql`CREATE INDEX chemstream_harvests_state ON chemstream_harvests (state)`
  yield* sql`
    CREATE TABLE chemstream_chunks (
      harvest TEXT NOT NULL, idx INTEGER NOT NULL, items TEXT NOT NULL, duplicates INTEGER NOT NULL,
      PRIMARY KEY (harvest, idx))`
  yield* sql`
    CREATE TABLE chemstream_progress (
      harvest TEXT NOT NULL, idx INTEGER NOT NULL, worker TEXT NOT NULL, read INTEGER NOT NULL, found INTEGER NOT NULL,
      missing INTEGER NOT NULL, failed INTEGER NOT NULL, invalid INTEGER NOT NULL, duplicates INTEGER NOT NULL,
      records INTEGER NOT NULL, surplus INTEGER NOT NULL, truncated INTEGER NOT NULL, requests INTEGER NOT NULL,
      retries INTEGER NOT NULL, bytes BIGINT NOT NULL, millis INTEGER NOT NULL, done_at BIGINT NOT NULL,
      PRIMARY KEY (harvest, idx))`
  yield* sql`CREATE TABLE chemstream_rates (name TEXT PRIMARY KEY, state TEXT NOT NULL)`
})

const mirrors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE chemstream_mirror (
      mirror TEXT NOT NULL, id TEXT NOT NULL, outcome TEXT NOT NULL, records TEXT NOT NULL, checked_at BIGINT NOT NULL,
      changed_at BIGINT NOT NULL, PRIMARY KEY (mirror, id))`
  yield* sql`
    CREATE TABLE chemstream_changes (
      harvest TEXT NOT NULL, idx INTEGER NOT NULL, tally TEXT NOT NULL, lines TEXT NOT NULL, failed TEXT NOT NULL,
      PRIMARY KEY (harvest, idx))`
})

const workers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counter = sql.literal(
    sql.onDialectOrElse({
      pg: () => "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      orElse: () => "INTEGER PRIMARY KEY AUTOINCREMENT"
    })
  )
  yield* sql`
    CREATE TABLE chemstream_workers (
      name TEXT PRIMARY KEY, address TEXT NOT NULL, started_at BIGINT NOT NULL, seen_at BIGINT NOT NULL,
      lease INTEGER NOT NULL, in_flight INTEGER NOT NULL, shards INTEGER NOT NULL, busy TEXT NOT NULL,
      unable TEXT NOT NULL)`
  yield* sql`
    CREATE TABLE chemstream_runners (
      machine ${counter}, address TEXT NOT NULL UNIQUE, runner TEXT NOT NULL, healthy INTEGER NOT NULL,
      seen_at BIGINT NOT NULL, host TEXT NOT NULL, socket TEXT)`
  yield* sql`
    CREATE TABLE chemstream_leases (shard TEXT PRIMARY KEY, address TEXT NOT NULL, until BIGINT NOT NULL)`
})

const failures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE chemstream_failures (
      harvest TEXT NOT NULL, idx INTEGER NOT NULL, reason TEXT NOT NULL, identifiers INTEGER NOT NULL,
      PRIMARY KEY (harvest, idx, reason))`
})

const rates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE chemstream_workers ADD COLUMN rate TEXT`
})

const goneRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE chemstream_mirror ADD COLUMN gone_at BIGINT`
})

const migrations: Parameters<typeof Migrator.fromRecord>[0] = {
  "0001_harvests": harvests,
  "0002_mirrors": mirrors,
  "0003_workers": workers,
  "0004_failures": failures,
  "0005_rates": rates,
  "0006_gone_records": goneRecords
}
