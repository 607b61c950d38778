/**
 * A sink in tables of SQLite or Postgres (`sqlTables.ts`). A chunk is one transaction, which begins with its row in
 * `harvest_chunk`: who finds it there writes nothing.
 */
import { randomUUID } from "node:crypto"
import { Array as Arr, Clock, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import {
  amended,
  type Chunk,
  countNames,
  type Identity,
  nothing,
  type Sink,
  type SinkError,
  type Tally,
  tally
} from "../../Sink.ts"
import { transaction } from "../database/transaction.ts"
import { incomplete, indexesTo, occupied, refusing } from "./sinkErrors.ts"
import * as Rows from "./sqlRows.ts"
import * as Tables from "./sqlTables.ts"

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

/** The rows of one harvest. */
interface Kept {
  readonly sql: SqlClient.SqlClient
  readonly tables: Tables.Tables
  readonly harvest: number
}

/** Opens the tables in a database, and makes them where there are none. `name` is what errors call it. */
export const open = (
  sql: SqlClient.SqlClient,
  name: string,
  schema: string | undefined,
  identity: Identity
): Effect.Effect<Sink, SinkError> =>
  Effect.gen(function* () {
    const tables = Tables.named(sql, schema)
    const failing = refusing<SqlError.SqlError>(name, canPass)
    const holder = yield* failing(
      "open",
      transaction(sql, Effect.andThen(Tables.make(sql, tables, schema), claim(sql, tables, name, identity)))
    )
    const kept = { sql, tables, harvest: holder.number }
    return {
      written: (index) => failing("read", countsOf(kept, index)),
      write: (chunk) => failing("write", transaction(sql, put(kept, chunk))),
      complete: (chunks) => failing("complete", transaction(sql, complete(kept, name, chunks))),
      // Tables in Postgres are where the harvests are: no path leads elsewhere.
      claim: sql.onDialectOrElse({ pg: () => undefined, orElse: () => holder.claim }),
      absent: (chunks) => failing("read", transaction(sql, absent(kept, chunks))),
      failed: (index) => failing("read", failed(kept, index)),
      amend: (chunk) => failing("write", transaction(sql, amend(kept, chunk)))
    }
  })

/** Enters the harvest: the first to do so wins. */
const claim = (sql: SqlClient.SqlClient, { harvest }: Tables.Tables, name: string, identity: Identity) =>
  Effect.gen(function* () {
    const row = { name: identity.harvest, source: identity.source, claim: randomUUID() }
    yield* sql`INSERT INTO ${harvest} ${sql.insert(row)} ON CONFLICT (name) DO NOTHING`
    const [holder] = yield* sql<{ number: number; source: string; claim: string }>`
      SELECT number, source, claim FROM ${harvest} WHERE name = ${identity.harvest}`
    if (holder?.source === identity.source) return holder
    return yield* occupied(
      name,
      `the harvest "${identity.harvest}" of another source`,
      "give this harvest another name"
    )
  })

const countsOf = ({ harvest, sql, tables }: Kept, index: number) =>
  Effect.map(
    sql<Tally>`SELECT ${sql.csv(countNames.map((name) => sql`${sql(name)}`))} FROM ${tables.chunk}
      WHERE harvest = ${harvest} AND chunk = ${index}`,
    ([row]): Tally | undefined => row
  )

/** How many rows a chunk `c` has now. */
const present = ({ sql, tables }: Kept) =>
  sql.join(" + ")(
    [tables.outcome, tables.more, tables.surplus].map(
      (table) => sql`(SELECT count(*) FROM ${table} AS r WHERE r.harvest = c.harvest AND r.chunk = c.chunk)`
    )
  )

/** Enters the counts of a chunk whose rows are there. */
const settle = (kept: Kept, index: number, counts: Tally) => {
  const { harvest, sql, tables } = kept
  return Effect.as(
    sql`UPDATE ${tables.chunk} AS c SET ${sql.update({ ...counts })}, kept = ${present(kept)}
      WHERE harvest = ${harvest} AND chunk = ${index}`,
    counts
  )
}

const put = (kept: Kept, chunk: Chunk) =>
  Effect.gen(function* () {
    const { harvest, sql, tables } = kept
    const counts = tally(chunk)
    const first = { harvest, chunk: chunk.index, written_at: yield* Clock.currentTimeMillis, ...counts }
    const own =
      yield* sql`INSERT INTO ${tables.chunk} ${sql.insert(first)} ON CONFLICT DO NOTHING RETURNING chunk`
    if (own.length === 0) return (yield* countsOf(kept, chunk.index)) ?? counts
    const { more, outcomes, surplus } = Rows.ofChunk(harvest, chunk)
    yield* Rows.insert(sql, tables.surplus, surplus)
    if ((yield* Rows.insert(sql, tables.outcome, outcomes)) === outcomes.length) {
      yield* Rows.insert(sql, tables.more, more)
      return yield* settle(kept, chunk.index, counts)
    }
    // Some are in another chunk as well, which was first.
    const placed = yield* sql<{ id: string }>`SELECT id FROM ${tables.outcome}
      WHERE harvest = ${harvest} AND chunk = ${chunk.index} AND ${sql.in(
        "id",
        outcomes.map(({ id }) => id)
      )}`
    const ids = new Set(placed.map(({ id }) => id))
    yield* Rows.insert(
      sql,
      tables.more,
      more.filter(({ id }) => ids.has(id))
    )
    return yield* settle(kept, chunk.index, tally(withoutOthers(chunk, ids)))
  })

/** The chunk with what is kept elsewhere counted as having come before. */
const withoutOthers = (chunk: Chunk, kept: ReadonlySet<string>): Chunk => {
  const left = new Set(kept)
  // A text that is no identifier has one row, and is invalid each time it comes.
  const outcomes = chunk.outcomes.filter(
    (outcome) =>
      outcome._tag === "Surplus" || left.delete(Rows.textOf(outcome.id)) || outcome._tag === "Invalid"
  )
  return { ...chunk, outcomes, duplicates: chunk.duplicates + chunk.outcomes.length - outcomes.length }
}

/** The chunks that are not there. One that has lost rows is taken away as a whole. */
const absent = (kept: Kept, chunks: number) =>
  Effect.gen(function* () {
    const { harvest, sql, tables } = kept
    const rows = yield* sql<{ chunk: number; isWhole: unknown }>`
      SELECT chunk, CASE WHEN kept <= ${present(kept)} THEN 1 ELSE 0 END AS ${sql("isWhole")}
      FROM ${tables.chunk} AS c WHERE harvest = ${harvest} AND chunk < ${chunks}`
    const whole = new Set(rows.flatMap(({ chunk, isWhole }) => (Number(isWhole) === 1 ? [chunk] : [])))
    for (const { chunk } of rows) {
      if (whole.has(chunk)) continue
      for (const table of [tables.outcome, tables.more, tables.surplus, tables.chunk])
        yield* sql`DELETE FROM ${table} WHERE harvest = ${harvest} AND chunk = ${chunk}`
    }
    return indexesTo(chunks).filter((index) => !whole.has(index))
  })

const failed = ({ harvest, sql, tables }: Kept, index: number) =>
  Effect.map(
    sql<{ id: string; line: number | bigint | string }>`
      SELECT id, line FROM ${tables.outcome}
      WHERE harvest = ${harvest} AND chunk = ${index} AND outcome = 'failed' ORDER BY line`,
    (rows) => rows.map(({ id, line }) => ({ text: id, line: Number(line) }))
  )

const amend = (kept: Kept, chunk: Chunk) =>
  Effect.gen(function* () {
    const { harvest, sql, tables } = kept
    const before = (yield* countsOf(kept, chunk.index)) ?? nothing
    const rows = Rows.ofChunk(harvest, chunk)
    let replaced = 0
    for (const some of Arr.chunksOf(rows.outcomes, Rows.rowsOfInsert)) {
      const ids = some.map(({ id }) => id)
      const gone = yield* sql`
        DELETE FROM ${tables.outcome} WHERE harvest = ${harvest} AND chunk = ${chunk.index}
          AND outcome = 'failed' AND ${sql.in("id", ids)} RETURNING id`
      replaced += gone.length
    }
    yield* Rows.insert(sql, tables.outcome, rows.outcomes)
    yield* Rows.insert(sql, tables.more, rows.more)
    const [last] = yield* sql<{ n: unknown }>`
      SELECT count(*) AS n FROM ${tables.surplus} WHERE harvest = ${harvest} AND chunk = ${chunk.index}`
    const behind = Number(last?.n)
    yield* Rows.insert(
      sql,
      tables.surplus,
      rows.surplus.map((row) => ({ ...row, n: row.n + behind }))
    )
    return yield* settle(kept, chunk.index, amended(before, replaced, chunk))
  })

const complete = (kept: Kept, name: string, chunks: number) =>
  Effect.gen(function* () {
    const { harvest, sql, tables } = kept
    const lost = yield* absent(kept, chunks)
    if (lost.length > 0) return yield* incomplete(name, lost, chunks)
    yield* sql`UPDATE ${tables.harvest} SET chunks = ${chunks} WHERE number = ${harvest}`
    const sums = countNames.map((name) => sql`coalesce(sum(${sql(name)}), 0) AS ${sql(name)}`)
    const [total] = yield* sql<Record<keyof Tally, number | bigint | string>>`SELECT ${sql.csv(sums)}
      FROM ${tables.chunk} WHERE harvest = ${harvest} AND chunk < ${chunks}`
    // Postgres sums integers to a larger type.
    return Object.fromEntries(Object.entries(total ?? {}).map(([name, n]) => [name, Number(n)])) as Tally
  })
