// A Postgres of its own for the fixtures, with a database for each.
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Postgres } from "../../../packages/workflow/test/postgres.ts"

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements in the database of an address. */
export const query = (url: string, statements: string): Promise<ReadonlyArray<Row>> =>
  Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe<Row>(statements)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.runPromise
  )

/** Runs the statements of a dump. The client sends one statement at a time, so they are the body of one block. */
export const restore = async (url: string, dump: string): Promise<void> => {
  await query(
    url,
    `DO $restore$ BEGIN\n${dump.replaceAll(/^SELECT setval/gm, "PERFORM setval")}END $restore$`
  )
}

/** Creates an empty database on a server, and returns its address. */
export const create = async ({ url }: Pick<Postgres, "url">, name: string): Promise<string> => {
  await query(url, `DROP DATABASE IF EXISTS "${name}"`)
  await query(url, `CREATE DATABASE "${name}"`)
  return url.replace(/postgres$/, name)
}

/** The address of a database as a harvest stores it: without the password. */
export const storedAddress = (url: string): string => url.replace(/:[^:@/]+@/, "@")
