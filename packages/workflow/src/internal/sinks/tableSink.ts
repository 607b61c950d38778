/**
 * The sink in tables of SQLite or Postgres (`harvestTables.ts`). A chunk is one transaction, which begins with its row in
 * `TABLE_chunks`: a worker that finds the row writes nothing.
 */
import type { RawRecord } from "@chemstream/ndjson"
import { OutcomeRow } from "@chemstream/stream"
import { Clock, Effect } from "effect"
import type { Statement } from "effect/sql"
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
import { type Engine, names, type Row } from "../tables/engine.ts"
import * as Layout from "../tables/layout.ts"
import { canPass, claim, type HarvestTables } from "./harvestTables.ts"
import { incomplete, indexesTo, refusing } from "./sinkErrors.ts"

/** The tables of one harvest. */
interface Stored {
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
    const failing = refusing(name, canPass)
    const { sql } = engine
    const stored = { engine, tables }
    return {
      claim: yield* failing("open", claim(engine, tables, schema, name, identity)),
      written: (index) => failing("read", countsOf(stored, index)),
      write: (chunk) => failing("write", transaction(sql, put(stored, chunk))),
      complete: (chunks) => failing("complete", transaction(sql, complete(stored, name, chunks))),
      absent: (chunks) => failing("read", transaction(sql, absent(stored, chunks))),
      failed: (index) => failing("read", failed(stored, index)),
      amend: (chunk) => failing("write", transaction(sql, amend(stored, chunk)))
    }
  })

// Postgres returns its larger integers as texts.
const numbers = (row: Readonly<Record<keyof Tally, unknown>>): Tally =>
  Object.fromEntries(countNames.map((name) => [name, Number(row[name])])) as Tally

const countsOf = ({ engine: { sql, table }, tables }: Stored, index: number) =>
  Effect.map(
    sql<Tally>`SELECT ${names(sql, countNames)} FROM ${table(tables.chunks.name)} WHERE chunk = ${index}`,
    ([row]) => (row === undefined ? undefined : numbers(row))
  )

/** The number of rows that a chunk has in the tables. */
const present = ({ engine: { sql, table }, tables }: Stored, chunk: Statement.Fragment) => {
  const outcomes = table(tables.outcomes.name)
  return sql`(
    (SELECT count(*) FROM ${outcomes} o WHERE o.chunk = ${chunk})
    + (SELECT count(*) FROM ${outcomes} o JOIN ${table(tables.records.name)} r ON r.input_id = o.id WHERE o.chunk = ${chunk})
    + (SELECT count(*) FROM ${table(tables.surplus.name)} s WHERE s.chunk = ${chunk}))`
}

/** Records the counts of a chunk whose rows are written. */
const settle = (stored: Stored, index: number, counts: Tally) => {
  const { sql, table } = stored.engine
  const values = sql.csv(countNames.map((name) => sql`${sql(name)} = ${counts[name]}`))
  return Effect.as(
    sql`UPDATE ${table(stored.tables.chunks.name)} SET ${values}, stored = ${present(stored, sql`${index}`)}
      WHERE chunk = ${index}`,
    counts
  )
}

/** The outcomes of a chunk as rows. */
const rowsOf = ({ engine, tables }: Stored, { index, outcomes }: Chunk) => {
  const { outcome: rowOf, record: recordOf, text } = Layout.rows(tables, engine.takes)
  const entries: Array<{ readonly id: string; readonly row: Row; readonly records: ReadonlyArray<Row> }> = []
  const surplus: Array<Row> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Surplus") {
      const { id = null, reason, record } = outcome
      const json = text(Layout.jsonOf(record as RawRecord.RawRecord))
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
  // In one order, so that two transactions with the same identifiers wait for each other, and not in a circle.
  entries.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { entries, surplus }
}

const put = (stored: Stored, chunk: Chunk) =>
  Effect.gen(function* () {
    const { engine, tables } = stored
    const { insert, sql, table } = engine
    const counts = tally(chunk)
    const first = {
      chunk: chunk.index,
      written_at: yield* Clock.currentTimeMillis,
      stored: 0,
      ...counts
    }
    const own = yield* sql`INSERT INTO ${table(tables.chunks.name)} ${sql.insert(first)}
      ON CONFLICT (chunk) DO NOTHING RETURNING chunk`
    if (own.length === 0) return (yield* countsOf(stored, chunk.index)) ?? counts
    const { entries, surplus } = rowsOf(stored, chunk)
    yield* insert(tables.surplus, surplus, "replace")
    yield* insert(
      tables.outcomes,
      entries.map(({ row }) => row),
      "keep"
    )
    // An identifier that is in an earlier chunk, too, belongs to that one.
    const placed = yield* sql<{ id: string }>`
      SELECT id FROM ${table(tables.outcomes.name)} WHERE chunk = ${chunk.index}`
    const ids = new Set(placed.map(({ id }) => id))
    yield* insert(
      tables.records,
      entries.flatMap(({ id, records }) => (ids.has(id) ? records : [])),
      "replace"
    )
    const { text } = Layout.rows(tables, engine.takes)
    return yield* settle(stored, chunk.index, tally(withoutOthers(chunk, ids, text)))
  })

