/**
 * Stores a harvest in tables of SQLite or Postgres (`harvestTables.ts`). One transaction writes a chunk. It first
 * inserts the row in `TABLE_chunks`; if the row exists, it writes nothing else.
 */
import { Quote } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { OutcomeRow } from "@chemstream/stream"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import {
  amendTally,
  type Chunk,
  countNames,
  emptyTally,
  type Identity,
  type Sink,
  type SinkError,
  type Tally,
  tallyOf
} from "../../Sink.ts"
import { renewAfter } from "../database/postgresClient.ts"
import { reading, transaction } from "../database/transaction.ts"
import * as Layout from "../tables/layout.ts"
import { columnList, type Engine, type Row } from "../tables/tableEngine.ts"
import * as Rows from "../tables/tableRows.ts"
import { claimTables, type HarvestTables } from "./harvestTables.ts"
import { chunkIndexes, incompleteSink, toSinkError, unusableSink } from "./sinkErrors.ts"

interface HarvestDatabase {
  readonly engine: Engine
  readonly tables: HarvestTables
}

/** Opens the tables of a harvest, and creates them if they do not exist. `name` is their name in messages. */
export const open = (
  engine: Engine,
  tables: HarvestTables,
  schema: string | undefined,
  name: string,
  identity: Identity
): Effect.Effect<Sink, SinkError> =>
  Effect.gen(function* () {
    const { sql } = engine
    const toError = toSinkError(name)
    const asSinkError = <A>(
      operation: SinkError["operation"],
      effect: Effect.Effect<A, SqlError.SqlError | SinkError>
    ) =>
      toError(
        operation,
        Effect.tapErrorTag(effect, "SqlError", (error) => renewAfter(sql, error))
      )
    const database = { engine, tables }
    return {
      claim: yield* asSinkError("open", claimTables(engine, tables, schema, name, identity)),
      storedTally: (index) => asSinkError("read", reading(sql, storedTally(database, index))),
      write: (chunk) => asSinkError("write", transaction(sql, writeChunk(database, name, chunk))),
      complete: (chunks) => asSinkError("complete", transaction(sql, complete(database, name, chunks))),
      missingChunks: (chunks, onProgress = () => Effect.void) =>
        asSinkError("read", missingChunks(database, chunks, onProgress)),
      failedIdentifiers: (index) => asSinkError("read", reading(sql, failedIdentifiers(database, index))),
      amend: (chunk) => asSinkError("write", transaction(sql, amendChunk(database, chunk)))
    }
  })

// Postgres returns larger integers as texts.
const toTally = (row: Readonly<Record<keyof Tally, unknown>>): Tally =>
  Object.fromEntries(countNames.map((name) => [name, Number(row[name])])) as Tally

const storedTally = ({ engine: { sql, table }, tables }: HarvestDatabase, index: number) =>
  Effect.map(
    sql<Tally>`SELECT ${columnList(sql, countNames)} FROM ${table(tables.chunks.name)} WHERE chunk = ${index}`,
    ([row]) => (row === undefined ? undefined : toTally(row))
  )

/** The number of chunks whose rows are counted in one statement, so that each statement is short. */
const chunksPerCount = 64

/** The rows of a chunk. */
interface RowCounts {
  /** The number of its rows. */
  readonly stored: number
  /** Whether an identifier has more records than its outcome says: those of an earlier attempt. */
  readonly hasSurplus: boolean
}

/**
 * Counts the rows of the chunks from `from` up to `to` in the tables. The records are found by their key, all at once,
 * and grouped without a join: no statistics lead Postgres to read the whole table, or to look up each identifier.
 */
const countRows = ({ engine: { sql, table }, tables }: HarvestDatabase, from: number, to: number) => {
  const within = sql`chunk >= ${from} AND chunk < ${to}`
  const ids = sql`SELECT id FROM part WHERE outcome <> 'invalid'`
  const isOwn = sql.onDialectOrElse({
    pg: () => sql`input_id = ANY(ARRAY(${ids}))`,
    orElse: () => sql`input_id IN (${ids})`
  })
  return Effect.map(
    sql<{ chunk: unknown; stored: unknown; surplus: unknown }>`
      WITH part AS MATERIALIZED (
        SELECT id, outcome, records, chunk FROM ${table(tables.outcomes.name)} WHERE ${within})
      SELECT chunk, sum(stored) AS stored, max(surplus) AS surplus FROM (
        SELECT max(chunk) AS chunk, 1 + CASE WHEN max(records) > 0 THEN count(n) ELSE 0 END AS stored,
          CASE WHEN max(n) > max(records) THEN 1 ELSE 0 END AS surplus
        FROM (
          SELECT id, records, chunk, NULL AS n FROM part WHERE outcome <> 'invalid'
          UNION ALL
          SELECT input_id, NULL, NULL, record_n FROM ${table(tables.records.name)} WHERE ${isOwn}
        ) AS rows_of_ids GROUP BY id
        UNION ALL
        SELECT chunk, count(*), 0 FROM part WHERE outcome = 'invalid' GROUP BY chunk
        UNION ALL
        SELECT chunk, count(*), 0 FROM ${table(tables.surplus.name)} WHERE ${within} GROUP BY chunk
      ) AS counts GROUP BY chunk`,
    (rows) =>
      new Map(
        rows.map(({ chunk, stored, surplus }): readonly [number, RowCounts] => [
          Number(chunk),
          { stored: Number(stored), hasSurplus: Number(surplus) > 0 }
        ])
      )
  )
}

