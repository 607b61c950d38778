/**
 * Deletes everything that the database has of a harvest: its rows, and the messages and replies of its workflows in
 * the tables of the engine, which exist only after a worker has run.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../database/transaction.ts"
import { getRow, type UnknownHarvest } from "./harvestErrors.ts"
import { isUnfinished } from "./harvestRow.ts"

/** The tables of harvests, with the column that identifies the harvest. */
const tables = [
  ["chemstream_harvests", "id"],
  ["chemstream_progress", "harvest"],
  ["chemstream_failures", "harvest"],
  ["chemstream_chunks", "harvest"],
  ["chemstream_changes", "harvest"]
] as const

/**
 * Deletes a harvest that has ended from the database, and frees its name.
 *
 * The sink keeps its data. Returns false, and deletes nothing, if the harvest has not ended.
 */
export const remove = (
  name: string
): Effect.Effect<boolean, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const row = yield* getRow(name)
    if (isUnfinished(row)) return false
    const sql = yield* SqlClient.SqlClient
    yield* transaction(sql, deleteRows(sql, row.id))
    return true
  })

const deleteRows = (sql: SqlClient.SqlClient, id: string) =>
  Effect.gen(function* () {
    for (const [table, column] of tables) {
      yield* sql`DELETE FROM ${sql(table)} WHERE ${sql(column)} = ${id}`
    }
    const engine = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT 1 WHERE to_regclass('cluster_messages') IS NOT NULL`,
      orElse: () => sql`SELECT 1 FROM sqlite_master WHERE name = 'cluster_messages'`
    })
    if (engine.length === 0) return
    const named = JSON.stringify({ harvest: id }).slice(1, -1)
    const namesHarvest = sql.onDialectOrElse({
      pg: () => sql`strpos(payload, ${named}) > 0`,
      orElse: () => sql`instr(payload, ${named}) > 0`
    })
    // The payload of a step does not name the harvest, so steps are found by the entity of their workflow.
    const entities = sql`SELECT entity_id FROM cluster_messages WHERE tag = 'run' AND ${namesHarvest}`
    yield* sql`
      DELETE FROM cluster_replies
      WHERE request_id IN (SELECT id FROM cluster_messages WHERE entity_id IN (${entities}))`
    yield* sql`DELETE FROM cluster_messages WHERE entity_id IN (${entities})`
  })
