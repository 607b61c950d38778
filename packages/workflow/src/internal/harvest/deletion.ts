/**
 * Deletes everything that the database has of a harvest: its rows, and the messages and replies of its workflows in
 * the tables of the engine, which exist only after a worker has run.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** The tables of harvests, with the column that identifies the harvest. */
const tables = [
  ["chemstream_harvests", "id"],
  ["chemstream_progress", "harvest"],
  ["chemstream_failures", "harvest"],
  ["chemstream_chunks", "harvest"],
  ["chemstream_changes", "harvest"]
] as const

export const remove = (sql: SqlClient.SqlClient, id: string): Effect.Effect<void, SqlError.SqlError> =>
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
