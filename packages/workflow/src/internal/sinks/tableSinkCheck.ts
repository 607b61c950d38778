/**
 * Checks the chunks of a harvest in tables: counts their rows, removes leftovers of earlier attempts, and removes every chunk that has lost
 * rows, so that it is fetched again.
 */

import { Effect } from "effect"
import { reading, transaction } from "../database/transaction.ts"
import { chunkIndexes } from "../harvest/chunkIndexes.ts"
import * as runTables from "../tables/runTables.ts"
import type { TableDatabase } from "../tables/tableDatabase.ts"
import type { HarvestTables } from "./harvestTables.ts"

/** The tables of a harvest, in an open database. */
export interface OpenTables {
  readonly database: TableDatabase
  readonly tables: HarvestTables
}

/** The number of chunks whose rows are counted in one statement, so that each statement is short. */
const chunksPerCount = 64

/** The rows of a chunk. */
interface RowCounts {
  /** The number of its rows. */
  readonly stored: number
  /** Whether an identifier has more records than its outcome says: those of an earlier attempt. */
  readonly hasLeftovers: boolean
}

/**
 * Counts the rows of the chunks from `from` up to `to` in the tables. The records are found by their key, all at once,
 * and grouped without a join: no statistics lead Postgres to read the whole table, or to look up each identifier.
 *
 * An identifier has a row for its outcome and one for each record. Invalid texts, which may repeat, and surplus records are
 * counted by chunk alone.
 */
export const countRows = ({ database: { sql, table }, tables }: OpenTables, from: number, to: number) => {
  const within = sql`chunk >= ${from} AND chunk < ${to}`
  const ids = sql`SELECT id FROM part WHERE outcome <> 'invalid'`
  const isOwn = sql.onDialectOrElse({
    pg: () => sql`input_id = ANY(ARRAY(${ids}))`,
    orElse: () => sql`input_id IN (${ids})`
  })
  return Effect.map(
    sql<{ chunk: unknown; stored: unknown; leftover: unknown }>`
      WITH part AS MATERIALIZED (
        SELECT id, outcome, records, chunk FROM ${table(tables.outcomes.name)} WHERE ${within})
      SELECT chunk, sum(stored) AS stored, max(leftover) AS leftover FROM (
        SELECT max(chunk) AS chunk, 1 + CASE WHEN max(records) > 0 THEN count(n) ELSE 0 END AS stored,
          CASE WHEN max(n) > max(records) THEN 1 ELSE 0 END AS leftover
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
        rows.map(({ chunk, leftover, stored }): readonly [number, RowCounts] => [
          Number(chunk),
          { stored: Number(stored), hasLeftovers: Number(leftover) > 0 }
        ])
      )
  )
}

/** Returns the chunks without a row in the table of chunks. */
export const unrecordedChunks = ({ database: { sql, table }, tables }: OpenTables, chunks: number) =>
  Effect.map(
    sql<{ chunk: unknown }>`SELECT chunk FROM ${table(tables.chunks.name)} WHERE chunk < ${chunks}`,
    (rows) => {
      const recorded = new Set(rows.map(({ chunk }) => Number(chunk)))
      return chunkIndexes(chunks).filter((index) => !recorded.has(index))
    }
  )

/** Returns the chunks that are not stored. Removes every chunk that has lost rows. */
export const missingChunks = (
  opened: OpenTables,
  chunks: number,
  onProgress: (verified: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const { sql, table } = opened.database
    for (let from = 0; from < chunks; from += chunksPerCount) {
      yield* onProgress(from)
      const to = Math.min(chunks, from + chunksPerCount)
      yield* transaction(
        sql,
        Effect.gen(function* () {
          let counts = yield* countRows(opened, from, to)
          if (Array.from(counts.values()).some(({ hasLeftovers }) => hasLeftovers)) {
            yield* runTables.trim(opened.database, opened.tables, sql`chunk >= ${from} AND chunk < ${to}`)
            counts = yield* countRows(opened, from, to)
          }
          const rows = yield* sql<{ chunk: unknown; stored: unknown }>`
            SELECT chunk, stored FROM ${table(opened.tables.chunks.name)} WHERE chunk >= ${from} AND chunk < ${to}`
          for (const { chunk, stored } of rows) {
            const index = Number(chunk)
            if ((counts.get(index)?.stored ?? 0) < Number(stored)) yield* removeChunk(opened, index)
          }
        })
      )
    }
    return yield* reading(sql, unrecordedChunks(opened, chunks))
  })

const removeChunk = ({ database: { sql, table }, tables }: OpenTables, index: number) =>
  Effect.gen(function* () {
    const outcomes = table(tables.outcomes.name)
    yield* sql`DELETE FROM ${table(tables.records.name)}
      WHERE input_id IN (SELECT id FROM ${outcomes} WHERE chunk = ${index})`
    for (const { name } of [tables.outcomes, tables.surplus, tables.chunks])
      yield* sql`DELETE FROM ${table(name)} WHERE chunk = ${index}`
  })
