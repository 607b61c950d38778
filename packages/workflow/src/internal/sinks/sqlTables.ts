/**
 * The tables of a sink in SQLite or Postgres: `harvest_outcome` has one row for each identifier, `harvest_record` (a view) one
 * for each record, and `harvest_surplus` one for each record that belongs to no identifier. `harvest_chunk` says of a chunk how
 * many rows it has in the others.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** The names of the tables in a schema. */
export interface Tables {
  readonly harvest: Statement.Identifier
  readonly chunk: Statement.Identifier
  readonly outcome: Statement.Identifier
  readonly more: Statement.Identifier
  readonly surplus: Statement.Identifier
  readonly record: Statement.Identifier
}

/** The tables of a schema; of the one in force where none is given. */
export const named = (sql: SqlClient.SqlClient, schema: string | undefined): Tables => {
  const table = (short: string) => sql(schema === undefined ? short : `${schema}.${short}`)
  return {
    harvest: table("harvest"),
    chunk: table("harvest_chunk"),
    outcome: table("harvest_outcome"),
    more: table("harvest_more_records"),
    surplus: table("harvest_surplus"),
    record: table("harvest_record")
  }
}

/** Held while tables are made: two that make one at the same moment would fail. */
const makingTables = 0x63686d73

/** Makes the tables that are not there. */
export const make = (
  sql: SqlClient.SqlClient,
  tables: Tables,
  schema: string | undefined
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const bytes = sql.literal(sql.onDialectOrElse({ pg: () => "BYTEA", orElse: () => "BLOB" }))
    const counter = sql.literal(
      sql.onDialectOrElse({
        pg: () => "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        orElse: () => "INTEGER PRIMARY KEY"
      })
    )
    yield* sql.onDialectOrElse({
      pg: () => sql`SELECT pg_advisory_xact_lock(${makingTables})`,
      orElse: () => Effect.void
    })
    if (schema !== undefined) yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
    yield* sql`CREATE TABLE IF NOT EXISTS ${tables.harvest} (
      number ${counter}, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, chunks INTEGER, claim TEXT NOT NULL)`
    yield* sql`CREATE TABLE IF NOT EXISTS ${tables.chunk} (
      harvest INTEGER NOT NULL, chunk INTEGER NOT NULL, written_at BIGINT NOT NULL, kept INTEGER NOT NULL DEFAULT 0,
      read INTEGER NOT NULL, found INTEGER NOT NULL, missing INTEGER NOT NULL, failed INTEGER NOT NULL,
      invalid INTEGER NOT NULL, duplicates INTEGER NOT NULL, records INTEGER NOT NULL, surplus INTEGER NOT NULL,
      truncated INTEGER NOT NULL, PRIMARY KEY (harvest, chunk))`
    yield* sql`CREATE TABLE IF NOT EXISTS ${tables.outcome} (
      harvest INTEGER NOT NULL, id TEXT NOT NULL, outcome TEXT NOT NULL, chunk INTEGER NOT NULL,
      line BIGINT NOT NULL, record TEXT, raw ${bytes}, problem TEXT, PRIMARY KEY (harvest, id))`
    yield* sql`CREATE TABLE IF NOT EXISTS ${tables.more} (
      harvest INTEGER NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL, chunk INTEGER NOT NULL, record TEXT, raw ${bytes},
      PRIMARY KEY (harvest, id, n))`
    yield* sql`CREATE TABLE IF NOT EXISTS ${tables.surplus} (
      harvest INTEGER NOT NULL, chunk INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT, reason TEXT NOT NULL,
      record TEXT, raw ${bytes}, PRIMARY KEY (harvest, chunk, n))`
    yield* sql`CREATE INDEX IF NOT EXISTS harvest_outcome_chunk ON ${tables.outcome} (harvest, chunk)`
    yield* sql`CREATE INDEX IF NOT EXISTS harvest_more_records_chunk ON ${tables.more} (harvest, chunk)`
    yield* makeView(sql, tables, schema)
  })

const makeView = (sql: SqlClient.SqlClient, tables: Tables, schema: string | undefined) =>
  Effect.gen(function* () {
    const isThere = yield* sql.onDialectOrElse({
      // to_regclass would read the name of a schema as lower case.
      pg: () => sql`
        SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relname = 'harvest_record' AND n.nspname = coalesce(${schema ?? null}::text, current_schema())`,
      orElse: () => sql`SELECT name FROM sqlite_master WHERE type = 'view' AND name = 'harvest_record'`
    })
    if (isThere.length > 0) return
    yield* sql`CREATE VIEW ${tables.record} AS
      SELECT h.name AS harvest, o.id, 0 AS n, o.record, o.raw
        FROM ${tables.outcome} o JOIN ${tables.harvest} h ON h.number = o.harvest WHERE o.outcome = 'found'
      UNION ALL
      SELECT h.name AS harvest, m.id, m.n, m.record, m.raw
        FROM ${tables.more} m JOIN ${tables.harvest} h ON h.number = m.harvest`
  })
