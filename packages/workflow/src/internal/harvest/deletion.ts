/**
 * Removes what the database has of a harvest: its rows here, and the messages and replies of its workflows in the engine's
 * tables, which are there only where a worker has worked.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** What the harvest has in each table of ours, by the column that names it. */
const tables = [
  ["chemstream_harvests", "id"],
  ["chemstream_progress", "harvest"],
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
    const isOurs = sql.onDialectOrElse({
      pg: () => sql`strpos(payload, ${named}) > 0`,
      orElse: () => sql`instr(payload, ${named}) > 0`
    })
    // The steps of a workflow have its entity, and no payload that names the harvest.
    const entities = sql`SELECT entity_id FROM cluster_messages WHERE tag = 'run' AND ${isOurs}`
    yield* sql`
      DELETE FROM cluster_replies
      WHERE request_id IN (SELECT id FROM cluster_messages WHERE entity_id IN (${entities}))`
    yield* sql`DELETE FROM cluster_messages WHERE entity_id IN (${entities})`
  })
