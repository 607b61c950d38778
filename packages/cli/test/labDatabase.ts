/** Databases of SQLite, DuckDB and Postgres with tables that other programs have made. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DuckDBInstance } from "@duckdb/node-api"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { startServer } from "./postgres.ts"
import { folder } from "./process.ts"

export const engines = ["sqlite", "duckdb", "postgres"] as const

export type Engine = (typeof engines)[number]

/** Runs statements in a database, as its owner. */
export const execute: Readonly<
  Record<Engine, (at: string, statements: ReadonlyArray<string>) => Promise<void>>
> = {
  sqlite: async (at, statements) => {
    const database = new DatabaseSync(join(at, "lab.sqlite"))
    for (const statement of statements) database.exec(statement)
    database.close()
  },
  duckdb: async (at, statements) => {
    const instance = await DuckDBInstance.create(join(at, "lab.duckdb"))
    const connection = await instance.connect()
    for (const statement of statements) await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
  },
  postgres: async (_, statements) => {
    const url = Redacted.make((await startServer()).url)
    const program = Effect.gen(function* () {
      const sql = yield* Effect.provide(PgClient.make({ url }), Reactivity.layer)
      for (const statement of statements) yield* sql.unsafe(statement)
    })
    await Effect.runPromise(Effect.scoped(program))
  }
}

/** A new database, the name of its tables in `--input`, and the schema that Postgres needs. */
export const make = async (engine: Engine, ...statements: ReadonlyArray<string>) => {
  const at = folder()
  const schema = `s${at.replaceAll(/\W/g, "_").toLowerCase()}`
  if (engine === "postgres")
    await execute.postgres(at, [`CREATE SCHEMA ${schema}`, `SET search_path = ${schema}`])
  const own = engine === "postgres" ? `${schema}.` : ""
  await execute[engine](
    at,
    statements.map((statement) => statement.replaceAll("$", own))
  )
  const place = engine === "postgres" ? (await startServer()).url : `lab.${engine}`
  return { at, nameOf: (table: string) => `${place}#${own}${table}`, place, own }
}
