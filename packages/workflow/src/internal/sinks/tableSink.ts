/**
 * Stores a harvest in tables of SQLite or Postgres (`harvestTables.ts`). One transaction writes a chunk. It first
 * inserts the row in `TABLE_chunks`; if the row exists, it writes nothing else. `tableSinkCheck.ts` finds chunks that have lost rows.
 */
import { Quote } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
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
import { leavingOneFree, renewAfter } from "../database/postgresClient.ts"
import { reading, transaction } from "../database/transaction.ts"
import { columnList, type Row, type TableDatabase } from "../tables/tableDatabase.ts"
import * as Rows from "../tables/tableRows.ts"
import { claimTables, type HarvestTables } from "./harvestTables.ts"
import { incompleteSink, toSinkError, unusableSink } from "./sinkErrors.ts"
import { countRows, missingChunks, type OpenTables, unrecordedChunks } from "./tableSinkCheck.ts"

/** Opens the tables of a harvest, and creates them if they do not exist. `name` is their name in messages. */
export const open = (
  database: TableDatabase,
  tables: HarvestTables,
  schema: string | undefined,
  name: string,
  identity: Identity
): Effect.Effect<Sink, SinkError> =>
  Effect.gen(function* () {
    const { sql } = database
    const toError = toSinkError(name)
    const asSinkError = <A>(
      operation: SinkError["operation"],
      effect: Effect.Effect<A, SqlError.SqlError | SinkError>
    ) =>
      toError(
        operation,
        Effect.tapErrorTag(leavingOneFree(sql, effect), "SqlError", (error) => renewAfter(sql, error))
      )
    const opened = { database, tables }
    return {
      claim: yield* asSinkError("open", claimTables(database, tables, schema, name, identity)),
      storedTally: (index) => asSinkError("read", reading(sql, storedTally(opened, index))),
      write: (chunk) => asSinkError("write", transaction(sql, writeChunk(opened, name, chunk))),
      complete: (chunks) => asSinkError("complete", transaction(sql, complete(opened, name, chunks))),
      missingChunks: (chunks, onProgress = () => Effect.void) =>
        asSinkError("read", missingChunks(opened, chunks, onProgress)),
      failedIdentifiers: (index) => asSinkError("read", reading(sql, failedIdentifiers(opened, index))),
      amend: (chunk) => asSinkError("write", transaction(sql, amendChunk(opened, chunk)))
    }
  })

// Postgres returns larger integers as texts.
const toTally = (row: Readonly<Record<keyof Tally, unknown>>): Tally =>
  Object.fromEntries(countNames.map((name) => [name, Number(row[name])])) as Tally

const storedTally = ({ database: { sql, table }, tables }: OpenTables, index: number) =>
  Effect.map(
    sql<Tally>`SELECT ${columnList(sql, countNames)} FROM ${table(tables.chunks.name)} WHERE chunk = ${index}`,
    ([row]) => (row === undefined ? undefined : toTally(row))
  )

/** Records the counts of a chunk after its rows are written. `stored` is the number of its rows. */
const recordCounts = (opened: OpenTables, index: number, counts: Tally, stored: number) => {
  const { sql, table } = opened.database
  const values = sql.csv(countNames.map((name) => sql`${sql(name)} = ${counts[name]}`))
  return Effect.as(
    sql`UPDATE ${table(opened.tables.chunks.name)} SET ${values}, stored = ${stored} WHERE chunk = ${index}`,
    counts
  )
}