/** Returns the chunk with the identifiers of other chunks counted as duplicates. */
const withoutOthers = (chunk: Chunk, placed: ReadonlySet<string>, text: (id: string) => string): Chunk => {
  const left = new Set(placed)
  // A malformed text has one row, and is invalid each time it comes.
  const outcomes = chunk.outcomes.filter(
    (outcome) => outcome._tag === "Surplus" || left.delete(text(outcome.id)) || outcome._tag === "Invalid"
  )
  return { ...chunk, outcomes, duplicates: chunk.duplicates + chunk.outcomes.length - outcomes.length }
}

/** Returns the chunks that are not stored. A chunk that has lost rows is removed as a whole. */
const absent = (stored: Stored, chunks: number) =>
  Effect.gen(function* () {
    const { sql, table } = stored.engine
    const [records, outcomes, surplus, own] = (["records", "outcomes", "surplus", "chunks"] as const).map(
      (name) => table(stored.tables[name].name)
    )
    const rows = yield* sql<{ chunk: unknown; lost: unknown }>`
      SELECT chunk, stored - ${present(stored, sql`c.chunk`)} AS lost FROM ${own} AS c WHERE chunk < ${chunks}`
    const whole = new Set(rows.flatMap(({ chunk, lost }) => (Number(lost) > 0 ? [] : [Number(chunk)])))
    for (const { chunk } of rows) {
      const index = Number(chunk)
      if (whole.has(index)) continue
      yield* sql`DELETE FROM ${records} WHERE input_id IN (SELECT id FROM ${outcomes} WHERE chunk = ${index})`
      for (const place of [outcomes, surplus, own]) yield* sql`DELETE FROM ${place} WHERE chunk = ${index}`
    }
    return indexesTo(chunks).filter((index) => !whole.has(index))
  })

const failed = ({ engine: { sql, table }, tables }: Stored, index: number) =>
  Effect.map(
    sql<{ id: string; line: unknown }>`SELECT id, line FROM ${table(tables.outcomes.name)}
      WHERE chunk = ${index} AND outcome = 'failed' ORDER BY line`,
    (rows) => rows.map(({ id, line }) => ({ text: id, line: Number(line) }))
  )

const amend = (stored: Stored, chunk: Chunk) =>
  Effect.gen(function* () {
    const { engine, tables } = stored
    const { insert, sql, table } = engine
    const { index } = chunk
    // Locks the chunk, so that two workers do not replace the same failures.
    yield* sql`UPDATE ${table(tables.chunks.name)} SET written_at = ${yield* Clock.currentTimeMillis} WHERE chunk = ${index}`
    const before = (yield* countsOf(stored, index)) ?? nothing
    const { entries, surplus } = rowsOf(stored, chunk)
    const open = new Set((yield* failed(stored, index)).map(({ text }) => text))
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
    const behind = BigInt(Number(last?.n))
    yield* insert(
      tables.surplus,
      surplus.map(([of, n, ...others]): Row => [of ?? null, BigInt(n as bigint) + behind, ...others]),
      "replace"
    )
    return yield* settle(stored, index, amended(before, replacing.length, chunk))
  })

const complete = (stored: Stored, name: string, chunks: number) =>
  Effect.gen(function* () {
    const { sql, table } = stored.engine
    const lost = yield* absent(stored, chunks)
    if (lost.length > 0) return yield* incomplete(name, lost, chunks)
    yield* Layout.trim(stored.engine, stored.tables)
    yield* sql`UPDATE ${table(stored.tables.harvest.name)} SET chunks = ${chunks}`
    const sums = countNames.map((name) => sql`coalesce(sum(${sql(name)}), 0) AS ${sql(name)}`)
    const [total] = yield* sql<Record<keyof Tally, unknown>>`
      SELECT ${sql.csv(sums)} FROM ${table(stored.tables.chunks.name)} WHERE chunk < ${chunks}`
    return total === undefined ? nothing : numbers(total)
  })
