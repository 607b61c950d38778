// A Postgres of its own for the fixtures, with a database for each.
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Server from "../../../packages/workflow/test/postgres.ts"

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

/** A running server. */
export interface Postgres {
  /** Creates an empty database, and returns its address. */
  readonly create: (name: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts a server. */
export const start = async (): Promise<Postgres> => {
  const server = await Server.start()
  return {
    create: async (name) => {
      await query(server.url, `DROP DATABASE IF EXISTS "${name}"`)
      await query(server.url, `CREATE DATABASE "${name}"`)
      return server.url.replace(/postgres$/, name)
    },
    stop: server.stop
  }
}

/** The address of a database as a harvest stores it: without the password. */
export const storedAddress = (url: string): string => url.replace(/:[^:@/]+@/, "@")
