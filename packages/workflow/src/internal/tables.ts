/**
 * The tables of harvests, beside those of the engine: what is to be fetched, in chunks; what is done; who works;
 * mirrors; and leases.
 *
 * The same statements for SQLite and Postgres. The source of a harvest never changes; what is done is only added to.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"

/** Makes what is not there yet. */
export const migrate: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.suspend(() =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "chemstream_migrations" })
).pipe(
  Effect.asVoid,
  Effect.catchTag("MigrationError", (error) => Effect.die(error))
)

const migrations: Parameters<typeof Migrator.fromRecord>[0] = {
  "0001_harvests": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_harvests (
        name TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        spec TEXT NOT NULL,
        description TEXT NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT,
        epoch INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        identifiers BIGINT NOT NULL,
        started_at BIGINT NOT NULL,
        ended_at BIGINT
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_chunks (
        harvest TEXT NOT NULL,
        idx INTEGER NOT NULL,
        items TEXT NOT NULL,
        duplicates INTEGER NOT NULL,
        PRIMARY KEY (harvest, idx)
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_progress (
        harvest TEXT NOT NULL,
        idx INTEGER NOT NULL,
        worker TEXT NOT NULL,
        read INTEGER NOT NULL,
        found INTEGER NOT NULL,
        missing INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        invalid INTEGER NOT NULL,
        duplicates INTEGER NOT NULL,
        records INTEGER NOT NULL,
        requests INTEGER NOT NULL,
        retries INTEGER NOT NULL,
        bytes BIGINT NOT NULL,
        millis INTEGER NOT NULL,
        done_at BIGINT NOT NULL,
        PRIMARY KEY (harvest, idx)
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_workers (
        name TEXT PRIMARY KEY,
        started_at BIGINT NOT NULL,
        seen_at BIGINT NOT NULL,
        in_flight INTEGER NOT NULL,
        shards INTEGER NOT NULL
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_rates (
        name TEXT PRIMARY KEY,
        state TEXT NOT NULL
      )`
  }),
  "0002_mirrors": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_mirror (
        mirror TEXT NOT NULL,
        id TEXT NOT NULL,
        outcome TEXT NOT NULL,
        records TEXT NOT NULL,
        checked_at BIGINT NOT NULL,
        changed_at BIGINT NOT NULL,
        PRIMARY KEY (mirror, id)
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_changes (
        harvest TEXT NOT NULL,
        idx INTEGER NOT NULL,
        tally TEXT NOT NULL,
        lines TEXT NOT NULL,
        PRIMARY KEY (harvest, idx)
      )`
  }),
  "0003_leases": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const counter = sql.literal(
      sql.onDialectOrElse({
        pg: () => "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        orElse: () => "INTEGER PRIMARY KEY AUTOINCREMENT"
      })
    )
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_runners (
        machine ${counter},
        address TEXT NOT NULL UNIQUE,
        runner TEXT NOT NULL,
        healthy INTEGER NOT NULL,
        seen_at BIGINT NOT NULL
      )`
    yield* sql`
      CREATE TABLE IF NOT EXISTS chemstream_leases (
        shard TEXT PRIMARY KEY,
        address TEXT NOT NULL,
        until BIGINT NOT NULL
      )`
  }),
  "0004_failures": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`ALTER TABLE chemstream_harvests ADD COLUMN failure TEXT`
  )
}
