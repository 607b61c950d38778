/**
 * A sink in tables of SQLite or Postgres: `harvest_outcome` has one row an identifier, `harvest_record` (a view) one a
 * record. A chunk is one transaction, which begins with its row in `harvest_chunk`: who finds it there writes nothing.
 *
 * Records are text, and bytes (`raw`) where they are none that the database takes, so that they are kept byte for byte.
 */
import { isUtf8 } from "node:buffer"
import { RawRecord } from "@chemstream/ndjson"
import { Problem } from "@chemstream/stream"
import { Array as Arr, Clock, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import {
  type Chunk,
  type Identity,
  outcomeName,
  type Sink,
  type SinkError,
  type Tally,
  tally
} from "../Sink.ts"
import { incomplete, occupied, refusing } from "./sinkErrors.ts"
import { transaction } from "./transaction.ts"

/** Rows of one INSERT of SQLite: far below its 32,766 values. */
const rowsOfInsert = 250

/** Held while tables are made: two that make one at the same moment would fail. */
const makingTables = 0x63686d73

/** What asking again cannot help: our statements and what they are let do stay the same. */
const lasting: ReadonlySet<SqlError.SqlErrorReason["_tag"]> = new Set([
  "AuthenticationError",
  "AuthorizationError",
  "SqlSyntaxError",
  "ConstraintError",
  "UniqueViolation"
])

/** Whether a failure may pass: all that a database says while it stops, starts or is full, which has many codes. */
export const canPass = (error: SqlError.SqlError): boolean => !lasting.has(error.reason._tag)

/** One row of `harvest_outcome`, or of `harvest_more_records` with its `n`. */
type Row = Record<string, string | number | Uint8Array | null>

/** Opens the tables in a database, and makes them where there are none. `name` is what errors call it. */
export const open = (
  sql: SqlClient.SqlClient,
  name: string,
  schema: string | undefined,
  identity: Identity
): Effect.Effect<Sink, SinkError> =>
  Effect.gen(function* () {
    const table = (short: string) => sql(schema === undefined ? short : `${schema}.${short}`)
    const tables = {
      harvest: table("harvest"),
      chunk: table("harvest_chunk"),
      outcome: table("harvest_outcome"),
      more: table("harvest_more_records"),
      record: table("harvest_record")
    }
    const failing = refusing<SqlError.SqlError>(name, canPass)

    const make = Effect.gen(function* () {
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
        number ${counter}, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, chunks INTEGER)`
      yield* sql`CREATE TABLE IF NOT EXISTS ${tables.chunk} (
        harvest INTEGER NOT NULL, chunk INTEGER NOT NULL, written_at BIGINT NOT NULL, read INTEGER NOT NULL,
        found INTEGER NOT NULL, missing INTEGER NOT NULL, failed INTEGER NOT NULL, invalid INTEGER NOT NULL,
        duplicates INTEGER NOT NULL, records INTEGER NOT NULL, PRIMARY KEY (harvest, chunk))`
      yield* sql`CREATE TABLE IF NOT EXISTS ${tables.outcome} (
        harvest INTEGER NOT NULL, id TEXT NOT NULL, outcome TEXT NOT NULL, chunk INTEGER NOT NULL,
        line BIGINT NOT NULL, record TEXT, raw ${bytes}, problem TEXT, PRIMARY KEY (harvest, id))`
      yield* sql`CREATE TABLE IF NOT EXISTS ${tables.more} (
        harvest INTEGER NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL, record TEXT, raw ${bytes},
        PRIMARY KEY (harvest, id, n))`
      const isThere = yield* sql.onDialectOrElse({
        pg: () => sql`SELECT to_regclass(${schema === undefined ? "harvest_record" : `${schema}.harvest_record`}) AS name
          WHERE to_regclass(${schema === undefined ? "harvest_record" : `${schema}.harvest_record`}) IS NOT NULL`,
        orElse: () => sql`SELECT name FROM sqlite_master WHERE type = 'view' AND name = 'harvest_record'`
      })
      if (isThere.length === 0) {
        yield* sql`CREATE VIEW ${tables.record} AS
          SELECT h.name AS harvest, o.id, 0 AS n, o.record, o.raw
            FROM ${tables.outcome} o JOIN ${tables.harvest} h ON h.number = o.harvest WHERE o.outcome = 'found'
          UNION ALL
          SELECT h.name AS harvest, m.id, m.n, m.record, m.raw
            FROM ${tables.more} m JOIN ${tables.harvest} h ON h.number = m.harvest`
      }
    })

    const claim = Effect.gen(function* () {
      yield* make
      yield* sql`INSERT INTO ${tables.harvest} ${sql.insert({ name: identity.harvest, source: identity.source })}
        ON CONFLICT (name) DO NOTHING`
      const [holder] = yield* sql<{ number: number; source: string }>`
        SELECT number, source FROM ${tables.harvest} WHERE name = ${identity.harvest}`
      if (holder === undefined || holder.source !== identity.source) {
        return yield* occupied(
          name,
          `the harvest "${identity.harvest}" of another source`,
          "give this harvest another name"
        )
      }
      return holder.number
    })

    const harvest = yield* failing("open", transaction(sql, claim))

    const kept = (index: number): Effect.Effect<Tally | undefined, SqlError.SqlError> =>
      Effect.map(
        sql<Tally>`SELECT read, found, missing, failed, invalid, duplicates, records FROM ${tables.chunk}
          WHERE harvest = ${harvest} AND chunk = ${index}`,
        ([row]) => row
      )

    /** How many of some rows were not there before, and are now. */
    const insert = (into: typeof tables.outcome, rows: ReadonlyArray<Row>) =>
      Effect.map(
        Effect.forEach(
          valuesOf(sql, rows),
          (values) => sql`INSERT INTO ${into} ${values} ON CONFLICT DO NOTHING`.raw
        ),
        (results) => results.reduce((sum: number, result) => sum + changesOf(sql, result), 0)
      )

    /** The identifiers of a chunk whose outcome is in it, and not in another. */
    const placed = (index: number, ids: ReadonlyArray<string>) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM ${tables.outcome}
          WHERE harvest = ${harvest} AND chunk = ${index} AND ${sql.in("id", ids)}`,
        (found) => new Set(found.map(({ id }) => id))
      )

    const put = (chunk: Chunk) =>
      Effect.gen(function* () {
        const counts = tally(chunk)
        const at = yield* Clock.currentTimeMillis
        const first = { harvest, chunk: chunk.index, written_at: at, ...counts }
        const own =
          yield* sql`INSERT INTO ${tables.chunk} ${sql.insert(first)} ON CONFLICT DO NOTHING RETURNING chunk`
        if (own.length === 0) return (yield* kept(chunk.index)) ?? counts
        const rows = rowsOf(harvest, chunk)
        if ((yield* insert(tables.outcome, rows.outcomes)) === rows.outcomes.length) {
          yield* insert(tables.more, rows.more)
          return counts
        }
        // Some are in another chunk as well, which was first.
        const ids = yield* placed(
          chunk.index,
          rows.outcomes.map(({ id }) => id as string)
        )
        const corrected = tally(withoutOthers(chunk, ids))
        yield* insert(
          tables.more,
          rows.more.filter(({ id }) => ids.has(id as string))
        )
        yield* sql`UPDATE ${tables.chunk} SET ${sql.update({ ...corrected })}
          WHERE harvest = ${harvest} AND chunk = ${chunk.index}`
        return corrected
      })

    const complete = (chunks: number) =>
      Effect.gen(function* () {
        const present = yield* sql<{ chunk: number }>`
          SELECT chunk FROM ${tables.chunk} WHERE harvest = ${harvest} AND chunk < ${chunks}`
        if (present.length < chunks) {
          const known = new Set(present.map(({ chunk }) => chunk))
          const all = Array.from({ length: chunks }, (_, index) => index)
          return yield* incomplete(
            name,
            all.filter((index) => !known.has(index)),
            chunks
          )
        }
        yield* sql`UPDATE ${tables.harvest} SET chunks = ${chunks} WHERE number = ${harvest}`
        const [total] = yield* sql<Record<keyof Tally, number | bigint | string>>`
          SELECT coalesce(sum(read), 0) AS read, coalesce(sum(found), 0) AS found, coalesce(sum(missing), 0) AS missing,
            coalesce(sum(failed), 0) AS failed, coalesce(sum(invalid), 0) AS invalid,
            coalesce(sum(duplicates), 0) AS duplicates, coalesce(sum(records), 0) AS records
          FROM ${tables.chunk} WHERE harvest = ${harvest} AND chunk < ${chunks}`
        // Postgres sums integers to a larger type.
        return Object.fromEntries(Object.entries(total ?? {}).map(([name, n]) => [name, Number(n)])) as Tally
      })

    return {
      written: (index) => failing("read", kept(index)),
      write: (chunk) => failing("write", transaction(sql, put(chunk))),
      complete: (chunks) => failing("complete", complete(chunks))
    }
  })

/** Some rows as what an INSERT takes: in Postgres all of them, elsewhere so many at a time. */
const valuesOf = (sql: SqlClient.SqlClient, rows: ReadonlyArray<Row>): ReadonlyArray<Statement.Fragment> => {
  const [first] = rows
  if (first === undefined) return []
  return sql.onDialectOrElse({
    // One parameter a column: thousands of parameters cost Postgres and its client more than the rows themselves.
    pg: () => {
      const names = Object.keys(first) as ReadonlyArray<keyof typeof arrays>
      const columns = names.map((name) => {
        const values = rows.map((row) => row[name])
        return sql`${values.every((value) => value === null) ? null : values}::${sql.literal(arrays[name])}`
      })
      const list = sql.join(", ")
      return [sql`${list(names.map((name) => sql`${sql(name)}`))} SELECT * FROM unnest${list(columns)}`]
    },
    orElse: () => Arr.chunksOf(rows, rowsOfInsert).map((some) => sql`${sql.insert(some)}`)
  })
}

/** The columns of the tables as arrays in Postgres. */
const arrays = {
  harvest: "INTEGER[]",
  id: "TEXT[]",
  outcome: "TEXT[]",
  chunk: "INTEGER[]",
  line: "BIGINT[]",
  n: "INTEGER[]",
  record: "TEXT[]",
  raw: "BYTEA[]",
  problem: "TEXT[]"
}

/** How many rows a statement has written, as the two drivers say it. */
const changesOf = (sql: SqlClient.SqlClient, result: unknown): number => {
  const { changes, rowCount } = result as { readonly changes?: number; readonly rowCount?: number }
  return sql.onDialectOrElse({ pg: () => rowCount, orElse: () => changes }) ?? 0
}

const rowsOf = (
  harvest: number,
  chunk: Chunk
): { readonly outcomes: ReadonlyArray<Row>; readonly more: ReadonlyArray<Row> } => {
  const outcomes: Array<Row> = []
  const more: Array<Row> = []
  for (const outcome of chunk.outcomes) {
    const id = textOf(outcome.id)
    const [first, ...others] = outcome._tag === "Found" ? outcome.records : []
    outcomes.push({
      harvest,
      id,
      outcome: outcomeName(outcome),
      chunk: chunk.index,
      line: outcome.line,
      ...cellsOf(first),
      problem: outcome._tag === "Found" ? null : Problem.toLine(outcome)
    })
    others.forEach((record, k) => {
      more.push({ harvest, id, n: k + 1, ...cellsOf(record) })
    })
  }
  // In one order, so that two transactions with the same identifiers wait for each other and not in a circle.
  outcomes.sort((a, b) => ((a["id"] as string) < (b["id"] as string) ? -1 : 1))
  return { outcomes, more }
}

const cellsOf = (
  record: RawRecord.RawRecord | undefined
): { record: string | null; raw: Uint8Array | null } => {
  if (record === undefined) return { record: null, raw: null }
  const bytes = RawRecord.toBytes(record)
  return isUtf8(bytes) && !bytes.includes(0)
    ? { record: RawRecord.toText(record), raw: null }
    : { record: null, raw: bytes }
}

/** The chunk with what is kept elsewhere counted as having come before. */
const withoutOthers = (chunk: Chunk, kept: ReadonlySet<string>): Chunk => {
  const left = new Set(kept)
  // A text that is no identifier has one row, and is invalid each time it comes.
  const outcomes = chunk.outcomes.filter(({ _tag, id }) => left.delete(textOf(id)) || _tag === "Invalid")
  return { ...chunk, outcomes, duplicates: chunk.duplicates + chunk.outcomes.length - outcomes.length }
}

/** Postgres has no zero byte in a text; only what is no identifier can hold one. */
const textOf = (id: string): string => (id.includes("\0") ? id.replaceAll("\0", "\uFFFD") : id)
