// The fixture of a test of sinks: a folder for each test, and a Postgres for each file. Importing this module sets
// both up.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Sink, Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterEach, beforeEach } from "vitest"
import { clientOf, identity, type StoringSink, tableOf } from "./sinkChunks.ts"
import * as TestPostgres from "./testPostgres.ts"

/** The folder of the running test. */
export let folder = ""

/** The Postgres of the running file. */
export let postgres: TestPostgres.Postgres

let schemas = 0

beforeEach(async (test) => {
  postgres = await TestPostgres.forTest(test)
}, 120_000)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-sink-"))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Runs with an open sink. */
export const withSink = <A, E>(
  spec: StoringSink,
  body: (sink: Sink.Sink) => Effect.Effect<A, E, SqlClient.SqlClient>,
  of: Sink.Identity = identity
): Promise<A> =>
  Effect.flatMap(Sinks.open(spec, of), body).pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, PgClient.layer({ url: Redacted.make(postgres.url) }))),
    Effect.runPromise
  )

/** Every kind of sink: its name in a title, and a function that makes a new specification. */
export const kinds: ReadonlyArray<readonly [string, () => StoringSink]> = [
  ["parts in a folder", () => ({ _tag: "Folder", folder: join(folder, "out") })],
  ["a folder with one file", () => ({ _tag: "Folder", folder: join(folder, "out"), file: "records.ndjson" })],
  ["tables in a SQLite file", () => tables(`${join(folder, "out.db")}#chemicals`)],
  ["tables in Postgres", () => tables(`${postgres.url}#sink_${++schemas}.chemicals`)]
]

/** A sink of tables, with columns for some of the fields. */
export const tables = (target: string): StoringSink => ({
  _tag: "Table",
  target,
  columns: [
    { name: "id", type: "text" },
    { name: "n", type: "number" }
  ]
})

/** Deletes the rows of the second chunk from the table with this suffix. */
export const deleteRows = (spec: StoringSink, suffix: string): Promise<unknown> => {
  if (spec._tag !== "Table") throw new Error("a folder has no rows")
  const { name } = tableOf(spec.target)
  const deletion = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    suffix === ""
      ? sql`DELETE FROM ${sql(name(""))} WHERE input_id IN (
          SELECT id FROM ${sql(name("_outcomes"))} WHERE chunk = 1)`
      : sql`DELETE FROM ${sql(name(suffix))} WHERE chunk = 1`
  )
  return Effect.runPromise(Effect.provide(deletion, clientOf(spec.target)))
}

/** The key of a record. */
interface RecordKey {
  readonly id: string
  readonly n: number
}

/** Gives a record the key of another one. */
export const move = (spec: StoringSink, from: RecordKey, to: RecordKey): Promise<unknown> => {
  if (spec._tag !== "Table") throw new Error("a folder has no rows")
  const { name } = tableOf(spec.target)
  const change = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE ${sql(name(""))} SET input_id = ${to.id}, record_n = ${to.n}
      WHERE input_id = ${from.id} AND record_n = ${from.n}`
  )
  return Effect.runPromise(Effect.provide(change, clientOf(spec.target)))
}

/** The values of a column of a table, JSON as text. */
export const rowsOf = (
  spec: StoringSink,
  column: string,
  suffix: string,
  order: string
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  if (spec._tag !== "Table") throw new Error("a folder has no rows")
  const { name } = tableOf(spec.target)
  return Effect.runPromise(
    Effect.provide(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql<Record<string, unknown>>`SELECT CAST(${sql(column)} AS text) AS ${sql(column)}
            FROM ${sql(name(suffix))} ORDER BY ${sql(order)}`
      ),
      clientOf(spec.target)
    )
  )
}