/** Records the counts of a chunk after its rows are written. `stored` is the number of its rows. */
const recordCounts = (database: HarvestDatabase, index: number, counts: Tally, stored: number) => {
  const { sql, table } = database.engine
  const values = sql.csv(countNames.map((name) => sql`${sql(name)} = ${counts[name]}`))
  return Effect.as(
    sql`UPDATE ${table(database.tables.chunks.name)} SET ${values}, stored = ${stored} WHERE chunk = ${index}`,
    counts
  )
}

/** Makes rows from the outcomes of a chunk. */
const rowsOf = ({ engine, tables }: HarvestDatabase, { index, outcomes }: Chunk) => {
  const { outcome: rowOf, record: recordOf, text } = Rows.make(tables, engine.accepts)
  const entries: Array<{ readonly id: string; readonly row: Row; readonly records: ReadonlyArray<Row> }> = []
  const surplus: Array<Row> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Surplus") {
      const { id = null, reason, record } = outcome
      const json = text(Rows.jsonOf(record as RawRecord.RawRecord))
      surplus.push([BigInt(index), BigInt(surplus.length), id === null ? id : text(id), reason, json])
      continue
    }
    const records = outcome._tag === "Found" ? outcome.records : []
    entries.push({
      id: text(outcome.id),
      row: [...rowOf(OutcomeRow.make(outcome)), BigInt(index)],
      records: records.map((record, at) => recordOf([outcome.id, BigInt(at + 1)], record))
    })
  }
  // Sorted, so that two transactions with the same identifiers cannot deadlock.
  entries.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { entries, surplus }
}

const writeChunk = (database: HarvestDatabase, name: string, chunk: Chunk) =>
  Effect.gen(function* () {
    const { engine, tables } = database
    const { insert, sql, table } = engine
    const counts = tallyOf(chunk)
    const first = {
      chunk: chunk.index,
      written_at: yield* Clock.currentTimeMillis,
      stored: 0,
      ...counts
    }
    const own = yield* sql`INSERT INTO ${table(tables.chunks.name)} ${sql.insert(first)}
      ON CONFLICT (chunk) DO NOTHING RETURNING chunk`
    if (own.length === 0) return (yield* storedTally(database, chunk.index)) ?? counts
    const { entries, surplus } = rowsOf(database, chunk)
    yield* insert(tables.surplus, surplus, "replace")
    yield* insert(
      tables.outcomes,
      entries.map(({ row }) => row),
      "keep"
    )
    // An identifier that another chunk has stored belongs to that chunk.
    const rows = yield* sql<{ id: string }>`
      SELECT id FROM ${table(tables.outcomes.name)} WHERE chunk = ${chunk.index}`
    const ownIds = new Set(rows.map(({ id }) => id))
    const foreign = entries.filter(({ id }) => !ownIds.has(id)).map(({ id }) => id)
    if (foreign.length > 0) yield* refuseDiscarded(database, name, foreign)
    const records = entries.flatMap((entry) => (ownIds.has(entry.id) ? entry.records : []))
    yield* insert(tables.records, records, "replace")
    const { text } = Rows.make(tables, engine.accepts)
    const tally = tallyOf(countForeignAsDuplicates(chunk, ownIds, text))
    return yield* recordCounts(database, chunk.index, tally, rows.length + records.length + surplus.length)
  })

/** Fails if these identifiers, which the chunk did not store, are not stored at all: a trigger has discarded them. */
const refuseDiscarded = (
  { engine: { sql, table }, tables }: HarvestDatabase,
  name: string,
  ids: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const rows = yield* sql<{ id: string }>`
      SELECT id FROM ${table(tables.outcomes.name)} WHERE ${sql.in("id", ids)}`
    const stored = new Set(rows.map(({ id }) => id))
    const discarded = ids.find((id) => !stored.has(id))
    if (discarded !== undefined)
      return yield* unusableSink(
        name,
        `cannot write ${name}: a trigger or rule of ${tables.outcomes.name} discards the row of ${Quote.value(discarded)}. Remove it, then resume`
      )
  })

/** Removes the identifiers of other chunks, and counts them as duplicates. */
const countForeignAsDuplicates = (
  chunk: Chunk,
  ownIds: ReadonlySet<string>,
  text: (id: string) => string
): Chunk => {
  const remaining = new Set(ownIds)
  // An invalid text has a row for each of its lines.
  const outcomes = chunk.outcomes.filter(
    (outcome) =>
      outcome._tag === "Surplus" || remaining.delete(text(outcome.id)) || outcome._tag === "Invalid"
  )
  return { ...chunk, outcomes, duplicates: chunk.duplicates + chunk.outcomes.length - outcomes.length }
}

