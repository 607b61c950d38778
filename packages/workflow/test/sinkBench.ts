// What a test of sinks works with: a folder of its own, and a Postgres that the tests of a file share. Importing this module
// sets both up.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Sink, Sinks, SqliteClient } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import * as Postgres from "./postgres.ts"
import { identity, type Kept } from "./sinkChunks.ts"

/** The folder of the running test. */
export let folder = ""

/** The Postgres of the running file. */
export let postgres: Postgres.Postgres

let schemas = 0

beforeAll(async () => {
  postgres = await Postgres.start()
}, 120_000)

afterAll(() => postgres.stop())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-sink-"))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Runs with an open sink. */
export const using = <A, E>(
  spec: Kept,
  body: (sink: Sink.Sink) => Effect.Effect<A, E, SqlClient.SqlClient>,
  of: Sink.Identity = identity
): Promise<A> =>
  Effect.flatMap(Sinks.open(spec, of), body).pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, PgClient.layer({ url: Redacted.make(postgres.url) }))),
    Effect.runPromise
  )

/** Every kind of sink: its name in a title, and what makes a new one. */
export const kinds: ReadonlyArray<readonly [string, () => Kept]> = [
  ["parts in a folder", () => ({ _tag: "Folder", folder: join(folder, "out") })],
  ["a folder with one file", () => ({ _tag: "Folder", folder: join(folder, "out"), file: "records.ndjson" })],
  ["a SQLite file", () => ({ _tag: "Sqlite", file: join(folder, "out.db") })],
  ["tables in Postgres", () => ({ _tag: "Postgres", schema: `sink_${++schemas}` })]
]

/** Takes the rows of the second chunk out of a table. */
export const deleteRows = (spec: Kept, table: string): Promise<unknown> => {
  const where = spec._tag === "Postgres" ? `${spec.schema}.${table}` : table
  const deletion = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`DELETE FROM ${sql(where)} WHERE chunk = 1`
  )
  const client =
    spec._tag === "Sqlite"
      ? SqliteClient.layer({ file: spec.file })
      : PgClient.layer({ url: Redacted.make(postgres.url) })
  return Effect.runPromise(Effect.provide(deletion, client))
}