/** Makes rows from the outcomes of a chunk. */
const rowsOf = ({ database, tables }: OpenTables, { index, outcomes }: Chunk) => {
  const { outcome: rowOf, record: recordOf, text } = Rows.make(tables, database.accepts)
  const entries: Array<{ readonly id: string; readonly row: Row; readonly records: ReadonlyArray<Row> }> = []
  const surplus: Array<Row> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Surplus") {
      const { id = null, reason, record } = outcome
      const json = text(RawRecord.toJson(record as RawRecord.RawRecord))
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

const writeChunk = (opened: OpenTables, name: string, chunk: Chunk) =>
  Effect.gen(function* () {
    const { database, tables } = opened
    const { insert, sql, table } = database
    const counts = tallyOf(chunk)
    const first = {
      chunk: chunk.index,
      written_at: yield* Clock.currentTimeMillis,
      stored: 0,
      ...counts
    }
    const own = yield* sql`INSERT INTO ${table(tables.chunks.name)} ${sql.insert(first)}
      ON CONFLICT (chunk) DO NOTHING RETURNING chunk`
    if (own.length === 0) return (yield* storedTally(opened, chunk.index)) ?? counts
    const { entries, surplus } = rowsOf(opened, chunk)
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
    if (foreign.length > 0) yield* refuseDiscarded(opened, name, foreign)
    const records = entries.flatMap((entry) => (ownIds.has(entry.id) ? entry.records : []))
    yield* insert(tables.records, records, "replace")
    const { text } = Rows.make(tables, database.accepts)
    const tally = tallyOf(countForeignAsDuplicates(chunk, ownIds, text))
    return yield* recordCounts(opened, chunk.index, tally, rows.length + records.length + surplus.length)
  })

/** Fails if these identifiers, which the chunk did not store, are not stored at all: a trigger has discarded them. */
const refuseDiscarded = (
  { database: { sql, table }, tables }: OpenTables,
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

const failedIdentifiers = ({ database: { sql, table }, tables }: OpenTables, index: number) =>
  Effect.map(
    sql<{ id: string; line: unknown }>`SELECT id, line FROM ${table(tables.outcomes.name)}
      WHERE chunk = ${index} AND outcome = 'failed' ORDER BY line`,
    (rows) => rows.map(({ id, line }) => ({ text: id, line: Number(line) }))
  )

const amendChunk = (opened: OpenTables, chunk: Chunk) =>
  Effect.gen(function* () {
    const { database, tables } = opened
    const { insert, sql, table } = database
    const { index } = chunk
    // Locks the chunk, so that two workers do not replace the same failures.
    yield* sql`UPDATE ${table(tables.chunks.name)} SET written_at = ${yield* Clock.currentTimeMillis} WHERE chunk = ${index}`
    const before = (yield* storedTally(opened, index)) ?? emptyTally
    const { entries, surplus } = rowsOf(opened, chunk)
    const failedIds = new Set((yield* failedIdentifiers(opened, index)).map(({ text }) => text))
    const replacing = entries.filter(({ id }) => failedIds.has(id))
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
    // Surplus records are numbered by chunk. New ones come after those that are stored.
    const offset = BigInt(Number(last?.n))
    yield* insert(
      tables.surplus,
      surplus.map(([of, n, ...others]): Row => [of ?? null, BigInt(n as bigint) + offset, ...others]),
      "replace"
    )
    const stored = (yield* countRows(opened, index, index + 1)).get(index)?.stored ?? 0
    return yield* recordCounts(opened, index, amendTally(before, replacing.length, chunk), stored)
  })

const complete = (opened: OpenTables, name: string, chunks: number) =>
  Effect.gen(function* () {
    const { sql, table } = opened.database
    const lost = yield* unrecordedChunks(opened, chunks)
    if (lost.length > 0) return yield* incompleteSink(name, lost, chunks)
    yield* sql`UPDATE ${table(opened.tables.harvest.name)} SET chunks = ${chunks}`
    const sums = countNames.map((column) => sql`coalesce(sum(${sql(column)}), 0) AS ${sql(column)}`)
    const [total] = yield* sql<Record<keyof Tally, unknown>>`
      SELECT ${sql.csv(sums)} FROM ${table(opened.tables.chunks.name)} WHERE chunk < ${chunks}`
    return total === undefined ? emptyTally : toTally(total)
  })