/** Returns the chunks without a row in the table of chunks. */
const unrecordedChunks = ({ engine: { sql, table }, tables }: HarvestDatabase, chunks: number) =>
  Effect.map(
    sql<{ chunk: unknown }>`SELECT chunk FROM ${table(tables.chunks.name)} WHERE chunk < ${chunks}`,
    (rows) => {
      const recorded = new Set(rows.map(({ chunk }) => Number(chunk)))
      return chunkIndexes(chunks).filter((index) => !recorded.has(index))
    }
  )

/** Returns the chunks that are not stored. Removes every chunk that has lost rows. */
const missingChunks = (
  database: HarvestDatabase,
  chunks: number,
  onProgress: (verified: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const { sql, table } = database.engine
    const { tables } = database
    for (let from = 0; from < chunks; from += chunksPerCount) {
      yield* onProgress(from)
      const to = Math.min(chunks, from + chunksPerCount)
      yield* transaction(
        sql,
        Effect.gen(function* () {
          let counts = yield* countRows(database, from, to)
          if (Array.from(counts.values()).some(({ hasSurplus }) => hasSurplus)) {
            yield* Layout.trim(database.engine, tables, sql`chunk >= ${from} AND chunk < ${to}`)
            counts = yield* countRows(database, from, to)
          }
          const rows = yield* sql<{ chunk: unknown; stored: unknown }>`
            SELECT chunk, stored FROM ${table(tables.chunks.name)} WHERE chunk >= ${from} AND chunk < ${to}`
          for (const { chunk, stored } of rows) {
            const index = Number(chunk)
            if ((counts.get(index)?.stored ?? 0) < Number(stored)) yield* removeChunk(database, index)
          }
        })
      )
    }
    return yield* reading(sql, unrecordedChunks(database, chunks))
  })

const removeChunk = ({ engine: { sql, table }, tables }: HarvestDatabase, index: number) =>
  Effect.gen(function* () {
    const outcomes = table(tables.outcomes.name)
    yield* sql`DELETE FROM ${table(tables.records.name)}
      WHERE input_id IN (SELECT id FROM ${outcomes} WHERE chunk = ${index})`
    for (const { name } of [tables.outcomes, tables.surplus, tables.chunks])
      yield* sql`DELETE FROM ${table(name)} WHERE chunk = ${index}`
  })

const failedIdentifiers = ({ engine: { sql, table }, tables }: HarvestDatabase, index: number) =>
  Effect.map(
    sql<{ id: string; line: unknown }>`SELECT id, line FROM ${table(tables.outcomes.name)}
      WHERE chunk = ${index} AND outcome = 'failed' ORDER BY line`,
    (rows) => rows.map(({ id, line }) => ({ text: id, line: Number(line) }))
  )

const amendChunk = (database: HarvestDatabase, chunk: Chunk) =>
  Effect.gen(function* () {
    const { engine, tables } = database
    const { insert, sql, table } = engine
    const { index } = chunk
    // Locks the chunk, so that two workers do not replace the same failures.
    yield* sql`UPDATE ${table(tables.chunks.name)} SET written_at = ${yield* Clock.currentTimeMillis} WHERE chunk = ${index}`
    const before = (yield* storedTally(database, index)) ?? emptyTally
    const { entries, surplus } = rowsOf(database, chunk)
    const open = new Set((yield* failedIdentifiers(database, index)).map(({ text }) => text))
    const replacing = entries.filter(({ id }) => open.has(id))
    yield* insert(
      tables.outcomes,
      replacing.map(({ row }) => row),
      "replace"
    )
    yield* insert(
      tables.records,
      replacing.flatMap(({ records }) => records),
      "replace"
    )
    const [last] = yield* sql<{ n: unknown }>`
      SELECT count(*) AS n FROM ${table(tables.surplus.name)} WHERE chunk = ${index}`
    const offset = BigInt(Number(last?.n))
    yield* insert(
      tables.surplus,
      surplus.map(([of, n, ...others]): Row => [of ?? null, BigInt(n as bigint) + offset, ...others]),
      "replace"
    )
    const stored = (yield* countRows(database, index, index + 1)).get(index)?.stored ?? 0
    return yield* recordCounts(database, index, amendTally(before, replacing.length, chunk), stored)
  })

const complete = (database: HarvestDatabase, name: string, chunks: number) =>
  Effect.gen(function* () {
    const { sql, table } = database.engine
    const lost = yield* unrecordedChunks(database, chunks)
    if (lost.length > 0) return yield* incompleteSink(name, lost, chunks)
    yield* sql`UPDATE ${table(database.tables.harvest.name)} SET chunks = ${chunks}`
    const sums = countNames.map((name) => sql`coalesce(sum(${sql(name)}), 0) AS ${sql(name)}`)
    const [total] = yield* sql<Record<keyof Tally, unknown>>`
      SELECT ${sql.csv(sums)} FROM ${table(database.tables.chunks.name)} WHERE chunk < ${chunks}`
    return total === undefined ? emptyTally : toTally(total)
  })
