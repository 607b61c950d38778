// Reads the tables that a run or a harvest has written, and the state of a run in them.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Postgres from "./Postgres.ts"

/** Runs a statement in a database. */
export type Query = (statement: string) => Promise<ReadonlyArray<Postgres.Row>>

const sqlite =
  (file: string): Query =>
  async (statement) => {
    const database = new DatabaseSync(file)
    try {
      return database.prepare(statement).all()
    } finally {
      database.close()
    }
  }

const duckdb =
  (file: string): Query =>
  async (statement) => {
    const instance = await DuckDBInstance.create(file)
    const connection = await instance.connect()
    try {
      return (await connection.runAndReadAll(statement)).getRowObjectsJson()
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }

/** Returns the database of an output. Undefined: the output is a file. */
export const ofOutput = (cwd: string, output: string): Query | undefined => {
  const [file = ""] = output.split("#")
  if (output.startsWith("postgres:")) return (statement) => Postgres.query(file, statement)
  if (/\.(?:sqlite|db)$/.test(file)) return sqlite(join(cwd, file))
  return file.endsWith(".duckdb") ? duckdb(join(cwd, file)) : undefined
}

/** Returns the rows of the tables, each as text, in an order that does not depend on the writer. */
export const rows = async (query: Query, tables: ReadonlyArray<string>, columns = "*") => {
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const table of tables)
    found[table] = (await query(`SELECT ${columns} FROM ${table}`)).map(toText).sort()
  return found
}

const toText = (row: Postgres.Row): string =>
  JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))
